/// The value of an attribute. Text and data with the same bytes are the same value to a query and to uniqueness; the type
/// given at the last write is what comes back (SECITEM.md §4).
public enum AttributeValue: Hashable, Sendable {
  /// Text.
  case text(String)
  /// Bytes that are no secret.
  case data([UInt8])
  /// A number, or a boolean as 0 or 1.
  case number(Int64)
  /// Seconds since 2001-01-01 00:00 UTC.
  case date(Double)
}

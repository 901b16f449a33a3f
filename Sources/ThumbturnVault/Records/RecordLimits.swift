/// The sizes that a record may have.
package enum RecordLimits {
  /// The largest secret in bytes: 16 MiB, half of what SecretBytes can hold in its padded form. Larger data belongs in a
  /// protected file.
  package static let secretCountMax = 16_777_216
  /// All attributes of one record in bytes, as encoded: 1 MiB, far above any real name, so that a find that opens many
  /// records stays bounded.
  package static let attributesCountMax = 1_048_576
  /// All secrets of one find in bytes: 256 MiB, so that a find of everything cannot take all memory. Whoever holds more
  /// finds without secrets first and then one by one.
  package static let foundSecretsCountMax = 268_435_456
  /// A box above this stands in the table of blobs, so that a change of a label does not write a large secret again.
  static let inlineBoxCountMax = 4_096
  /// What SQLite may read as one value: the padded form of the largest secret, sealed, and some room.
  static let boxCountMax = 33_554_432
}

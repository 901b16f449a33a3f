internal import ThumbturnKeychain

/// The largest service or account, in bytes.
let nameCountMax = 65_536

/// A name of the command line as the keychain stores it: text, or data when it is not valid UTF-8.
///
/// - Throws: A failure with ``ExitCode/refused`` above ``nameCountMax``.
func attributeValue(_ name: [UInt8]) throws(CommandFailure) -> AttributeValue {
  guard name.count <= nameCountMax else {
    throw CommandFailure(
      .refused, "a service or account has more than \(nameCountMax) bytes", hint: "use a shorter name")
  }
  return String(validating: name, as: UTF8.self).map { .text($0) } ?? .data(name)
}

extension Invocation {
  /// The attributes that the operands SERVICE and ACCOUNT give, as many as there are.
  func names() throws(CommandFailure) -> [Attribute: AttributeValue] {
    var names: [Attribute: AttributeValue] = [:]
    for (attribute, operand) in zip([Attribute.service, .account], operands) {
      names[attribute] = try attributeValue(operand)
    }
    return names
  }
}

/// A query for generic passwords with these names, synchronizable or not: what `list` shows can be read and removed.
func itemQuery(
  _ names: [Attribute: AttributeValue], limit: ItemQuery.Limit = .count(1), wantsSecret: Bool = false
) -> ItemQuery {
  var query = ItemQuery(.genericPassword, names, limit: limit, wantsSecret: wantsSecret)
  query.synchronizable = .any
  return query
}

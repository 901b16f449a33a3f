internal import ThumbturnKeychain

extension Command {
  /// `show`: the attributes of an item. Its secret is not even opened.
  static func show(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let caller = try invocation.caller(in: context)
    let item = try findOne(try invocation.selection(), for: caller, in: context)
    var out = try SecretOutput(context.output)
    if invocation.options.contains(.json) { try out.putObject(item) } else { try out.putRows(item) }
    try out.flush()
  }
}

extension FoundItem {
  /// Every attribute with its name: those of the table in its order, then those that are newer.
  fileprivate var shown: [(attribute: Attribute, name: String, value: AttributeValue)] {
    var shown: [(Attribute, String, AttributeValue)] = []
    for (attribute, name) in AttributeName.table {
      if let value = attributes[attribute] { shown.append((attribute, name, value)) }
    }
    var others: [(Attribute, AttributeValue)] = []
    for (attribute, value) in attributes where !AttributeName.table.contains(where: { $0.attribute == attribute }) {
      others.append((attribute, value))
    }
    others.sort { $0.0.rawValue < $1.0.rawValue }
    return shown + others.map { ($0.0, attributeName($0.0), $0.1) }
  }
}

extension SecretOutput {
  fileprivate mutating func putRows(_ item: FoundItem) throws(CommandFailure) {
    var rows: [(String, [UInt8])] = [("class", Array(item.itemClass.longName.utf8))]
    if let address = InternetAddress(item) { rows.append(("url", Array(address.text().utf8))) }
    for (attribute, name, value) in item.shown { rows.append((name, text(value, of: attribute))) }
    rows.append(("protectionClass", Array(item.protectionClass.name.utf8)))
    if let text = item.accessControl?.requirementText { rows.append(("requires", Array(text.utf8))) }
    rows.append(("synchronizable", Array((item.isSynchronizable ? "yes" : "no").utf8)))
    rows.append(("reference", hexadecimal(item.reference)))
    let width = rows.map { $0.0.utf8.count }.max() ?? 0
    for (name, value) in rows {
      try put(name + String(repeating: " ", count: width - name.utf8.count + 2))
      try put(escaped(value.span).span)
      try put("\n")
    }
  }

  /// What a person reads: data that is no name as hexadecimal digits.
  private func text(_ value: AttributeValue, of attribute: Attribute) -> [UInt8] {
    switch value {
    case .date(let seconds): return Array((dateText(secondsSince2001: seconds) ?? "-").utf8)
    case .data(let bytes):
      if case .blob? = AttributeDefinition.of(attribute)?.kind { return bytes }
      return hexadecimal(bytes)
    case .text, .number: return value.nameBytes
    }
  }

  fileprivate mutating func putObject(_ item: FoundItem) throws(CommandFailure) {
    try put("{\n  ")
    try putMember("class", Array(item.itemClass.longName.utf8).span)
    if let address = InternetAddress(item) { try putNext("url", .text(address.text()), separator: ",\n  ") }
    for (_, name, value) in item.shown { try putNext(name, value, separator: ",\n  ") }
    try putNext("protectionClass", .text(item.protectionClass.name), separator: ",\n  ")
    if let text = item.accessControl?.requirementText { try putNext("requires", .text(text), separator: ",\n  ") }
    try put(",\n  \"synchronizable\":\(item.isSynchronizable)")
    let reference = String(decoding: hexadecimal(item.reference), as: UTF8.self)
    try putNext("reference", .text(reference), separator: ",\n  ")
    try put("\n}\n")
  }
}

internal import ThumbturnKeychain

// How attributes of an item are shown: `list`, `show` and `get --json`.

extension AttributeValue {
  /// What is shown of it as a name.
  var nameBytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .number(let number): Array(String(number).utf8)
    case .date(let seconds): Array(String(seconds).utf8)
    }
  }
}

extension FoundItem {
  /// A date in UTC.
  func date(_ attribute: Attribute) -> String? {
    guard case .date(let seconds)? = attributes[attribute] else { return nil }
    return dateText(secondsSince2001: seconds)
  }

  /// The attributes that name an item of this class, in the order in which they are shown.
  fileprivate var namesShown: [Attribute] {
    switch itemClass {
    case .genericPassword: [.service, .account]
    case .internetPassword: [.protocol, .server, .port, .path, .account]
    case .certificate: [.label, .serialNumber]
    case .key: [.label, .applicationLabel, .applicationTag]
    }
  }
}

/// Bytes as hexadecimal digits.
func hexadecimal(_ bytes: [UInt8]) -> [UInt8] { bytes.flatMap { hexadecimal(UInt32($0), digits: 2) } }

extension SecretOutput {
  /// The members `class`, `url` and names of an item, with commas between them.
  mutating func putNames(of item: FoundItem) throws(CommandFailure) {
    try putMember("class", Array(item.itemClass.longName.utf8).span)
    if let address = InternetAddress(item) {
      try put(",")
      try putMember("url", Array(address.text().utf8).span)
    }
    for attribute in item.namesShown { try putNext(attributeName(attribute), item.attributes[attribute]) }
  }

  /// A comma and a member, when there is a value: text, base64 of data, a number, or a date as text.
  mutating func putNext(
    _ name: String, _ value: AttributeValue?, separator: String = ","
  ) throws(CommandFailure) {
    guard let value else { return }
    try put(separator)
    switch value {
    case .text(let text): try putMember(name, Array(text.utf8).span)
    case .data(let bytes): try putBase64Member(name, bytes.span)
    case .number(let number):
      try putName(name)
      try put(String(number))
    case .date(let seconds):
      try putName(name)
      if let date = dateText(secondsSince2001: seconds) { try putJSON(date) } else { try put("null") }
    }
  }
}

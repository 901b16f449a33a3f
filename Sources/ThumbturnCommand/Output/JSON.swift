internal import ThumbturnCrypto

// JSON by hand: a library's encoder would copy the secret into strings.
extension SecretOutput {
  /// A string.
  ///
  /// `bytes` must be valid UTF-8.
  mutating func putJSON(_ bytes: Span<UInt8>) throws(CommandFailure) {
    try put(UInt8(ascii: "\""))
    var index = 0
    while index < bytes.count {
      guard let (scalar, size) = bytes.scalar(at: index) else { preconditionFailure("text that was checked") }
      switch scalar {
      case 0x22: try put("\\\"")
      case 0x5c: try put("\\\\")
      case 0x08: try put("\\b")
      case 0x09: try put("\\t")
      case 0x0a: try put("\\n")
      case 0x0c: try put("\\f")
      case 0x0d: try put("\\r")
      case _ where isUnsafeToShow(scalar): try putEscape(scalar)
      default: for offset in 0..<size { try put(bytes[index + offset]) }
      }
      index += size
    }
    try put(UInt8(ascii: "\""))
  }

  mutating func putJSON(_ text: String) throws(CommandFailure) { try putJSON(Array(text.utf8).span) }

  /// A member whose value is `bytes`: `"name":"text"`, or `"nameBase64":"…"` when they are not valid UTF-8.
  mutating func putMember(_ name: String, _ bytes: Span<UInt8>) throws(CommandFailure) {
    if bytes.isText {
      try putName(name)
      try putJSON(bytes)
    } else {
      try putBase64Member(name, bytes)
    }
  }

  /// A member `"nameBase64":"…"`.
  mutating func putBase64Member(_ name: String, _ bytes: Span<UInt8>) throws(CommandFailure) {
    try putName(name + "Base64")
    try put(UInt8(ascii: "\""))
    // A multiple of 3, so that only the last piece is padded; its text fits a slot of locked memory.
    let pieceCount = 2_304
    var done = 0
    while done < bytes.count {
      let end = min(bytes.count, done + pieceCount)
      do {
        let text = try base64(bytes.extracting(done..<end))
        try put(text.bytes)
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw .outOfSecretMemory
      }
      done = end
    }
    try put(UInt8(ascii: "\""))
  }

  /// `"name":`, in front of a value.
  mutating func putName(_ name: String) throws(CommandFailure) {
    try putJSON(name)
    try put(UInt8(ascii: ":"))
  }

  /// `\uNNNN`, two of them above U+FFFF.
  private mutating func putEscape(_ scalar: UInt32) throws(CommandFailure) {
    if scalar > 0xffff {
      let rest = scalar - 0x10000
      try putEscape(0xd800 + rest >> 10)
      try putEscape(0xdc00 + rest & 0x3ff)
    } else {
      try put("\\u")
      try put(hexadecimal(scalar, digits: 4).span)
    }
  }
}

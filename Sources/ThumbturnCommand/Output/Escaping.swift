/// Text with everything escaped that a terminal could take for more than a character: control and direction characters
/// as `\u{…}`, bytes that are no UTF-8 as `\xNN`, the backslash twice.
///
/// For names and paths; a secret never passes through here.
func escaped(_ bytes: Span<UInt8>) -> [UInt8] {
  var out: [UInt8] = []
  out.reserveCapacity(bytes.count)
  var index = 0
  while index < bytes.count {
    guard let (scalar, size) = bytes.scalar(at: index) else {
      out += Array("\\x".utf8) + hexadecimal(UInt32(bytes[index]), digits: 2)
      index += 1
      continue
    }
    switch scalar {
    case 0x5c: out += Array("\\\\".utf8)
    case 0x09: out += Array("\\t".utf8)
    case 0x0a: out += Array("\\n".utf8)
    case 0x0d: out += Array("\\r".utf8)
    case _ where isUnsafeToShow(scalar):
      out += Array("\\u{\(String(scalar, radix: 16))}".utf8)
    default:
      for offset in 0..<size { out.append(bytes[index + offset]) }
    }
    index += size
  }
  return out
}

/// The same for text of ours that may hold a path.
///
/// A backslash stays as it is: the text is for people only.
func escaped(_ text: String) -> String {
  var out = ""
  for scalar in text.unicodeScalars {
    if isUnsafeToShow(scalar.value) {
      out += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      out.unicodeScalars.append(scalar)
    }
  }
  return out
}

/// The lowest `digits` hexadecimal digits of a number, in lower case.
func hexadecimal(_ value: UInt32, digits: Int) -> [UInt8] {
  let table = Array("0123456789abcdef".utf8)
  return (1...digits).map { table[Int(value >> UInt32(4 * (digits - $0)) & 0xf)] }
}

/// A path as a word for the shell.
func shellWord(_ path: String) -> String {
  let isPlain = path.utf8.allSatisfy {
    switch $0 {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"),
      UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
  if isPlain, !path.isEmpty { return path }
  return "'" + path.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

/// One line of strace's record: PROCESS NAME(ARGUMENTS) = ANSWER, with all texts in hexadecimal.
struct TracedCall {
  let name: Substring
  let arguments: [Substring]
  /// What the kernel answered; -1 is a failure.
  let answer: Int

  /// Nil for a line that is no call: a signal, or the end of the process.
  init?(_ line: ArraySlice<UInt8>) {
    let text = Substring(decoding: line, as: UTF8.self)
    guard let open = text.utf8.firstIndex(of: UInt8(ascii: "(")), let close = text.lastIndex(of: ")"),
      text[close...].hasPrefix(") ") || text[close...].contains("="), let equal = text.lastIndex(of: "="), open < close
    else { return nil }
    name = text[..<open].split(separator: " ").last ?? ""
    arguments = text[text.index(after: open)..<close].split(separator: ", ", omittingEmptySubsequences: false)
    let words = text[text.index(after: equal)...].split(separator: " ")
    answer = words.first.flatMap { Int($0) } ?? -1
  }

  func number(_ index: Int) throws -> Int {
    guard arguments.indices.contains(index), let number = Int(arguments[index]) else {
      throw Fault("the record of \(name) has no number at \(index)")
    }
    return number
  }

  /// The bytes of a text argument, which must be whole.
  func text(_ index: Int, count: Int? = nil) throws -> [UInt8] {
    let text = arguments[index]
    guard text.hasPrefix("\""), text.hasSuffix("\"") else { throw Fault("the record of \(name) is cut short") }
    let digits = Array(text.utf8.dropFirst().dropLast())
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4)
    // Each byte is a backslash, an x and two digits.
    for at in stride(from: 0, to: digits.count, by: 4) {
      bytes.append(Self.digit(digits[at + 2]) << 4 | Self.digit(digits[at + 3]))
    }
    guard bytes.count >= count ?? 0 else { throw Fault("the record of \(name) is cut short") }
    return count.map { Array(bytes.prefix($0)) } ?? bytes
  }

  private static func digit(_ character: UInt8) -> UInt8 {
    character < UInt8(ascii: "a") ? character - UInt8(ascii: "0") : character - UInt8(ascii: "a") + 10
  }
}

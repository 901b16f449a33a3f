import Foundation

extension String {
  /// Without blanks and line ends at either end.
  var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}

/// Base64 as property lists hold it: blanks are allowed anywhere.
enum Base64 {
  static func decode(_ text: String) -> [UInt8]? {
    Data(base64Encoded: String(text.filter { !$0.isWhitespace })).map(Array.init)
  }
}

import Testing
import ThumbturnCrypto

@testable import ThumbturnCommand

@Suite("A typed line")
struct PromptLineTests {
  enum Result: Hashable {
    case secret([UInt8])
    case failure(CommandFailure)
    case cancelled
    case open
  }

  private static func type(_ bytes: [UInt8]) throws -> Result {
    var line = try PromptLine()
    for byte in bytes {
      switch line.receive(byte) {
      case .more: continue
      case .cancelled: return .cancelled
      case .ended:
        do throws(CommandFailure) {
          return .secret(content(try line.secret()))
        } catch {
          return .failure(error)
        }
      }
    }
    return .open
  }

  @Test(
    "ends, is edited and is refused byte by byte",
    arguments: [
      ("abc\n", .secret(Array("abc".utf8))),
      ("abc\r", .secret(Array("abc".utf8))),
      ("abc\u{4}", .secret(Array("abc".utf8))),
      (" a b\t\n", .secret(Array(" a b\t".utf8))),
      ("abc", .open),
      ("\n", .failure(.emptyPrompt)),
      ("\u{4}", .failure(.emptyPrompt)),
      ("ab\u{7f}\u{8}\n", .failure(.emptyPrompt)),
      ("abc\u{7f}d\n", .secret(Array("abd".utf8))),
      ("\u{7f}a\n", .secret(Array("a".utf8))),
      ("aé😀\u{7f}\u{7f}\n", .secret(Array("a".utf8))),
      ("wrong\u{15}right\n", .secret(Array("right".utf8))),
      ("abc\u{3}", .cancelled),
      ("\u{1b}[Aabc\n", .failure(.controlCharacter)),
      ("a\u{0}b\n", .failure(.controlCharacter)),
      ("a\u{1a}\n", .failure(.controlCharacter)),
      ("a\u{1b}[A\u{15}b\n", .secret(Array("b".utf8))),
    ] as [(String, Result)])
  func typed(text: String, expected: Result) throws { #expect(try Self.type(Array(text.utf8)) == expected) }

  @Test("may be bytes that are no text")
  func bytes() throws { #expect(try Self.type([0xff, 0x80, 0x0a]) == .secret([0xff, 0x80])) }

  @Test("has a limit, and is read to its end above it")
  func limit() throws {
    let most = [UInt8](repeating: 0x61, count: PromptLine.countMax)
    #expect(try Self.type(most + [0x0a]) == .secret(most))
    #expect(try Self.type(most + [0x61]) == .open)
    #expect(try Self.type(most + [0x61, 0x62, 0x0a]) == .failure(.promptTooLong))
  }
}

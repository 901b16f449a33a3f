import Foundation
import Testing

@Suite("Idioms of public code")
struct IdiomsTests {
  @Test("each of them compiles in Swift 6 mode, runs and is right")
  func idioms() throws {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let process = Process()
    let pipe = Pipe()
    process.executableURL = folder.appendingPathComponent("SourceCompatibilityIdioms")
    process.standardOutput = pipe
    try process.run()
    // It has an end of its own: every call ends in bounded time.
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(output.hasSuffix("ALL OK\n"), "\(output.split(separator: "\n").filter { !$0.hasPrefix("ok") })")
  }
}

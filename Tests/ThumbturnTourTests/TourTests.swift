internal import Foundation
internal import Testing

@Suite("The tour")
struct TourTests {
  @Test("everything holds, and the scratch folder is gone afterwards")
  func tour() throws {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let temporary = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: temporary) }
    let process = Process()
    let pipe = Pipe()
    process.executableURL = folder.appendingPathComponent("thumbturn-tour")
    var environment = ProcessInfo.processInfo.environment
    environment["TMPDIR"] = temporary.path
    process.environment = environment
    process.standardOutput = pipe
    try process.run()
    // Every wait inside the tour has an end, so this one has.
    let output = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 0, "\(output)")
    for number in 1...8 { #expect(output.contains("\n\(number). ")) }
    #expect(output.contains("half-written 0"))
    #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path).isEmpty)
  }
}

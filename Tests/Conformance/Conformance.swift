internal import ConformanceCases
internal import Foundation
internal import TestFixtures

/// Runs a file of cases through the real functions: `Conformance FILE [local|memory|agent|fprintd]`, or `make conformance`.
@main
enum Conformance {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst()
    guard let path = arguments.first, arguments.count <= 2 else {
      fail("Conformance FILE [local|memory|agent|fprintd]")
    }
    let name = arguments.dropFirst().first ?? "local"
    guard let backend = CaseBackend(rawValue: name) else {
      fail("unknown backend \(name): local, memory, agent or fprintd")
    }
    guard backend.isBuilt else { fail("the backend \(name) is not built") }
    guard let file = FileManager.default.contents(atPath: path) else { fail("\(path) cannot be read") }
    guard let scratch = try? ScratchFolder("conformance") else { fail("no scratch folder can be made") }

    let runner = CaseRunner(over: backend, scratch: scratch.path)
    var passedCount = 0
    var failedCount = 0
    for one in ConformanceCase.all(in: file) {
      if let failure = runner.run(one) {
        failedCount += 1
        print("FAILED \(failure)")
      } else {
        passedCount += 1
      }
    }
    print("\(passedCount) passed, \(failedCount) failed")
    // `exit` lets nothing go by itself.
    try? FileManager.default.removeItem(atPath: scratch.path)
    // A file without cases shows nothing.
    exit(failedCount == 0 && passedCount > 0 ? 0 : 1)
  }

  private static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("thumbturn: error: \(reason)\n".utf8))
    exit(2)
  }
}

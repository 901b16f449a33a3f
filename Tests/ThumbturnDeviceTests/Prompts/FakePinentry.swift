import Foundation
import Glibc

@testable import ThumbturnDevice

/// A pinentry of a test's own, which does what the test says, and writes down what it was told.
final class FakePinentry: Sendable {
  let path: String
  private let folder: ScratchPath
  private var logPath: String { folder.path + "/log" }

  /// - Parameters:
  ///   - question: Python: what it does when it is asked, with the command in `line`. Nothing of it is indented.
  ///   - before: Python that runs first of all.
  ///   - serve: Python that runs then.
  init(_ question: String, before: String = "pass", serve: String = "serve()", suffix: String = "") throws {
    folder = try ScratchPath()
    path = folder.path + "/pinentry" + suffix
    let indented = question.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    let text = """
      #!/usr/bin/python3 -ESs
      import os, signal, sys, time
      def log(text):
        with open("\(folder.path)/log", "a") as file: file.write(text + "\\n")
      def say(text): os.write(1, text if isinstance(text, bytes) else text.encode())
      log("pid %d" % os.getpid())
      \(before)
      def asked(line):
      \(indented)
      def serve(ok="OK\\n"):
        say("OK ready\\n")
        for line in os.fdopen(0, "rb", 0, closefd=False):
          line = line.decode()[:-1]
          log("> " + line)
          if line.startswith(("GETPIN", "CONFIRM")): asked(line)
          elif line == "BYE":
            say("OK closing\\n")
            return
          else: say(ok)
      \(serve)

      """
    try Self.writeProgram(text, path)
  }

  /// Writes a program by another process. A program that this one had open for writing cannot be run as long as a child of
  /// another test, between its start and its own program, holds a copy of the descriptor.
  static func writeProgram(_ text: String, _ path: String) throws {
    let draft = path + ".draft"
    try text.write(toFile: draft, atomically: false, encoding: .utf8)
    let install = Process()
    install.executableURL = URL(filePath: "/usr/bin/install")
    install.arguments = ["-m", "755", draft, path]
    try install.run()
    install.waitUntilExit()
    guard install.terminationStatus == 0 else { throw Service.Failure(description: "no fake pinentry") }
  }

  /// What it wrote down.
  var log: [String] {
    let text = (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? ""
    return text.split(separator: "\n").map(String.init)
  }

  /// What it was told.
  var commands: [String] { log.filter { $0.hasPrefix("> ") }.map { String($0.dropFirst(2)) } }

  /// What follows a word that it wrote down.
  func noted(_ word: String) -> String? {
    log.first { $0.hasPrefix(word + " ") }.map { String($0.dropFirst(word.count + 1)) }
  }

  /// Its processes that run, or that this process has not waited for. Its children, which this process cannot wait for,
  /// get a moment to die of their signal.
  var processesLeft: [Int32] {
    let numbers = log.compactMap { $0.hasPrefix("pid ") ? Int32($0.dropFirst(4)) : nil }
    var left = numbers.filter(Self.isLeft)
    for _ in 0..<200 where !left.isEmpty && left.first != numbers.first {
      usleep(5_000)
      left = numbers.filter(Self.isLeft)
    }
    return left
  }

  private static func isLeft(_ number: Int32) -> Bool {
    guard let text = try? String(contentsOfFile: "/proc/\(number)/stat", encoding: .utf8) else { return false }
    let fields = text.split(separator: ")").last?.split(separator: " ") ?? []
    return fields.count > 1 && (fields[0] != "Z" || fields[1] == "\(getpid())")
  }

  /// A prompter that knows this one alone.
  func prompter(_ change: (inout SystemPrompter.Surroundings) -> Void = { _ in }) -> SystemPrompter {
    var surroundings = SystemPrompter.Surroundings()
    surroundings.programs = [path]
    surroundings.programsMayBelongToAnyone = true
    surroundings.variable = { _ in nil }
    change(&surroundings)
    return SystemPrompter(surroundings)
  }
}

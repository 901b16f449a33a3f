import TestFixtures
import Foundation
import ThumbturnKeychain
import ThumbturnTestSupport
import ThumbturnVault

/// Random calls over both backends, held against a model of the rules. `make model` runs 100,000 sequences.
///
///     Model [--count N] [--seed S] [--first N] [--lanes N] [--no-self-test]
@main
enum Model {
  private static let stepCount = 12
  /// A vault is emptied between sequences, and made anew after so many.
  private static let vaultUses = 250

  static func main() {
    var options = ["--count": 2_000, "--seed": 0, "--first": 0, "--lanes": 1]
    options["--seed"] = Int(UInt32.random(in: 1 ... .max))
    var arguments = Array(CommandLine.arguments.dropFirst())
    var testsItself = true
    while !arguments.isEmpty {
      let name = arguments.removeFirst()
      if name == "--no-self-test" {
        testsItself = false
      } else if options[name] != nil, !arguments.isEmpty, let value = Int(arguments.removeFirst()), value >= 0 {
        options[name] = value
      } else {
        fail("Model [--count N] [--seed S] [--first N] [--lanes N] [--no-self-test]")
      }
    }
    let (count, seed) = (options["--count", default: 0], options["--seed", default: 0])
    let (first, lanes) = (options["--first", default: 0], max(1, options["--lanes", default: 1]))
    if testsItself { selfTest(seed: seed) }
    say("model: seed \(seed), sequences \(first) to \(first + count - 1)")
    if lanes > 1 { run(lanes: lanes, seed: seed, first: first, count: count) } else { run(seed, first, count) }
    say("model: seed \(seed), \(count) sequences of \(stepCount) calls, no difference")
  }

  /// The four functions have one backend for the whole process, so that every lane is a process.
  private static func run(lanes: Int, seed: Int, first: Int, count: Int) {
    var children: [Process] = []
    for lane in 0..<lanes {
      let from = first + count * lane / lanes
      let child = Process()
      child.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      child.arguments = ["--no-self-test", "--seed", "\(seed)", "--first", "\(from)"]
      child.arguments? += ["--count", "\(first + count * (lane + 1) / lanes - from)"]
      do { try child.run() } catch { fail("a lane does not start") }
      children.append(child)
    }
    for child in children { child.waitUntilExit() }
    guard children.allSatisfy({ $0.terminationStatus == 0 }) else { fail("a lane failed") }
  }

  private static func run(_ seed: Int, _ first: Int, _ count: Int) {
    guard let scratch = try? ScratchFolder("model") else { fail("no scratch folder can be made") }
    defer { try? FileManager.default.removeItem(atPath: scratch.path) }
    var memory = Driver("memory", MemoryBackend())
    var done = 0
    while done < count {
      let home = "\(scratch.path)/vault-\(done)"
      let vault = LocalBackend(location: VaultLocation(home: home))
      var drivers = [memory, Driver("local", vault)]
      for _ in 0..<min(vaultUses, count - done) {
        if let difference = difference(seed, first + done, nil, &drivers) {
          say(difference)
          try? FileManager.default.removeItem(atPath: scratch.path)
          fail("a difference; again with: Model --no-self-test --seed \(seed) --first \(first + done) --count 1")
        }
        done += 1
      }
      memory = drivers[0]
      vault.close()
      try? FileManager.default.removeItem(atPath: home)
      if done % (vaultUses * 20) == 0 { say("model: \(done) of \(count) from \(first)") }
    }
  }

  /// One sequence, and at its end everything that is there; the first difference in words.
  private static func difference(
    _ seed: Int, _ sequence: Int, _ flaw: Oracle.Flaw?, _ drivers: inout [Driver]
  ) -> String? {
    var oracle = Oracle(flaw: flaw)
    var generator = Generator(random: Random(seed: UInt64(seed), sequence: sequence))
    var steps: [Step] = []
    for index in drivers.indices {
      if let reason = drivers[index].empty() { return "\(drivers[index].name): \(reason)" }
    }
    let everything: [Step] =
      [.groups(["G1", "G2"])]
      + Generator.classes.map { itemClass in
        .find([
          "class": .text(itemClass), "sync": .text("syna"), "m_Limit": .text("m_LimitAll"), "r_Data": .boolean(true),
          "r_Attributes": .boolean(true),
        ])
      }
    for number in 0..<stepCount + everything.count {
      let step = number < stepCount ? generator.step(oracle) : everything[number - stepCount]
      steps.append(step)
      let answer = oracle.answer(step)
      for index in drivers.indices {
        guard let reason = drivers[index].difference(step, answer) else { continue }
        let list = steps.enumerated().map { "  \($0 + 1). \($1)" }.joined(separator: "\n")
        return "model: sequence \(sequence) over \(drivers[index].name), step \(number + 1): \(reason)\n\(list)"
      }
    }
    return nil
  }

  /// Every flaw that is planted in the model must be seen as a difference.
  private static func selfTest(seed: Int) {
    var drivers = [Driver("memory", MemoryBackend())]
    for flaw in Oracle.Flaw.allCases {
      let seen = (0..<4_000).first { difference(seed, $0, flaw, &drivers) != nil }
      // Without the flaw there must be none.
      guard let seen, difference(seed, seen, nil, &drivers) == nil else {
        fail("self-test, seed \(seed): the planted flaw \(flaw.rawValue) was not seen, or is none")
      }
    }
    say("model: \(Oracle.Flaw.allCases.count) planted flaws, each seen")
  }

  /// Written at once: the lanes share one output.
  private static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

  private static func fail(_ reason: String) -> Never {
    FileHandle.standardError.write(Data("thumbturn: error: \(reason)\n".utf8))
    exit(1)
  }
}

import Foundation
import Synchronization

/// One run over one folder: what was found, and what could not be read.
public struct AuditResult: Sendable {
  /// Sorted by path, line and rule.
  public var findings: [Finding]
  /// What was left out, and why.
  public var notes: [Note]
  /// Source files that were looked at.
  public var fileCount: Int
}

/// Runs rules over a project.
struct Audit {
  var rules: [any Rule]
  var cache: ObservationCache?
  /// Called with how many files are done, and of how many; from any thread.
  var progress: (@Sendable (Int, Int) -> Void)?

  func run(_ project: Project) -> AuditResult {
    let units = Set(
      project.targets.filter { $0.kind != .test }.flatMap { target in
        target.sources.map { Unit(file: $0, conditions: target.conditions) }
      }
    ).sorted { ($0.file.path, $0.conditions.sorted().joined()) < ($1.file.path, $1.conditions.sorted().joined()) }
    let seen = Inspection(rules: rules, root: project.root, cache: cache, progress: progress).run(units)
    let observed = project.targets.map { placed(in: $0, seen) }
    var findings: [Finding] = []
    for (index, target) in project.targets.enumerated() where target.kind != .test {
      var linked = observed[index]
      var carried = observed[index]
      if target.isBundle || target.kind == .framework {
        for (other, library) in project.targets.enumerated() where library.isLinkedStatically {
          guard project.links(target, library.name) else { continue }
          linked.merge(observed[other]) { $0 + $1 }
          if library.manifests.isEmpty { carried.merge(observed[other]) { $0 + $1 } }
        }
      }
      let audited = AuditedTarget(
        target: target, project: project, observations: observed[index], linked: linked, carried: carried)
      for rule in rules { findings += rule.findings(in: audited).map { Self.weighed($0, target) } }
    }
    return AuditResult(
      findings: Self.unique(findings), notes: project.notes + seen.notes, fileCount: units.count)
  }

  private func placed(in target: Target, _ seen: Inspection.Seen) -> [String: [PlacedObservation]] {
    var observations: [String: [PlacedObservation]] = [:]
    for file in target.sources {
      for observation in seen.observations[Unit(file: file, conditions: target.conditions)] ?? [] {
        observations[observation.rule, default: []].append(PlacedObservation(path: file.path, observation: observation))
      }
    }
    return observations
  }

  /// What the App Store holds against the app wherever it comes from; the rest of vendored code is others' to mend.
  private static let kindsOfVendored: Set<Kind> = [.requiredReason, .manifest, .sdk, .usageDescription]

  private static func weighed(_ finding: Finding, _ target: Target) -> Finding {
    guard target.isVendored, !kindsOfVendored.contains(finding.kind) else { return finding }
    var finding = finding
    finding.severity = .note
    return finding
  }

  /// A file in two targets gives one finding, not two.
  private static func unique(_ findings: [Finding]) -> [Finding] {
    struct Key: Hashable {
      var rule: String, path: String, message: String
      var line: Int
    }
    var known: Set<Key> = []
    return findings.filter {
      known.insert(Key(rule: $0.rule, path: $0.path, message: $0.message, line: $0.line)).inserted
    }.sorted { ($0.path, $0.line, $0.rule, $0.message) < ($1.path, $1.line, $1.rule, $1.message) }
  }
}

/// A file as one target compiles it.
struct Unit: Hashable, Sendable {
  var file: SourceFile
  var conditions: Set<String>
}

/// Looks at files on as many threads as there are processors. One file per thread is in memory at a time.
struct Inspection {
  let rules: [any Rule]
  let root: String
  let cache: ObservationCache?
  let progress: (@Sendable (Int, Int) -> Void)?

  /// Deep expressions need a deep stack: what `ParserLimits` lets pass takes up to half of it. Untouched pages cost nothing.
  private static let stackBytes = 512 << 20
  /// Larger files are looked at one after another, so that the memory does not grow with the processors.
  private static let smallBytesMax = 256 << 10
  private static let large = Mutex(())

  struct Seen: Sendable {
    var observations: [Unit: [Observation]] = [:]
    var notes: [Note] = []
  }

  func run(_ units: [Unit]) -> Seen {
    // Targets with other conditions compile a file anew; it is read once.
    let groups = Dictionary(grouping: units, by: \.file.path).values.sorted { $0[0].file.path < $1[0].file.path }
    let next = Mutex(0)
    let seen = Mutex(Seen())
    let done = DispatchGroup()
    let all = self
    for _ in 0..<max(1, min(ProcessInfo.processInfo.activeProcessorCount, groups.count)) {
      done.enter()
      let thread = Thread {
        var index = WordIndex(all.rules.map(\.words))
        while true {
          let number = next.withLock { value in
            defer { value += 1 }
            return value
          }
          guard number < groups.count else { break }
          let (observations, notes) = all.look(at: groups[number], &index)
          seen.withLock {
            $0.observations.merge(observations) { $1 }
            $0.notes += notes
          }
          all.progress?(number + 1, groups.count)
        }
        done.leave()
      }
      thread.stackSize = Self.stackBytes
      thread.start()
    }
    done.wait()
    return seen.withLock {
      $0.notes.sort { ($0.path, $0.message) < ($1.path, $1.message) }; return $0
    }
  }

  /// - Parameter units: The same file with the conditions of each target.
  private func look(at units: [Unit], _ index: inout WordIndex) -> ([Unit: [Observation]], [Note]) {
    guard let unit = units.first else { return ([:], []) }
    let path = unit.file.path
    switch ProjectFiles.read(root + "/" + path) {
    case .failure(let failure): return ([:], [Note(path: path, message: failure.reason)])
    case .success(let raw):
      let bytes = Text.utf8(raw)
      var notes: [Note] = []
      if unit.file.language == .swift, String(validating: bytes, as: UTF8.self) == nil {
        notes.append(Note(path: path, message: "not UTF-8: what cannot be read is replaced"))
      }
      // Conditions that the file does not ask for change nothing.
      let asks = unit.file.language == .swift && bytes.contains(Array("#if".utf8))
      var known: [Set<String>: [Observation]] = [:]
      var all: [Unit: [Observation]] = [:]
      do throws(ReadFailure) {
        for unit in units {
          let conditions = asks ? Set(unit.conditions.filter { bytes.contains(Array($0.utf8)) }) : []
          if known[conditions] == nil {
            known[conditions] = try observations(in: bytes, unit, conditions, &index)
          }
          if let seen = known[conditions], !seen.isEmpty { all[unit] = seen }
        }
      } catch {
        notes.append(Note(path: path, message: error.reason + ": left out"))
      }
      return (all, notes)
    }
  }

  private func observations(
    in bytes: [UInt8], _ unit: Unit, _ conditions: Set<String>, _ index: inout WordIndex
  ) throws(ReadFailure) -> [Observation] {
    let key = cache.map { $0.key(bytes, conditions, unit.file.language) }
    if let key, let kept = cache?.observations(for: key) { return kept }
    let observations = try inspect(bytes, unit, conditions, &index)
    if let key { cache?.keep(observations, for: key) }
    return observations
  }

  private func inspect(
    _ bytes: [UInt8], _ unit: Unit, _ conditions: Set<String>, _ index: inout WordIndex
  ) throws(ReadFailure) -> [Observation] {
    let interest = index.interested(in: bytes)
    let interested = interest.rules.sorted().map { rules[$0] }
    guard !interested.isEmpty else { return [] }
    var source = bytes
    if unit.file.language == .swift {
      let reach = interested.map(\.reach).max() ?? .file
      if reach < .file { source = Thinning.thinned(bytes, keeping: interest.places, andCallers: reach == .callers) }
      if let problem = ParserLimits.problem(of: source) { throw ReadFailure(reason: problem) }
    }
    guard source.count > Self.smallBytesMax else { return try show(source, unit, conditions, to: interested) }
    let result = Self.large.withLock { _ in
      Result { () throws(ReadFailure) in try show(source, unit, conditions, to: interested) }
    }
    return try result.get()
  }

  private func show(
    _ source: [UInt8], _ unit: Unit, _ conditions: Set<String>, to interested: [any Rule]
  ) throws(ReadFailure) -> [Observation] {
    var notebook = Notebook()
    switch unit.file.language {
    case .swift:
      SwiftInspector.inspect(
        source, path: unit.file.path, conditions: conditions, rules: interested, into: &notebook)
    case .objectiveC:
      let source = CSource(path: unit.file.path, bytes: source)
      if source.isCutOff { throw ReadFailure(reason: "more than \(CLexer.tokenCountMax) tokens") }
      for rule in interested {
        notebook.rule = rule.about.id
        rule.observe(source, into: &notebook)
      }
    }
    return notebook.observations
  }
}

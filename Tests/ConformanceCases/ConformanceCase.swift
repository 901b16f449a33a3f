public import Foundation

/// One line of a file of cases: calls, and what each must answer.
public struct ConformanceCase: Sendable {
  /// Its name, or `line N` where the line cannot be read.
  public let id: String
  /// The rule that it tests, in words.
  public let rule: String
  /// Why it cannot run; it fails then.
  let problem: String?
  let steps: [[String: JSON]]

  /// Every line of a file; an empty one is passed over.
  public static func all(in file: Data) -> [ConformanceCase] {
    var cases: [ConformanceCase] = []
    for (index, line) in file.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
      guard line.contains(where: { $0 != 0x20 && $0 != 0x0D && $0 != 0x09 }) else { continue }
      cases.append(ConformanceCase(line: Data(line), number: index + 1))
    }
    return cases
  }

  private init(line: Data, number: Int) {
    var id = "line \(number)"
    var rule = ""
    do {
      guard case .object(let object) = try JSONDecoder().decode(JSON.self, from: line) else {
        throw Problem("the line is no object")
      }
      id = try object.text("id")
      rule = try object.text("rule")
      try object.expectOnly(["id", "kind", "source", "basis", "rule", "steps"], in: "the case")
      guard case .array(let list)? = object["steps"], !list.isEmpty else { throw Problem("there are no steps") }
      var steps: [[String: JSON]] = []
      for step in list {
        guard case .object(let step) = step else { throw Problem("a step is no object") }
        steps.append(step)
      }
      self.steps = steps
      problem = nil
    } catch let error as Problem {
      steps = []
      problem = error.text
    } catch {
      steps = []
      problem = "the line is no JSON"
    }
    self.id = id
    self.rule = rule
  }
}

extension ConformanceCase {
  /// What a case asks for beyond four calls over items that are never locked, read from its own keys and values.
  public enum Need: String, Comparable, CaseIterable, Sendable {
    /// Certificates, keys and identities as objects.
    case references = "Sec… objects"
    case lockStates = "lock states"
    case passcode
    case authentication
    case enrolment
    /// An access control with conditions.
    case constraints
    /// Somebody who is asked, and answers.
    case prompts
    /// An LAContext that says something.
    case contexts = "an LAContext"

    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }

  /// Cases in which a call ends as somebody answers a prompt; that a call asks cannot be read from its keys.
  private static let prompting: Set = ["auth-03", "auth-04", "auth-14", "auth-15"]

  /// What this case needs; none at all means that every backend must pass it.
  public var needs: Set<Need> {
    var needs: Set<Need> = Self.prompting.contains(id) ? [.prompts] : []
    for step in steps {
      if case .object(let set)? = step["set"] {
        for key in set.keys {
          switch key {
          case "lock": needs.insert(.lockStates)
          case "passcode": needs.insert(.passcode)
          case "auth": needs.insert(.authentication)
          case "biometryEnrolled", "enrolment": needs.insert(.enrolment)
          default: break
          }
        }
      }
      for value in step.values.flatMap(\.everything) { needs.formUnion(Self.needs(of: value)) }
    }
    return needs
  }

  private static func needs(of value: JSON) -> Set<Need> {
    switch value {
    case .text("akpu"), .text("kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly"): return [.passcode]
    case .object(let object):
      if object["$cert"] != nil || object["$key"] != nil || object["$identity"] != nil { return [.references] }
      if case .object(let context)? = object["$authContext"], !context.isEmpty { return [.contexts] }
      // An access control that is only made, and stands in no item, needs nothing.
      guard case .object(let control)? = object["$acl"], case .array(let flags)? = control["flags"] else { return [] }
      let constraints = AccessControlFlags.constraintNames
      return flags.contains { if case .text(let name) = $0 { constraints.contains(name) } else { false } }
        ? [.constraints] : []
    default: return []
    }
  }
}

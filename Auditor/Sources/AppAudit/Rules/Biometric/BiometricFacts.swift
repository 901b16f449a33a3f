import SwiftSyntax

/// Words of code around LocalAuthentication.
struct BiometricFacts: Decodable, Sendable {
  /// Words of names that say that the person is known.
  var unlockedWords: Set<String>
  /// Words of names that say the opposite.
  var lockedWords: Set<String>
  /// First words of functions that let the person in, and words that say that they do not.
  var openingVerbs: Set<String>
  var closedNouns: Set<String>
  var placeholders: Set<String>
  /// What binds a secret to the answer.
  var binding: Set<String>
  var fallback: Set<String>
  var enrolment: Set<String>
  var anyEnrolled: Set<String>
  var viewMembers: Set<String>
  var viewCalls: Set<String>
  /// Wrappers whose properties a view follows.
  var viewState: Set<String>
  var mainWords: Set<String>

  static let shared = Facts.load("biometrics", as: BiometricFacts.self)

  /// Whether a function of that name shows what is locked.
  func opens(_ name: String) -> Bool {
    let words = SecretNames.words(name)
    guard let first = words.first, openingVerbs.contains(first) else { return false }
    return !words.contains(where: closedNouns.contains)
  }

  /// Whether `name` set to `value` lets the person in.
  func letsIn(_ name: String, _ value: Bool) -> Bool {
    let words = SecretNames.words(name)
    let pairs = zip(words, words.dropFirst()).map { $0 + $1 }
    let all = words + pairs
    if all.contains(where: lockedWords.contains) { return !value }
    if words.contains("not") || words.contains("error") || words.contains("failed") { return false }
    return value && all.contains(where: unlockedWords.contains)
  }
}

/// Notes where a policy is evaluated, and the words that other rules ask for.
struct BiometricUse {
  static let words: Set<String> = ["evaluatePolicy"]

  static func isEvaluation(_ call: FunctionCallExprSyntax, in source: SwiftSource) -> Bool {
    call.calledName == "evaluatePolicy" && call.calledBase != nil && call.argument("localizedReason") != nil
  }

  static func isCheck(_ call: FunctionCallExprSyntax) -> Bool {
    call.calledName == "canEvaluatePolicy" && call.calledBase != nil
  }
}

/// How much a finding weighs.
public enum Severity: String, Codable, Sendable, CaseIterable, Comparable {
  /// Worth knowing; never makes the audit fail by itself.
  case note
  /// Likely wrong, or refused by some reviewers.
  case warning
  /// Wrong: refused at upload, without effect, or a hole.
  case error

  var weight: Int {
    switch self {
    case .note: 0
    case .warning: 1
    case .error: 2
    }
  }

  /// Whether `left` weighs less than `right`.
  public static func < (left: Self, right: Self) -> Bool { left.weight < right.weight }
}

/// What a finding is about. The words are part of the output formats and do not change.
public enum Kind: String, Codable, Sendable, CaseIterable {
  case requiredReason = "required-reason"
  case manifest
  case usageDescription = "usage-description"
  case ats
  case entitlement
  case keychain
  case biometric
  case permission
  case storage
  case log
  case secret
  case hash
  case injection
  case pasteboard
  case trust
  case sdk
  case binary
}

/// One thing that the audit found, at one place.
public struct Finding: Codable, Hashable, Sendable {
  /// The rule that found it, as `explain` and suppressions name it.
  public var rule: String
  /// What it is about.
  public var kind: Kind
  /// How much it weighs.
  public var severity: Severity
  /// The file, relative to the folder that was audited.
  public var path: String
  /// The line, from 1; 0 where the file as a whole is meant.
  public var line: Int
  /// The target whose bundle is concerned.
  public var target: String
  /// What is wrong, in one sentence.
  public var message: String
  /// What to do about it.
  public var fix: String
  /// The App Store's name of the error that an upload may be answered with, such as ITMS-91053.
  public var appStoreError: String?
}

/// A place in a file of the project.
struct Place: Hashable, Sendable, Codable {
  /// Relative to the folder that is audited.
  var path: String
  /// From 1; 0 for the whole file.
  var line: Int
}

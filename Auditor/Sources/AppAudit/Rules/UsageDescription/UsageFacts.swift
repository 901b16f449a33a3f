import SwiftSyntax

/// Which key of Info.plist each protected API needs.
struct UsageFacts: Decodable, Sendable {
  struct Key: Decodable, Sendable {
    var key: String
    var triggers: [Trigger]
    /// Whether the call fails, or the upload is refused, without it.
    var isRequired: Bool
    /// Keys that do as well.
    var instead: [String]
    var isDictionary: Bool?
    /// The version of iOS from which the key is not read.
    var obsoleteFrom: String?
    var replacement: String?
  }

  /// A use: one of `call`, `type` and `function` is there.
  struct Trigger: Decodable, Sendable {
    /// The name of a method; in Objective-C the beginning of a selector.
    var call: String?
    /// What an argument must end with, or `label:` for a label that must be there.
    var argument: String?
    /// What the receiver must be.
    var owner: String?
    /// One of which must be imported.
    var modules: [String]?
    /// A class that is made or asked.
    var type: String?
    /// A C function.
    var function: String?
  }

  struct WrongName: Decodable, Sendable {
    var name: String
    var right: String?
  }

  var keys: [Key]
  var wrongNames: [WrongName]

  static let shared = Facts.load("usage-descriptions", as: Self.self)
}

public import ThumbturnKeychain
internal import ThumbturnVault

/// What went wrong in a call of the agent.
public struct AgentFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// The error, as the keychain says it in process too.
  public let error: KeychainError
  /// Seconds until the next passcode is looked at; 0 when that is not what is wrong.
  public var secondsToWait: Int { error.cause?.secondsToWait ?? 0 }

  /// Makes a failure.
  public init(_ error: KeychainError) { self.error = error }

  /// Text for logs: it holds nothing of the user's.
  public var description: String { "\(error)" }
}

extension AgentFailure {
  func write(to fields: inout FieldWriter) {
    fields.number(1, UInt64(error.code.wireNumber))
    fields.number(2, error.cause?.code.wireNumber.map { UInt64($0) })
    fields.number(3, error.cause?.part.map { UInt64($0.wireNumber) })
    fields.size(4, secondsToWait)
  }

  init(_ fields: consuming FieldReader, in bytes: Span<UInt8>) throws(FrameError) {
    guard let code = KeychainError.Code(wireNumber: try fields.number(1, in: bytes)) else { throw .wrongValue }
    var cause: VaultError?
    let causeNumber = try fields.optionalNumber(2, in: bytes)
    var part: VaultError.Part?
    if let number = try fields.optionalNumber(3, in: bytes) {
      guard let found = VaultError.Part(wireNumber: number), causeNumber != nil else { throw .wrongValue }
      part = found
    }
    let seconds = try fields.size(4, in: bytes)
    // Only a cause has a time to wait.
    guard seconds == 0 || causeNumber != nil else { throw .wrongValue }
    if let causeNumber {
      guard let found = VaultError.Code(wireNumber: causeNumber) else { throw .wrongValue }
      cause = VaultError(found, "the agent answered so", part: part, secondsToWait: seconds)
    }
    try fields.end()
    self.init(cause.map { KeychainError(code, $0) } ?? KeychainError(code))
  }
}

/// What the exit code of `thumbturn` says.
///
/// The numbers are an interface: scripts ask for them.
enum ExitCode: Int32, CaseIterable {
  /// Done.
  case done = 0
  /// No such item.
  case notFound = 1
  /// The command line is wrong.
  case usage = 2
  /// The vault is locked, or a person has to answer.
  case personNeeded = 3
  /// Refused: too large, not allowed, not possible here, a wrong passcode or too many of them.
  case refused = 4
  /// Damaged, or reading or writing failed.
  case failed = 5

  /// What the help says of it.
  var meaning: String {
    switch self {
    case .done: "done"
    case .notFound: "not found"
    case .usage: "the command line is wrong"
    case .personNeeded: "the vault is locked, or a person has to answer"
    case .refused: "refused, or the passcode is wrong"
    case .failed: "damaged, or reading or writing failed"
    }
  }
}

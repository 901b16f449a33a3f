/// What a message asks for. Numbers are for ever.
package enum Operation: UInt16, CaseIterable, Sendable {
  case hello = 1
  case add = 2
  case find = 3
  case update = 4
  case delete = 5
  case status = 6
  case unlock = 7
  case lock = 8
  case passcodeSet = 9
  case passcodeChange = 10
  case passcodeRemove = 11
  case rotate = 12
  case accessGroups = 13
  case settings = 14
  case stop = 15
  case acceptOlder = 16
  case evaluate = 17
  case cancelEvaluation = 18
  case endSession = 19
  case authenticationStatus = 20
  case simulate = 21

  /// Whether deriving a key, sealing every record again or a person may take long; progress is told meanwhile.
  package var isLong: Bool {
    switch self {
    case .unlock, .passcodeSet, .passcodeChange, .passcodeRemove, .rotate, .settings, .acceptOlder, .evaluate: true
    case .hello, .add, .find, .update, .delete, .status, .lock, .accessGroups, .stop, .cancelEvaluation, .endSession,
      .authenticationStatus, .simulate:
      false
    }
  }

  /// Whether it may be answered with what has to be shown first.
  package var mayNeedAuthentication: Bool { self == .add || self == .find || self == .update }
}

/// What an answer is. The highest bit keeps requests and answers apart.
package enum ReplyKind: UInt16, CaseIterable, Sendable {
  /// Not the end: so many of so many steps are done.
  case progress = 0x8001
  case done = 0x8002
  case failed = 0x8003
  /// Nothing was done: a person has to be asked first.
  case needsAuthentication = 0x8004
}

/// What the bytes of a field are.
enum FieldType: UInt8, Sendable {
  /// 8 bytes, lowest first.
  case number = 1
  case bytes = 2
  /// UTF-8.
  case text = 3
  /// Bytes that are only ever in locked memory.
  case secret = 4
  /// Attributes in the encoding of records (Documentation/vault-format.md).
  case attributes = 5
  /// Fields.
  case group = 6
  /// A number of entries (4), and each entry's size (4) and bytes.
  case list = 7
  /// The size (8) of the body, which is in the file that comes with the packet.
  case file = 8
}

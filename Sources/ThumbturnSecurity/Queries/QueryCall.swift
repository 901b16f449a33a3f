/// Which dictionary is looked at: each has rules of its own about what may stand in it.
enum QueryCall {
  /// What is to be stored.
  case add
  /// What is to be found.
  case find
  /// What is to be changed.
  case update
  /// What is to be set in it: `attributesToUpdate`.
  case change
  /// What is to be deleted.
  case delete
}

/// What a result is to hold.
struct ReturnKinds: OptionSet {
  let rawValue: Int
  static let data = Self(rawValue: 1 << 0)
  static let attributes = Self(rawValue: 1 << 1)
  static let reference = Self(rawValue: 1 << 2)
  static let persistentReference = Self(rawValue: 1 << 3)
}

/// What Apple's rules say, written from SECITEM.md alone: rows in an array, and nothing shared with what is tested.
struct Oracle {
  /// Kinds of attributes, as SECITEM.md §3 has them.
  enum Kind { case blob, data, number, date }

  /// An error in the oracle itself, so that a comparison that sees nothing is noticed.
  enum Flaw: String, CaseIterable {
    case labelIsKey, accessibleIsNoFilter, absentSyncIsAny, textIsNotData, updateTakesOne, deleteTakesOne, newestFirst
    case lastGroupIsDefault, emptyIsNotAbsent, caseIsIgnored, defaultIsAfterFirstUnlock, twoMeansAll, syncIsNoKey
    case collisionIsKept, addLeavesNoLabel, numberStaysText, unsetIsEmpty, dataFilters
  }

  struct Row {
    let number: Int
    let itemClass: String
    var group: String
    var protection: String
    var isSync: Bool
    var values: [String: Value]
    var data: [UInt8]?
    /// Set by an update; nil is whenever it was added.
    var creation: Double?
  }

  static let blobs: [String: [String]] = [
    "genp": ["acct", "svce", "gena", "labl", "icmt", "desc"],
    "inet": ["acct", "srvr", "sdmn", "atyp", "path", "labl", "icmt", "desc"],
    "cert": ["labl"],
    "keys": ["atag", "labl"],
  ]
  static let numbers: [String: [String]] = [
    "genp": ["crtr", "type", "invi", "nega"],
    "inet": ["ptcl", "port", "crtr", "type", "invi", "nega"],
    "cert": ["ctyp", "cenc"],
    "keys": ["kcls", "type", "bsiz", "esiz", "perm", "sign"],
  ]
  static let datas: [String: [String]] = [
    "cert": ["issr", "slnr", "subj", "skid", "pkhh"],
    "keys": ["klbl"],
  ]
  static let keys: [String: [String]] = [
    "genp": ["acct", "svce"],
    "inet": ["acct", "sdmn", "srvr", "ptcl", "atyp", "port", "path"],
    "cert": ["ctyp", "issr", "slnr"],
    "keys": ["kcls", "klbl", "atag", "type", "bsiz", "esiz"],
  ]

  var flaw: Flaw?
  var groups = ["G1", "G2"]
  var rows: [Row] = []
  /// The class of every row that was ever added, by its number.
  private(set) var references: [Int: String] = [:]
  /// Rows whose persistent reference was given out, some of which may be gone.
  private(set) var known: [Int] = []

  init(flaw: Flaw? = nil) { self.flaw = flaw }

  /// What a call must answer.
  struct Answer {
    var status: Int32 = 0
    var result = Result.untouched
  }

  /// What must stand in the caller's variable.
  indirect enum Result {
    case untouched
    case untouchedOrEmpty
    case null
    case data([UInt8])
    case reference(Int)
    case dictionary(Row, data: Bool, reference: Bool, itemClass: Bool, control: Bool)
    case array([Result])
  }

  mutating func answer(_ step: Step) -> Answer {
    do throws(Status) {
      switch step {
      case .groups(let groups):
        self.groups = groups
        return Answer()
      case .add(let item):
        let result = try add(item)
        learn(result)
        return Answer(result: result)
      case .find(let query):
        let result = try find(query)
        learn(result)
        return Answer(result: result)
      case .update(let query, let change): try update(query, change)
      case .delete(let query): try delete(query)
      }
      return Answer()
    } catch {
      return Answer(status: error.code)
    }
  }

  private mutating func add(_ item: Query) throws(Status) -> Result {
    let itemClass = try checked(item, in: .add)
    var row = Row(
      number: references.count, itemClass: itemClass, group: try writeGroups()[0],
      protection: itemClass == "cert" ? "dk" : flaw == .defaultIsAfterFirstUnlock ? "ck" : "ak", isSync: false,
      values: [:])
    if flaw == .lastGroupIsDefault, let last = try writeGroups().last { row.group = last }
    set(item, in: &row)
    row.creation = nil
    if flaw == .addLeavesNoLabel { row.values["labl"] = nil }
    guard !rows.contains(where: { key(of: $0) == key(of: row) }) else { throw Status(-25299) }
    references[row.number] = itemClass
    rows.append(row)
    let wanted = Wanted(item)
    if wanted == Wanted(data: true) { return .data(row.data ?? []) }
    return wanted.isNothing ? .untouched : result(row, wanted, isAdded: true) ?? .null
  }

  private func find(_ query: Query) throws(Status) -> Result {
    _ = try checked(query, in: .find)
    var found = matches(query).map { rows[$0] }
    if flaw == .newestFirst { found.reverse() }
    var count: Int?
    switch query["m_Limit"] {
    case nil, .text("m_LimitOne"): count = 1
    case .number(let number) where number >= 0: count = Int(number)
    default: break
    }
    if let count, !(count == 2 && flaw == .twoMeansAll) { found = Array(found.prefix(count)) }
    guard !found.isEmpty else { throw Status(-25300) }
    let wanted = Wanted(query)
    guard !wanted.isNothing else { return count == 1 ? .untouched : .untouchedOrEmpty }
    if count == 1 { return result(found[0], wanted, isAdded: false) ?? .null }
    return .array(found.compactMap { result($0, wanted, isAdded: false) })
  }

  private mutating func update(_ query: Query, _ change: Query) throws(Status) {
    let itemClass = try checked(query, in: .update)
    try checkChange(change, of: itemClass)
    var places = matches(query)
    guard !places.isEmpty else { throw Status(-25300) }
    if flaw == .updateTakesOne { places = [places[0]] }
    var changed = rows
    for place in places { set(change, in: &changed[place]) }
    let keys = changed.map(key)
    guard flaw == .collisionIsKept || Set(keys).count == keys.count else { throw Status(-25299) }
    rows = changed
  }

  private mutating func delete(_ query: Query) throws(Status) {
    _ = try checked(query, in: .delete)
    var places = matches(query)
    guard !places.isEmpty else { throw Status(-25300) }
    if flaw == .deleteTakesOne { places = [places[0]] }
    for place in places.reversed() { rows.remove(at: place) }
  }

  private mutating func learn(_ result: Result) {
    switch result {
    case .reference(let number): if !known.contains(number) { known.append(number) }
    case .dictionary(let row, _, true, _, _): if !known.contains(row.number) { known.append(row.number) }
    case .array(let results): for result in results { learn(result) }
    default: break
    }
  }

  private func result(_ row: Row, _ wanted: Wanted, isAdded: Bool) -> Result? {
    switch wanted {
    case Wanted(data: true): return row.data.map { .data($0) }
    case Wanted(reference: true): return .reference(row.number)
    case Wanted(object: true): return nil
    default:
      return .dictionary(
        row, data: wanted.data, reference: wanted.reference, itemClass: wanted.object, control: !isAdded)
    }
  }
}

/// A failure with Apple's number.
struct Status: Error {
  let code: Int32
  init(_ code: Int32) { self.code = code }
}

/// The return keys of a dictionary.
struct Wanted: Equatable {
  var data = false
  var attributes = false
  var object = false
  var reference = false

  var isNothing: Bool { self == Wanted() }
}

extension Wanted {
  init(_ query: Query) {
    data = query["r_Data"] == .boolean(true)
    attributes = query["r_Attributes"] == .boolean(true)
    object = query["r_Ref"] == .boolean(true)
    reference = query["r_PersistentRef"] == .boolean(true)
  }
}

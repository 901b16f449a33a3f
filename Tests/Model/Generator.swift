/// Makes steps that meet the rows of an oracle: few values, and in every eighth dictionary one mistake.
struct Generator {
  static let classes = ["genp", "inet", "keys", "cert"]
  static let blobs: [Value] = [
    .text("a"), .text(""), .data([0x61]), .text("b"), .text("A"), .text("\u{E9}"), .text("e\u{301}"), .number(7),
    .text("7"), .text("a\0"), .text(" a"), .data([0xFF, 0x00]), .data([]),
  ]
  static let numbers: [Value] = [
    .number(0), .number(1), .boolean(true), .text("1"), .text("htps"), .boolean(false), .text("+1"), .text("01"),
    .number(-1), .number(4_294_967_295), .number(.max),
  ]
  static let datas: [Value] = [.data([0x6B]), .text("k"), .data([]), .number(1), .data([1, 0, 0, 0])]
  static let servers: [Value] = [.text("example.com"), .text("a.example.com"), .text("badexample.com"), .data([0x61])]
  static let protections = ["ak", "ck", "dk", "aku", "cku", "dku"]

  var random: Random

  mutating func step(_ oracle: Oracle) -> Step {
    if random.chance(6) {
      return .groups(
        random.early([
          ["G1", "G2"], ["G2", "G1"], ["G1"], ["G2"], ["com.apple.token", "G1"], ["com.apple.token"], [],
        ]))
    }
    let itemClass = random.early(Self.classes)
    switch random.below(100) {
    case ..<42: return .add(spoilt(item(itemClass), itemClass, .add))
    case ..<68:
      let query = find(oracle, itemClass)
      return .find(spoilt(query, classOf(query, oracle) ?? itemClass, .find))
    case ..<86:
      let query = narrowed(query(oracle, itemClass, attributes: 2), oracle)
      let actual = classOf(query, oracle) ?? itemClass
      let change = change(actual)
      // One mistake in the two together.
      if random.chance(12) { return .update(query, mistakeInChange(change, actual)) }
      return .update(spoilt(query, actual, .update), change)
    default:
      var query = narrowed(query(oracle, itemClass, attributes: 2), oracle)
      if random.chance(10) { query["r_Data"] = .boolean(true) }
      return .delete(spoilt(query, classOf(query, oracle) ?? itemClass, .delete))
    }
  }

  private func classOf(_ query: Query, _ oracle: Oracle) -> String? {
    if case .reference(let number)? = query["v_PersistentRef"] { return oracle.references[number] }
    return nil
  }

  private mutating func item(_ itemClass: String) -> Query {
    var item: Query = ["class": .text(itemClass)]
    for name in Oracle.keys[itemClass, default: []] where random.chance(45) {
      item[name] = value(of: name, itemClass)
    }
    addAttributes(&item, itemClass, count: random.below(3))
    if random.chance(70) { item["v_Data"] = .data(random.pick([[0x78], [0x79, 0x7A], [], [0, 1, 2, 0xFF]])) }
    placement(&item)
    returns(&item, itemClass)
    if random.chance(5) { item["cdat"] = .date(5) }
    return item
  }

  private mutating func find(_ oracle: Oracle, _ itemClass: String) -> Query {
    var query = query(oracle, itemClass, attributes: 2)
    if random.chance(45) {
      query["m_Limit"] = random.early(
        [.text("m_LimitAll"), .number(2), .text("m_LimitOne"), .number(-1), .number(1), .number(0), .number(3)])
    }
    if itemClass == "inet", query["v_PersistentRef"] == nil, random.chance(25) {
      query["m_HostOrSubdomainOfHost"] = random.pick([.text("example.com"), .text("a.example.com"), .text("com")])
    }
    if random.chance(5) { query["m_CaseInsensitive"] = .boolean(true) }
    if random.chance(5) {
      query["u_AuthUI"] = random.pick([.text("u_AuthUIA"), .text("u_AuthUIF"), .text("u_AuthUIS")])
    }
    returns(&query, itemClass)
    return query
  }

  /// A query that is likely to mean something: class, perhaps attributes of a row that is there, or a reference.
  private mutating func query(_ oracle: Oracle, _ itemClass: String, attributes: Int) -> Query {
    if random.chance(12), !oracle.known.isEmpty {
      let number = random.pick(oracle.known)
      var query: Query = ["v_PersistentRef": .reference(number)]
      if random.chance(30) { query["class"] = .text(oracle.references[number] ?? "") }
      return query
    }
    var query: Query = ["class": .text(itemClass)]
    let rows = oracle.rows.filter { $0.itemClass == itemClass }
    if !rows.isEmpty, random.chance(60) {
      let row = random.pick(rows)
      for (name, value) in row.values.sorted(by: { $0.key < $1.key }) where random.chance(40) { query[name] = value }
      if row.isSync, random.chance(70) { query["sync"] = .boolean(true) }
      if random.chance(15) { query["pdmn"] = .text(row.protection) }
      if random.chance(10), let seconds = row.creation { query["cdat"] = .date(seconds) }
    } else {
      addAttributes(&query, itemClass, count: random.below(attributes + 1))
    }
    if random.chance(5) { query["v_Data"] = .data([0x78]) }
    if random.chance(25) { placement(&query) }
    return query
  }

  /// Beside a reference, update and delete take conditions.
  private mutating func narrowed(_ query: Query, _ oracle: Oracle) -> Query {
    var query = query
    guard let itemClass = classOf(query, oracle), random.chance(50) else { return query }
    if random.chance(50) { query["sync"] = random.pick([.boolean(true), .boolean(false), .text("syna")]) }
    if random.chance(30) { addAttributes(&query, itemClass, count: 1) }
    if random.chance(20) { query["pdmn"] = .text(random.pick(Self.protections)) }
    return query
  }

  private mutating func change(_ itemClass: String) -> Query {
    var change: Query = [:]
    addAttributes(&change, itemClass, count: random.below(3))
    if random.chance(40) { change["v_Data"] = .data([UInt8(random.below(256))]) }
    if random.chance(25) { placement(&change) }
    if random.chance(5) { change["cdat"] = .date(6) }
    if random.chance(5) { change["mdat"] = .date(6) }
    return change
  }

  private mutating func addAttributes(_ query: inout Query, _ itemClass: String, count: Int) {
    let names =
      Oracle.blobs[itemClass, default: []] + Oracle.numbers[itemClass, default: []]
      + Oracle.datas[itemClass, default: []]
    for _ in 0..<count {
      let name = random.pick(names)
      query[name] = value(of: name, itemClass)
    }
  }

  private mutating func value(of name: String, _ itemClass: String) -> Value {
    if name == "srvr", random.chance(60) { return random.pick(Self.servers) }
    if Oracle.blobs[itemClass, default: []].contains(name) { return random.early(Self.blobs) }
    if Oracle.numbers[itemClass, default: []].contains(name) { return random.early(Self.numbers) }
    return random.early(Self.datas)
  }

  /// Group, synchronizable flag, protection class or access control.
  private mutating func placement(_ query: inout Query) {
    if random.chance(25) { query["agrp"] = .text(random.pick(["G1", "G2"])) }
    if random.chance(30) {
      query["sync"] = random.pick([.boolean(true), .boolean(false), .number(1), .text("syna"), .number(0)])
    }
    if random.chance(25) { query["pdmn"] = .text(random.pick(Self.protections)) }
    if random.chance(4) { query["nleg"] = .boolean(random.chance(50)) }
    if query["pdmn"] == nil, query["sync"] == nil, random.chance(8) {
      query["accc"] = .control(random.pick(Self.protections))
    }
  }

  private mutating func returns(_ query: inout Query, _ itemClass: String) {
    guard random.chance(75) else { return }
    if random.chance(55) { query["r_Data"] = .boolean(true) }
    if random.chance(50) { query["r_Attributes"] = .boolean(true) }
    if random.chance(30) { query["r_PersistentRef"] = .boolean(true) }
    // A reference names any class, and only passwords have no objects.
    if itemClass == "genp" || itemClass == "inet", query["v_PersistentRef"] == nil, random.chance(8) {
      query["r_Ref"] = .boolean(true)
    }
    if random.chance(5) { query["r_Attributes"] = .boolean(false) }
  }
}

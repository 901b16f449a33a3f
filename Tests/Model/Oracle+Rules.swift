extension Oracle {
  enum Call { case add, find, update, delete }

  /// Checks a dictionary, which has at most one mistake, and gives its class.
  func checked(_ query: Query, in call: Call) throws(Status) -> String {
    var itemClass: String?
    switch query["class"] {
    case nil: break
    case .text(let text): itemClass = text
    default: throw Status(-50)
    }
    if call != .add, case .reference(let number)? = query["v_PersistentRef"] {
      let referenced = references[number] ?? ""
      if let itemClass, itemClass != referenced { throw Status(-25306) }
      itemClass = referenced
    }
    guard let itemClass else { throw Status(-50) }
    guard Self.keys[itemClass] != nil else { throw Status(itemClass == "idnt" ? -50 : -25306) }
    if query.count > 128 { throw Status(-50) }
    for name in query.keys.sorted() { try checkName(name, of: itemClass) }
    for (name, value) in query { try checkType(name, value, of: itemClass) }
    try checkGroup(query["agrp"], of: call == .find ? groups : try writeGroups(), isFind: call == .find)
    try checkCombinations(query, itemClass, in: call)
    return itemClass
  }

  /// Checks what an update sets.
  func checkChange(_ change: Query, of itemClass: String) throws(Status) {
    for name in change.keys.sorted() {
      if name == "class" || name == "v_PersistentRef" || ["r_", "m_", "u_"].contains(where: name.hasPrefix) {
        throw Status(-25303)
      }
      try checkName(name, of: itemClass)
    }
    for (name, value) in change { try checkType(name, value, of: itemClass) }
    try checkGroup(change["agrp"], of: try writeGroups(), isFind: false)
    if change["pdmn"] != nil, change["accc"] != nil { throw Status(-50) }
    if change["accc"] != nil, isSync(change["sync"]) == true { throw Status(-50) }
  }

  func writeGroups() throws(Status) -> [String] {
    let groups = groups.filter { $0 != "com.apple.token" }
    guard !groups.isEmpty else { throw Status(-34018) }
    return groups
  }

  private func checkName(_ name: String, of itemClass: String) throws(Status) {
    if name.utf8.count == 4 {
      if name == "clip" { throw Status(-50) }
      let known = ["agrp", "pdmn", "sync", "cdat", "mdat", "accc", "nleg"]
      if known.contains(name) || kind(of: name, in: itemClass) != nil { return }
      throw Status(-25303)
    }
    let fixed = [
      "class", "r_Data", "r_Attributes", "r_Ref", "r_PersistentRef", "v_Data", "v_PersistentRef", "u_AuthUI",
      "u_OpPrompt",
    ]
    guard fixed.contains(name) || name.hasPrefix("m") || name.hasPrefix("f") else { throw Status(-50) }
  }

  private func checkType(_ name: String, _ value: Value, of itemClass: String) throws(Status) {
    if value == .null { throw Status(-50) }
    switch name {
    case "class", "nleg", "agrp": break
    case "pdmn":
      guard case .text(let text) = value, ["ak", "ck", "dk", "aku", "cku", "dku"].contains(text) else {
        throw Status(-50)
      }
    case "accc": guard case .control = value else { throw Status(-50) }
    case "sync": if isSync(value) == nil, value != .text("syna") { throw Status(-50) }
    case "v_Data": guard case .data = value else { throw Status(-50) }
    case "v_PersistentRef": guard case .reference = value else { throw Status(-50) }
    case "m_Limit":
      switch value {
      case .text("m_LimitOne"), .text("m_LimitAll"), .number((-1)...): break
      default: throw Status(-50)
      }
    case "m_HostOrSubdomainOfHost": guard case .text = value else { throw Status(-50) }
    case "u_AuthUI":
      guard case .text(let text) = value, ["u_AuthUIA", "u_AuthUIF", "u_AuthUIS"].contains(text) else {
        throw Status(-50)
      }
    default:
      if name.hasPrefix("r_") {
        guard case .boolean = value else { throw Status(-50) }
      } else if let kind = kind(of: name, in: itemClass), stored(value, as: kind) == nil {
        throw Status(-50)
      }
    }
  }

  private func checkGroup(_ value: Value?, of groups: [String], isFind: Bool) throws(Status) {
    // Types come before groups; in the other calls a group that is no text is a foreign one.
    if isFind, let value, !value.isText { throw Status(-50) }
    guard !groups.isEmpty else { throw Status(-34018) }
    guard let value else { return }
    guard case .text(let group) = value else { throw Status(-34018) }
    guard groups.contains(group) else { throw Status(-34018) }
  }

  private func checkCombinations(_ query: Query, _ itemClass: String, in call: Call) throws(Status) {
    if query["pdmn"] != nil, query["accc"] != nil { throw Status(-50) }
    let hasMatchKey = query.keys.contains { $0.hasPrefix("m") && $0 != "mdat" }
    switch call {
    case .add:
      if hasMatchKey || query["v_PersistentRef"] != nil { throw Status(-50) }
      if query["accc"] != nil, isSync(query["sync"]) == true { throw Status(-50) }
    case .find:
      if query["v_PersistentRef"] != nil, query.keys.contains(where: { $0.utf8.count == 4 && $0 != "nleg" }) {
        throw Status(-50)
      }
      if query["m_HostOrSubdomainOfHost"] != nil, itemClass != "inet" { throw Status(-4) }
    case .update, .delete:
      if hasMatchKey { throw Status(-50) }
      if call == .update, !Wanted(query).isNothing { throw Status(-50) }
    }
    if call != .find, query["u_AuthUI"] == .text("u_AuthUIS") { throw Status(-50) }
  }

  /// True or false for a flag that says so, else nil.
  func isSync(_ value: Value?) -> Bool? {
    switch value {
    case .boolean(let isSync): isSync
    case .number(0), .text("0"): false
    case .number(1), .text("1"): true
    default: nil
    }
  }

  func kind(of name: String, in itemClass: String) -> Kind? {
    if name == "cdat" || name == "mdat" { return .date }
    if Self.blobs[itemClass]?.contains(name) == true { return .blob }
    if Self.numbers[itemClass]?.contains(name) == true { return .number }
    return Self.datas[itemClass]?.contains(name) == true ? .data : nil
  }
}

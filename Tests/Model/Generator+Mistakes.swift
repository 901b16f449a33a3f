extension Generator {
  /// The dictionary, or the dictionary with one mistake.
  mutating func spoilt(_ query: Query, _ itemClass: String, _ call: Oracle.Call) -> Query {
    guard random.chance(12) else { return query }
    var query = query
    let foreign = itemClass == "genp" ? "srvr" : itemClass == "inet" ? "svce" : "acct"
    switch random.below(27) {
    case 0: query["zzzz"] = .text("v")
    case 1: query[foreign] = .text("v")
    case 2: query["r_Something"] = .boolean(true)
    case 3: query["v_Thing"] = .data([1])
    case 4: query["u_Keychain"] = .text("x")
    case 5: query["u_ItemList"] = .array
    case 6: query[random.pick(["x", "xyz", "Class", ""])] = .text("v")
    case 7: query["labl"] = random.pick([.null, .array, .boolean(true), .date(1), .fraction])
    case 8: query["pdmn"] = random.pick([.text("zz"), .number(1), .null, .text("")])
    case 9: query["v_Data"] = random.pick([.text("text"), .number(1), .null, .array])
    case 10: query["accc"] = random.pick([.text("no object"), .number(5), .data([1])])
    case 11: query["r_Data"] = random.pick([.number(1), .text("true"), .null])
    case 12: query["agrp"] = .text(random.pick(["GX", "g1", "", "G1 "]))
    case 13: query["agrp"] = .number(7)
    case 14: query["clip"] = .boolean(true)
    case 15: query["m_Limit"] = random.pick([.text("m_Limit"), .boolean(true), .null, .data([1])])
    case 16: if call != .find { query["m_Limit"] = .text("m_LimitOne") }
    case 17: query[random.pick(["m_CaseInsensitive", "m_Unknown"])] = .boolean(true)
    case 18: query["m_HostOrSubdomainOfHost"] = random.pick([.text("example.com"), .number(5)])
    case 19: query["u_AuthUI"] = random.pick([.text("u_AuthUIS"), .text("other")])
    case 20: query["class"] = random.pick([.number(7), .text("apls"), .text(""), .text("GENP"), .null])
    case 21: if query["v_PersistentRef"] == nil { query["class"] = nil }
    case 22: if call == .update { query[random.pick(["r_Data", "r_Ref", "r_Attributes"])] = .boolean(true) }
    case 23:
      if let number = Oracle.numbers[itemClass]?.first {
        query[number] = random.pick([.fraction, .data([1]), .date(1)])
      }
    case 24: query["accc"] = .control("ak"); query["pdmn"] = .text("ak")
    case 25: if query["v_PersistentRef"] != nil { query["labl"] = .text("a") } else { query["f_anything"] = .null }
    default: for number in 0..<129 { query["fill\(1000 + number)"] = .text("v") }
    }
    return query
  }

  /// What an update sets, with one mistake.
  mutating func mistakeInChange(_ change: Query, _ itemClass: String) -> Query {
    var change = change
    switch random.below(11) {
    case 0: change["class"] = .text("inet")
    case 1: change[random.pick(["r_Data", "r_Ref"])] = .boolean(true)
    case 2: change["m_Limit"] = .text("m_LimitOne")
    case 3: change["u_AuthUI"] = .text("u_AuthUIA")
    case 4: change["v_Data"] = random.pick([.null, .text("bogus")])
    case 5: change["agrp"] = .text("GX")
    case 6: change["labl"] = random.pick([.null, .array, .boolean(true)])
    case 7: change["zzzz"] = .text("v")
    case 8: change["clip"] = .boolean(true)
    case 9: change["pdmn"] = .text("zz")
    default: change["accc"] = .text("no object")
    }
    return change
  }
}

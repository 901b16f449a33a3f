extension Oracle {
  /// The form in which a value is stored and given back, or nil where it is refused (SECITEM.md §3).
  func stored(_ value: Value, as kind: Kind) -> Value? {
    switch (kind, value) {
    case (.blob, .text), (.blob, .data), (.blob, .number), (.data, .data), (.number, .number), (.date, .date): value
    case (.data, .text(let text)): .data(Array(text.utf8))
    case (.data, .number(let number)):
      .data([0, 8, 16, 24].map { UInt8(truncatingIfNeeded: number >> $0) })
    case (.number, .boolean(let value)): .number(value ? 1 : 0)
    case (.number, .text(let text)):
      if flaw != .numberStaysText, let number = Int64(text), "\(number)" == text { .number(number) } else { value }
    default: nil
    }
  }

  /// The bytes by which values are the same.
  private func bytes(_ value: Value) -> [UInt8] {
    switch value {
    case .text(let text):
      switch flaw {
      case .caseIsIgnored: Array(text.lowercased().utf8)
      case .textIsNotData: [1] + text.utf8
      default: Array(text.utf8)
      }
    case .data(let bytes): bytes
    case .number(let number): Array("\(number)".utf8)
    default: []
    }
  }

  private func keyBytes(_ row: Row, _ name: String) -> [UInt8] {
    if let value = row.values[name] { return flaw == .emptyIsNotAbsent ? [9] + bytes(value) : bytes(value) }
    return kind(of: name, in: row.itemClass) == .number ? Array("0".utf8) : []
  }

  /// What no two rows have in common (SECITEM.md §5.1).
  func key(of row: Row) -> [[UInt8]] {
    var key = [Array(row.itemClass.utf8), Array(row.group.utf8), [row.isSync && flaw != .syncIsNoKey ? 1 : 0]]
    for name in Self.keys[row.itemClass, default: []] { key.append(keyBytes(row, name)) }
    if flaw == .labelIsKey { key.append(keyBytes(row, "labl")) }
    return key
  }

  /// Puts what a dictionary says into a row.
  func set(_ item: Query, in row: inout Row) {
    for (name, value) in item {
      switch name {
      case "agrp": if case .text(let group) = value { row.group = group }
      case "pdmn": if case .text(let protection) = value { row.protection = protection }
      case "accc": if case .control(let protection) = value { row.protection = protection }
      case "sync": row.isSync = isSync(value) ?? row.isSync
      case "v_Data": if case .data(let data) = value { row.data = data }
      case "cdat": if case .date(let seconds) = value { row.creation = seconds }
      case "mdat": break
      default:
        if let kind = kind(of: name, in: row.itemClass) { row.values[name] = stored(value, as: kind) }
      }
    }
  }

  /// The places of the rows that a query means.
  func matches(_ query: Query) -> [Int] { rows.indices.filter { isMatch(rows[$0], query) } }

  private func isMatch(_ row: Row, _ query: Query) -> Bool {
    guard groups.contains(row.group) else { return false }
    if case .text(let itemClass)? = query["class"], itemClass != row.itemClass { return false }
    if case .reference(let number)? = query["v_PersistentRef"] {
      if number != row.number { return false }
      if let isSync = isSync(query["sync"]), isSync != row.isSync { return false }
    } else {
      switch query["sync"] {
      case .text("syna"): break
      case nil where flaw == .absentSyncIsAny: break
      case let value: if row.isSync != (isSync(value) ?? false) { return false }
      }
    }
    for (name, value) in query {
      switch name {
      case "agrp": if value != .text(row.group) { return false }
      case "pdmn": if value != .text(row.protection), flaw != .accessibleIsNoFilter { return false }
      case "cdat": if row.creation.map({ .date($0) }) != value { return false }
      case "mdat": return false
      case "v_Data": if flaw == .dataFilters, value != row.data.map({ .data($0) }) { return false }
      case "m_HostOrSubdomainOfHost": if !isHost(row.values["srvr"], value) { return false }
      default: if !isEqual(row, name, value) { return false }
      }
    }
    return true
  }

  private func isEqual(_ row: Row, _ name: String, _ value: Value) -> Bool {
    guard let kind = kind(of: name, in: row.itemClass), let wanted = stored(value, as: kind) else { return true }
    if let held = row.values[name] { return bytes(held) == bytes(wanted) }
    guard Self.keys[row.itemClass, default: []].contains(name) || flaw == .unsetIsEmpty else { return false }
    return bytes(wanted) == (kind == .number ? Array("0".utf8) : [])
  }

  private func isHost(_ server: Value?, _ host: Value) -> Bool {
    guard case .text(let server)? = server, case .text(let host) = host else { return false }
    return server.utf8.elementsEqual(host.utf8) || server.hasSuffix("." + host)
  }
}

internal import ThumbturnKeychain
internal import ThumbturnVault

extension Command {
  /// `list`: the items without their secrets, in the order in which they were added.
  static func list(_ invocation: Invocation, in context: CommandContext) throws(CommandFailure) {
    let queries = try listQueries(invocation)
    let isFiltered = queries.contains { !$0.attributes.isEmpty || $0.protectionClass != nil }
    let named = try invocation.caller(in: context)
    let ofAllGroups = invocation.options.contains(.allGroups)
    let items = try context.withVault { vault throws(KeychainError) in
      let groups = ofAllGroups ? try vault.accessGroups() : named.accessGroups
      return try find(groups.isEmpty ? [] : queries, isFiltered, in: vault, for: Caller(accessGroups: groups))
    }
    var out = try SecretOutput(context.output)
    if invocation.options.contains(.json) {
      try out.putList(items)
    } else {
      for item in items { try out.putLine(item, withGroup: ofAllGroups) }
    }
    try out.flush()
  }

  /// What the queries find. An empty vault is no error; a service without items is, and so are items that are all damaged.
  ///
  /// A function of its own: inside the closure that calls it, the release optimiser of Swift 6.3.1 crashes.
  private static func find(
    _ queries: [ItemQuery], _ isFiltered: Bool, in vault: any CommandBackend, for caller: Caller
  ) throws(KeychainError) -> [FoundItem] {
    var items: [FoundItem] = []
    var reasons: [KeychainError] = []
    for query in queries {
      do throws(KeychainError) { items += try vault.find(query, for: caller) } catch {
        guard error.code == .itemNotFound else { throw error }
        reasons.append(error)
      }
    }
    guard items.isEmpty else { return items }
    if let damage = reasons.first(where: { $0.cause?.code == .damagedRecord }) { throw damage }
    guard !isFiltered else { throw reasons.first ?? KeychainError(.itemNotFound) }
    return []
  }

  /// One query for each item class that is to be listed.
  private static func listQueries(_ invocation: Invocation) throws(CommandFailure) -> [ItemQuery] {
    let classes: [ItemClass]
    if let itemClass = invocation.itemClass {
      classes = [itemClass]
    } else if invocation.options.contains(.url) {
      classes = [.internetPassword]
    } else {
      classes = invocation.operands.isEmpty ? [.genericPassword, .internetPassword] : [.genericPassword]
    }
    let texts = try invocation.texts()
    let address = try invocation.address()
    let ofAddress = try address?.attributes()
    var queries: [ItemQuery] = []
    for itemClass in classes {
      let ofOperands = try invocation.operandNames(itemClass)
      let names = ofAddress ?? ofOperands
      var query = ItemQuery(itemClass, names.merging(texts) { $1 }, limit: .all)
      query.synchronizable = .any
      query.protectionClass = invocation.protectionClass
      queries.append(query)
    }
    return queries
  }
}

extension SecretOutput {
  fileprivate mutating func putLine(_ item: FoundItem, withGroup: Bool) throws(CommandFailure) {
    for name in item.columns {
      try put(escaped(name.span).span)
      try put("\t")
    }
    let requirement = item.accessControl?.requirementText.map { "+\($0)" } ?? ""
    try put("\(item.protectionClass.name)\(requirement)\t\(item.date(.modificationDate) ?? "-")")
    if withGroup {
      let group = item.attributes[.accessGroup]?.nameBytes ?? []
      try put("\t")
      try put(escaped(group.span).span)
    }
    try put("\n")
  }

  fileprivate mutating func putList(_ items: [FoundItem]) throws(CommandFailure) {
    try put("[")
    for (index, item) in items.enumerated() {
      try put(index == 0 ? "\n  {" : ",\n  {")
      try putNames(of: item)
      if item.attributes[.label] != nil, !item.itemClass.named.isEmpty { try putNext("label", item.attributes[.label]) }
      try putNext("group", item.attributes[.accessGroup])
      try put(",")
      try putMember("protectionClass", Array(item.protectionClass.name.utf8).span)
      try putNext("requires", item.accessControl?.requirementText.map { .text($0) })
      if let modified = item.date(.modificationDate) {
        try put(",")
        try putMember("modified", Array(modified.utf8).span)
      }
      try put("}")
    }
    try put(items.isEmpty ? "]\n" : "\n]\n")
  }
}

extension FoundItem {
  /// The two names of a line: service and account, URL and account, or label and number.
  fileprivate var columns: [[UInt8]] {
    let label = attributes[.label]?.nameBytes ?? []
    let account = attributes[.account]?.nameBytes ?? []
    switch itemClass {
    case .genericPassword: return [attributes[.service]?.nameBytes ?? [], account]
    case .internetPassword:
      // What no URL can say begins with two slashes.
      let server = Array("//".utf8) + (attributes[.server]?.nameBytes ?? [])
      return [InternetAddress(self).map { Array($0.text(withAccount: false).utf8) } ?? server, account]
    case .certificate: return [label, hexadecimal(attributes[.serialNumber]?.nameBytes ?? [])]
    case .key: return [label, hexadecimal(attributes[.applicationLabel]?.nameBytes ?? [])]
    }
  }
}

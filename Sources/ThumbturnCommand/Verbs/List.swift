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
      var items: [FoundItem] = []
      var missing: KeychainError?
      for query in queries where !groups.isEmpty {
        do throws(KeychainError) {
          items += try vault.find(query, for: Caller(accessGroups: groups))
        } catch {
          guard error.code == .itemNotFound else { throw error }
          if missing?.cause?.code != .damagedRecord { missing = error }
        }
      }
      // An empty vault is no error; a service without items is, and so are items that are all damaged.
      if items.isEmpty, let missing, isFiltered || missing.cause?.code == .damagedRecord { throw missing }
      if items.isEmpty, isFiltered { throw KeychainError(.itemNotFound) }
      return items
    }
    var out = try SecretOutput(context.output)
    if invocation.options.contains(.json) {
      try out.putList(items)
    } else {
      for item in items { try out.putLine(item, withGroup: ofAllGroups) }
    }
    try out.flush()
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
    try put("\(item.protectionClass.name)\t\(item.date(.modificationDate) ?? "-")")
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

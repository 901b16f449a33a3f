internal import ThumbturnAuthentication
internal import ThumbturnKeychain
internal import ThumbturnVault

/// The largest name, label or comment, in bytes.
let nameCountMax = 65_536

/// A name of the command line as the keychain stores it: text, or data when it is not valid UTF-8.
///
/// - Throws: A failure with ``ExitCode/refused`` above ``nameCountMax``.
func attributeValue(
  _ name: [UInt8], _ what: String = "a service or account"
) throws(CommandFailure) -> AttributeValue {
  guard name.count <= nameCountMax else {
    throw CommandFailure(.refused, "\(what) has more than \(nameCountMax) bytes", hint: "use a shorter one")
  }
  return String(validating: name, as: UTF8.self).map { .text($0) } ?? .data(name)
}

/// Which item a command line names.
struct ItemSelection {
  let itemClass: ItemClass
  /// What names it.
  let names: [Attribute: AttributeValue]
  /// What it must have besides.
  let filters: [Attribute: AttributeValue]
  /// Whether no second item of the access group can have these names, but for the synchronizable mark.
  let isExact: Bool
  /// What a prompt for it says. It is shown by the user's own agent, to the user, and may name the item.
  func purpose(_ verb: String = "read the secret of") -> String {
    let named = (itemClass.named.map(\.attribute) + [.label]).compactMap { names[$0] ?? filters[$0] }
    return "\(verb) \(named.prefix(2).map(Self.word).joined(separator: ", "))"
  }

  /// A name as a prompt shows it.
  private static func word(_ name: AttributeValue) -> String {
    let bytes = Array(name.nameBytes.prefix(wordCountMax))
    let shown = escaped(bytes.span)
    return String(decoding: shown, as: UTF8.self)
  }

  /// So much of a name is shown in a prompt, in bytes.
  private static let wordCountMax = 100

  /// A query for it, synchronizable or not: what `list` shows can be read and removed.
  func query(limit: ItemQuery.Limit = .count(1), wantsSecret: Bool = false) -> ItemQuery {
    var query = ItemQuery(itemClass, names.merging(filters) { $1 }, limit: limit, wantsSecret: wantsSecret)
    query.synchronizable = .any
    return query
  }
}

extension Invocation {
  /// The item that the operands or `--url` name, with `--label` and `--comment` as filters; not for `set`, where they are
  /// what to store.
  func selection() throws(CommandFailure) -> ItemSelection {
    let filters = command == .set ? [:] : try texts()
    if let address = try address() {
      // Programs may tell items of one address apart by a security domain or an authentication type.
      return ItemSelection(
        itemClass: .internetPassword, names: try address.exactAttributes(), filters: filters, isExact: false)
    }
    let itemClass = itemClass ?? .genericPassword
    let names = try operandNames(itemClass)
    let isExact = itemClass == .genericPassword && names.count == 2
    return ItemSelection(itemClass: itemClass, names: names, filters: filters, isExact: isExact)
  }

  /// The attributes that the operands give, as many as there are.
  func operandNames(_ itemClass: ItemClass) throws(CommandFailure) -> [Attribute: AttributeValue] {
    var names: [Attribute: AttributeValue] = [:]
    let what = itemClass == .genericPassword ? "a service or account" : "a server or account"
    for (name, operand) in zip(itemClass.named, operands) {
      names[name.attribute] = try attributeValue(operand, what)
    }
    return names
  }

  /// What `--url` says.
  func address() throws(CommandFailure) -> InternetAddress? {
    try values[.url].map { (url) throws(CommandFailure) in try InternetAddress(parsing: url) }
  }

  /// What `--label` and `--comment` say.
  func texts() throws(CommandFailure) -> [Attribute: AttributeValue] {
    var texts: [Attribute: AttributeValue] = [:]
    if let label = values[.label] { texts[.label] = try attributeValue(label, "the label") }
    if let comment = values[.comment] { texts[.comment] = try attributeValue(comment, "the comment") }
    return texts
  }

  /// What `--accessible` says.
  var protectionClass: ProtectionClass? {
    values[.accessible].flatMap { ProtectionName.protectionClass(String(decoding: $0, as: UTF8.self)) }
  }

  /// The caller for the keychain: `--group` names its only access group.
  func caller(in context: CommandContext) throws(CommandFailure) -> Caller {
    guard let value = values[.group] else { return context.caller }
    // No program can name the group "*": on Apple's systems it stands for all of them.
    guard let group = String(validating: value, as: UTF8.self), !group.isEmpty, group != "*" else {
      throw CommandFailure(
        .usage, "--group needs a name of valid UTF-8, and * is none", hint: "thumbturn list --all-groups shows them")
    }
    guard value.count <= nameCountMax else {
      throw CommandFailure(.refused, "the group has more than \(nameCountMax) bytes", hint: "use a shorter one")
    }
    return Caller(accessGroups: [group])
  }
}

extension Command {
  /// Finds the one item that is meant; where more than one fits, none is taken.
  static func findOne(
    _ selection: ItemSelection, wantsSecret: Bool = false, for caller: Caller, in context: CommandContext
  ) throws(CommandFailure) -> FoundItem {
    let limit = ItemQuery.Limit.count(selection.isExact ? 1 : 2)
    // Nobody is asked for a finger for an item that is not meant.
    if wantsSecret, !selection.isExact { _ = try findOne(selection, for: caller, in: context) }
    var query = selection.query(limit: limit, wantsSecret: wantsSecret)
    // Who has to be asked is asked below: the keychain's codes say less of what came of it.
    query.consent = .refuse
    let wanted = query
    let found = try context.withVault { vault throws(KeychainError) -> [FoundItem]? in
      do throws(KeychainError) { return try vault.find(wanted, for: caller) } catch {
        guard wantsSecret, error.code == .interactionNotAllowed, error.cause == nil else { throw error }
        return nil
      }
    }
    guard let found else { return try findAsking(selection, for: caller, in: context) }
    guard found.count < 2 else { throw .moreThanOne }
    guard let item = found.first else { throw CommandFailure(KeychainError(.itemNotFound), in: nil) }
    return item
  }

  /// Finds an item whose secret nobody gets before a person has shown something, and has the agent ask for that.
  private static func findAsking(
    _ selection: ItemSelection, for caller: Caller, in context: CommandContext
  ) throws(CommandFailure) -> FoundItem {
    let agent = try context.agentForPeople()
    let authentication = AuthenticationContext()
    // What was verified is for this item alone.
    defer { authentication.invalidate() }
    authentication.texts = AuthenticationTexts(reason: selection.purpose())
    let location = try context.location()
    func find(_ query: ItemQuery) throws(CommandFailure) -> FoundItem {
      do throws(KeychainError) {
        guard let item = try agent.find(query, for: caller).first else { throw KeychainError(.itemNotFound) }
        return item
      } catch {
        throw error.code == .authenticationFailed && error.cause == nil
          ? CommandFailure(AuthenticationFailure(.authenticationFailed)) : CommandFailure(error, in: location)
      }
    }
    let control = try find(selection.query()).accessControl
    if let control { try ask(for: control.requirement, in: authentication, agent, context) }
    var query = selection.query(wantsSecret: true)
    query.context = authentication
    do { return try find(query) } catch {
      // It is there and not found: the only way out of that is another set of fingers.
      guard error.exitCode == .notFound, control?.conditions.contains(.biometryCurrentSet) == true else { throw error }
      throw CommandFailure(
        .refused, "the item needs one of the fingers of when it was stored, and the set is another one now: it is lost",
        hint: "remove it and store it anew: thumbturn rm, then thumbturn set")
    }
  }

  /// Has the agent ask a person, and says exactly what came of it.
  static func ask(
    for requirement: Requirement, in authentication: AuthenticationContext, anew: Bool = false,
    _ agent: any AgentConnection, _ context: CommandContext
  ) throws(CommandFailure) {
    guard let awaited = Awaited<Result<Set<Factor>, AuthenticationFailure>>() else { throw .noRoomToWait }
    agent.people.evaluate(requirement, authentication.texts, in: authentication, anew: anew) { awaited.give($0) }
    switch awaited.wait(milliseconds: context.evaluationWaitMilliseconds) {
    case .success: return
    case .failure(let failure): throw CommandFailure(failure)
    case nil: throw CommandFailure(AuthenticationFailure(.systemCancel, .agentFailed))
    }
  }
}

extension CommandFailure {
  static var moreThanOne: Self {
    Self(
      .refused, "more than one item fits, nothing was done",
      hint: "say more of it, or name it by --url; thumbturn list shows what there is")
  }
}

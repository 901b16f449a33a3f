/// Who owns a service now, and so whose signals count: a state machine without a bus.
///
/// A match rule with the service's name is no check. The bus stops forged signals that are broadcast, but anybody may
/// send one straight to a connection, and libsystemd delivers it (measured, also under Debian's stock system policy). So a
/// signal counts only from the unique name that owns the service now, and only after the bus has said that this owner's
/// process runs as the user that it must.
struct SenderCheck: Equatable, Sendable {
  enum Owner: Equatable, Sendable {
    /// Nobody.
    case nobody
    /// Its user is not known yet: its signals wait.
    case unverified(String)
    /// Its signals count.
    case trusted(String)
    /// It runs as another user: it counts for nothing.
    case refused(String)
  }

  let service: BusService
  private(set) var owner = Owner.nobody
  /// The owner has changed, and whoever follows the service has not heard of it.
  private(set) var isNews = false

  init(_ service: BusService) { self.service = service }

  /// The bus said who owns the name now; nil or empty is nobody.
  mutating func ownerIs(_ name: String?) {
    isNews = true
    guard let name, !name.isEmpty else { return owner = .nobody }
    owner = service.userID == nil ? .trusted(name) : .unverified(name)
  }

  /// The bus said as which user `name` runs; nil when it does not know, because the connection is gone.
  ///
  /// An answer about one who is not the owner any more is not used.
  mutating func userIs(_ userID: UInt32?, of name: String) {
    guard owner == .unverified(name) else { return }
    owner = userID == service.userID ? .trusted(name) : .refused(name)
  }

  /// The change was told.
  mutating func told() { isNews = false }

  /// The owner whose user has to be asked for.
  var unverified: String? {
    guard case .unverified(let name) = owner else { return nil }
    return name
  }

  /// The owner whose signals count.
  var trusted: String? {
    guard case .trusted(let name) = owner else { return nil }
    return name
  }

  /// Whether a signal of `sender` counts.
  func accepts(_ sender: String) -> Bool { owner == .trusted(sender) }

  /// Whether a signal of `sender` may count, once its user is known.
  func mayAccept(_ sender: String) -> Bool { accepts(sender) || owner == .unverified(sender) }
}

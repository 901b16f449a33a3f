internal import ThumbturnAgentClient
internal import ThumbturnCrypto
package import ThumbturnKeychain

/// The groups that the user gave to programs in `programs.json`, and `default` for all others.
///
/// A group that an application or unit has is nobody else's: a program that claims it does not get it. Everything that is
/// given by executable is advisory, because a program can be started as another's.
package struct ProgramGroups: GroupPolicy {
  private let programs: @Sendable () -> ProgramsFile
  private let identify: @Sendable (AgentPeer) -> (identity: ProgramIdentity, executable: String?)

  /// By the user's file, which is read anew at every request, and by what /proc says of the client.
  package init() { self.init(programs: { .standard() }, identify: { PeerIdentity.of($0) }) }

  /// By other ones, for tests.
  package init(
    programs: @escaping @Sendable () -> ProgramsFile,
    identify: @escaping @Sendable (AgentPeer) -> (identity: ProgramIdentity, executable: String?)
  ) {
    self.programs = programs
    self.identify = identify
  }

  package func caller(_ claimed: Caller, from peer: AgentPeer) -> Caller {
    let programs = programs()
    guard !programs.isEmpty else { return claimed }
    if programs.isUnusable {
      let groups = claimed.accessGroups.filter { Caller().accessGroups.contains($0) }
      return Caller(accessGroups: groups, appClipGroup: claimed.appClipGroup)
    }
    let (identity, executable) = identify(peer)
    if let own = programs.groups(of: identity) {
      // A program may ask for fewer than it has; who asks for none of them has none (-34018).
      let named = claimed.accessGroups.filter { own.contains($0) }
      let isDefault = claimed.accessGroups == Caller().accessGroups
      return Caller(accessGroups: isDefault ? own : named, appClipGroup: claimed.appClipGroup)
    }
    var groups = claimed.accessGroups
    if groups == Caller().accessGroups, let advised = programs.groups(ofExecutable: executable) { groups = advised }
    return Caller(
      accessGroups: groups.filter { !programs.reserved.contains($0) }, appClipGroup: claimed.appClipGroup)
  }

  package func visible(_ groups: [String], to peer: AgentPeer) -> [String] {
    let programs = programs()
    guard !programs.isEmpty else { return groups }
    if programs.isUnusable { return groups.filter { Caller().accessGroups.contains($0) } }
    if let own = programs.groups(of: identify(peer).identity) { return groups.filter { own.contains($0) } }
    return groups.filter { !programs.reserved.contains($0) }
  }
}

/// What /proc says of a client.
package enum PeerIdentity {
  /// Nothing is believed of a process that has ended: another one may have its number.
  package static func of(_ peer: AgentPeer) -> (identity: ProgramIdentity, executable: String?) {
    guard let handle = peer.handle else { return (.plain, nil) }
    let cgroup = system_text(of: "/proc/\(peer.process)/cgroup", countMax: 4_096)
    let executable = system_linkTarget(of: "/proc/\(peer.process)/exe")
    guard system_isRunning(handle: handle) else { return (.plain, nil) }
    return (cgroup.map { ProgramIdentity(cgroup: $0) } ?? .plain, executable)
  }
}

import Foundation
import Glibc

/// A bus of a test's own.
final class PrivateBus: Sendable {
  /// What the bus allows.
  enum Policy: String, CaseIterable, Sendable {
    /// Everything, also answers that nobody asked for.
    case open
    /// What Debian's system bus allows, and in addition what the configurations of the services do.
    case stock
  }

  let folder: String
  let address: String
  private let socket: String
  private let configuration: String

  /// Writes the configuration; ``start()`` starts the bus.
  ///
  /// - Parameter activatable: Services that the bus can start, each with its program.
  init(_ policy: Policy = .open, activatable: [String: String] = [:]) throws {
    folder = NSTemporaryDirectory() + "tt-bus-\(UUID().uuidString.prefix(8))"
    // Open to all, because some tests come as another user.
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o755])
    socket = folder + "/socket"
    address = "unix:path=\(socket)"
    configuration = folder + "/bus.conf"
    for (name, program) in activatable {
      try "[D-BUS Service]\nName=\(name)\nExec=\(program.replacing("FOLDER", with: folder))\n"
        .write(toFile: "\(folder)/\(name).service", atomically: true, encoding: .utf8)
    }
    try Self.configuration(policy, socket: socket).write(toFile: configuration, atomically: true, encoding: .utf8)
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// Starts the bus, and waits until it listens.
  func start() throws -> Service {
    try? FileManager.default.removeItem(atPath: socket)
    let bus = try Service(
      ["dbus-daemon", "--config-file=\(configuration)", "--nofork", "--nopidfile", "--print-address"])
    guard bus.line() != nil else { throw Service.Failure(description: "dbus-daemon does not listen") }
    try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: socket)
    return bus
  }

  private static func configuration(_ policy: Policy, socket: String) throws -> String {
    let rules: String
    switch policy {
    case .open:
      rules = """
          <policy context="default">
            <allow user="*"/><allow own="*"/><allow eavesdrop="true"/>
            <allow send_type="method_call"/><allow send_type="signal"/>
            <allow send_type="method_return"/><allow send_type="error"/>
            <allow send_requested_reply="false"/><allow receive_requested_reply="false"/>
            <allow receive_type="method_call"/><allow receive_type="signal"/>
            <allow receive_type="method_return"/><allow receive_type="error"/>
          </policy>
        """
    case .stock:
      let system = try String(contentsOfFile: "/usr/share/dbus-1/system.conf", encoding: .utf8)
      guard let start = system.range(of: "<policy context=\"default\">") else {
        throw Service.Failure(description: "system.conf has no default policy")
      }
      let stock = system[start.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
        .filter { !$0.contains("<include") && !$0.contains("</busconfig>") }.joined(separator: "\n")
      let services = ["org.freedesktop.login1", "net.reactivated.Fprint", "org.freedesktop.PolicyKit1"]
      rules = """
        \(stock)
          <policy user="\(geteuid())">\(services.map { "<allow own=\"\($0)\"/>" }.joined())</policy>
          <policy user="polkitd"><allow own="org.freedesktop.PolicyKit1"/></policy>
          <policy context="default">\(services.map { "<allow send_destination=\"\($0)\"/>" }.joined())</policy>
        """
    }
    return """
      <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
        "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
      <busconfig>
        <type>\(policy == .stock ? "system" : "custom")</type>
        <listen>unix:path=\(socket)</listen>
        <auth>EXTERNAL</auth>
        <servicedir>\((socket as NSString).deletingLastPathComponent)</servicedir>
      \(rules)
      </busconfig>
      """
  }
}

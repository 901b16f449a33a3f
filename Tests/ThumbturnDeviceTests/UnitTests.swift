import Foundation
import Testing

@testable import ThumbturnDevice

@Suite("The units of the agent")
struct UnitTests {
  private static let names = ["thumbturnd.socket", "thumbturnd.service"]

  private static func text(_ name: String) throws -> String {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    return try String(contentsOf: root.appending(path: "data/\(name)"), encoding: .utf8)
  }

  /// What systemd-analyze complains of, once the units stand in a folder with a program that exists.
  private static func complaints(plant: String = "") throws -> String {
    let tool = "/usr/bin/systemd-analyze"
    guard FileManager.default.isExecutableFile(atPath: tool) else {
      try leaveOut("systemd-analyze: the check of the units was left out, this machine has no \(tool)")
      return ""
    }
    let folder = try ScratchPath()
    for name in names {
      let unit = try text(name).replacing("@libexec@/thumbturnd", with: "/bin/true") + (name == names[1] ? plant : "")
      try unit.write(toFile: "\(folder.path)/\(name)", atomically: true, encoding: .utf8)
    }
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: tool)
    process.arguments = ["verify", "--user", "--man=no"] + names.map { "\(folder.path)/\($0)" }
    process.environment = ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path, "PATH": "/usr/bin:/bin"]
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let said = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: said, as: UTF8.self) + (process.terminationStatus == 0 ? "" : "failed")
  }

  @Test("are what systemd understands")
  func verified() throws { #expect(try Self.complaints() == "") }

  @Test("are refused with a mistake in them")
  func mistake() throws {
    #expect(try Self.complaints(plant: "\n[Service]\nRestartSecc=1\n").contains("RestartSecc"))
  }

  @Test(
    "make a socket of packets that is its user's alone, where clients look for it",
    arguments: ["ListenSequentialPacket=%t/thumbturn/agent.sock", "SocketMode=0600", "DirectoryMode=0700"])
  func socket(line: String) throws {
    #expect(try Self.text("thumbturnd.socket").split(separator: "\n").contains { $0 == line })
  }

  @Test(
    "give the agent no more than it needs",
    arguments: [
      "UMask=0077", "LimitCORE=0", "NoNewPrivileges=yes", "MemoryDenyWriteExecute=yes",
      "RestrictAddressFamilies=AF_UNIX", "SystemCallFilter=@system-service", "MemoryMax=1G", "Restart=on-failure",
    ])
  func hardened(line: String) throws {
    #expect(try Self.text("thumbturnd.service").split(separator: "\n").contains { $0 == line })
  }

  @Test(
    "claim nothing that a user's systemd does not enforce",
    arguments: ["ProtectSystem", "ProtectHome", "PrivateTmp", "PrivateNetwork", "PrivateUsers", "ReadWritePaths"])
  func notClaimed(setting: String) throws {
    #expect(try !Self.text("thumbturnd.service").split(separator: "\n").contains { $0.hasPrefix(setting) })
  }
}

import Foundation

/// What a program did to a disk, in the order in which it did it.
enum DiskEvent {
  case makeFolder(path: String)
  case makeFile(path: String)
  case write(path: String, offset: Int, bytes: [UInt8])
  case truncate(path: String, count: Int)
  case synchronize(path: String)
  case link(old: String, new: String)
  case rename(old: String, new: String)
  case remove(path: String)
  /// The program said that it is done with so many changes.
  case acknowledge(Int)
}

/// Reads strace's record of a program: every call, ours and SQLite's, as the kernel saw it.
///
/// Records paths as they were when a file was opened, followed through later names.
struct Trace {
  static let calls = [
    "openat", "?open", "?creat", "close", "?dup2", "dup", "dup3", "fcntl", "write", "pwrite64", "writev", "pwritev",
    "ftruncate", "?truncate", "fallocate", "fsync", "fdatasync", "?rename", "?renameat", "renameat2", "?link", "linkat",
    "?unlink", "unlinkat", "?mkdir", "mkdirat", "?rmdir",
  ]

  private struct File {
    var path: String
    var offset = 0
  }

  private let home: String
  private var files: [Int: File] = [:]
  private var known: Set<String> = []
  private(set) var events: [DiskEvent] = []

  /// - Parameter home: What lies under it is the disk; everything else is passed over.
  init(reading path: String, home: String) throws {
    self.home = home
    for line in try Files.read(path).split(separator: UInt8(ascii: "\n")) {
      guard let call = TracedCall(line) else { continue }
      try add(call)
    }
  }

  private mutating func add(_ call: TracedCall) throws {
    guard call.answer >= 0 else { return }
    switch call.name {
    case "openat": try open(call)
    case "close": files[try call.number(0)] = nil
    case "fcntl":
      if call.arguments[1].hasPrefix("F_DUPFD") { files[call.answer] = files[try call.number(0)] }
    case "dup", "dup2", "dup3": files[call.answer] = files[try call.number(0)]
    case "write":
      let descriptor = try call.number(0)
      let bytes = try call.text(1, count: call.answer)
      if descriptor == 1 { acknowledge(bytes) }
      guard let file = files[descriptor] else { return }
      events.append(.write(path: file.path, offset: file.offset, bytes: bytes))
      files[descriptor]?.offset += bytes.count
    case "pwrite64":
      guard let file = files[try call.number(0)] else { return }
      events.append(
        .write(path: file.path, offset: try call.number(3), bytes: try call.text(1, count: call.answer)))
    case "ftruncate":
      if let file = files[try call.number(0)] { events.append(.truncate(path: file.path, count: try call.number(1))) }
    case "fsync", "fdatasync":
      if let file = files[try call.number(0)] { events.append(.synchronize(path: file.path)) }
    case "mkdir", "mkdirat":
      if let path = try path(call, at: call.name == "mkdir" ? 0 : 1) { events.append(.makeFolder(path: path)) }
    case "unlink", "unlinkat":
      if let path = try path(call, at: call.name == "unlink" ? 0 : 1) { remove(path) }
    case "rename", "renameat", "renameat2": try rename(call)
    case "linkat":
      guard let old = try path(call, at: 1), let new = try path(call, at: 3) else { return }
      known.insert(new)
      events.append(.link(old: old, new: new))
    default:
      // A call that nobody here understands must not be passed over when it is about the vault.
      let isOurs = try call.arguments.indices.contains { index in
        if index == 0, let number = Int(call.arguments[0]), files[number] != nil { return true }
        return try path(call, at: index) != nil
      }
      if isOurs { throw Fault("the recorder does not know \(call.name)") }
    }
  }

  private mutating func acknowledge(_ bytes: [UInt8]) {
    for line in String(decoding: bytes, as: UTF8.self).split(separator: "\n") where line.hasPrefix("done ") {
      if let count = Int(line.dropFirst(5)) { events.append(.acknowledge(count)) }
    }
  }

  private mutating func open(_ call: TracedCall) throws {
    guard let path = try path(call, at: 1) else {
      files[call.answer] = nil
      return
    }
    files[call.answer] = File(path: path)
    if call.arguments[2].contains("O_CREAT"), known.insert(path).inserted { events.append(.makeFile(path: path)) }
    if call.arguments[2].contains("O_TRUNC") { events.append(.truncate(path: path, count: 0)) }
  }

  private mutating func remove(_ path: String) {
    known.remove(path)
    // An open file without a name goes on, but nobody finds it again.
    for (number, file) in files where file.path == path {
      files[number] = File(path: path + " removed", offset: file.offset)
    }
    events.append(.remove(path: path))
  }

  private mutating func rename(_ call: TracedCall) throws {
    let isPlain = call.name == "rename"
    guard let old = try path(call, at: isPlain ? 0 : 1), let new = try path(call, at: isPlain ? 1 : 3) else { return }
    known.remove(old)
    known.insert(new)
    for (number, file) in files where file.path == old { files[number]?.path = new }
    events.append(.rename(old: old, new: new))
  }

  /// The path of an argument inside the home, or nil. A name is relative to the folder in the argument before it.
  private func path(_ call: TracedCall, at index: Int) throws -> String? {
    guard call.arguments.indices.contains(index), call.arguments[index].hasPrefix("\"") else { return nil }
    var name = String(decoding: try call.text(index), as: UTF8.self)
    if !name.hasPrefix("/") {
      guard index > 0, let number = Int(call.arguments[index - 1]), let folder = files[number] else { return nil }
      name = home + "/" + folder.path + (name == "." ? "" : "/" + name)
    }
    if name == home { return "" }
    return name.hasPrefix(home + "/") ? String(name.dropFirst(home.count + 1)) : nil
  }
}

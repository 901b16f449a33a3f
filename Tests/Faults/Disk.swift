/// A disk as it may be after the power went: what was synchronised is there, of everything else any part.
///
/// Stricter than any file system of today: names are on the disk only after an fsync of their folder, content only after
/// one of the file, and what was not synchronised may be there in any selection, in any order, torn at 512 bytes.
struct Disk {
  static let sectorBytes = 512

  /// A change that is not on the disk for certain.
  enum Pending {
    case write(file: Int, offset: Int, bytes: [UInt8])
    case truncate(file: Int, count: Int)
    case setName(folder: Int, name: String, node: Int)
    case dropName(folder: Int, name: String)
    /// One step, as rename(2) promises.
    case moveName(folder: Int, old: String, new: String, node: Int)

    var isName: Bool {
      switch self {
      case .write, .truncate: false
      case .setName, .dropName, .moveName: true
      }
    }

    /// What an fsync must be given to put it on the disk.
    var node: Int {
      switch self {
      case .write(let node, _, _), .truncate(let node, _), .setName(let node, _, _), .dropName(let node, _),
        .moveName(let node, _, _, _):
        node
      }
    }
  }

  /// How much of a pending change is on the disk.
  enum Part {
    case nothing, all
    /// Of a write, the sectors for which the bit is set (of a pattern that repeats).
    case torn(UInt64)
  }

  private struct Node {
    let isFolder: Bool
    var content: [UInt8] = []
    var names: [String: Int] = [:]
  }

  private var nodes = [Node(isFolder: true)]
  private(set) var pending: [Pending] = []
  /// What the running program sees: paths and their nodes.
  private var live: [String: Int] = ["": 0]
  private(set) var acknowledgedCount = 0

  /// The folder in which the home lies; the home itself is a name in it.
  mutating func apply(_ event: DiskEvent) throws {
    switch event {
    case .makeFolder(let path): try make(path, isFolder: true)
    case .makeFile(let path): try make(path, isFolder: false)
    case .write(let path, let offset, let bytes):
      if let node = live[path] { pending.append(.write(file: node, offset: offset, bytes: bytes)) }
    case .truncate(let path, let count):
      if let node = live[path] { pending.append(.truncate(file: node, count: count)) }
    case .synchronize(let path): if let node = live[path] { synchronize(node) }
    case .link(let old, let new):
      guard let node = live[old] else { throw Fault("a link to what is not there: \(old)") }
      live[new] = node
      pending.append(.setName(folder: try folder(new), name: Self.last(new), node: node))
    case .rename(let old, let new):
      guard let node = live.removeValue(forKey: old), try folder(old) == folder(new) else {
        throw Fault("a rename that is not understood: \(old)")
      }
      live[new] = node
      pending.append(
        .moveName(folder: try folder(new), old: Self.last(old), new: Self.last(new), node: node))
    case .remove(let path):
      guard live.removeValue(forKey: path) != nil else { throw Fault("removed what is not there: \(path)") }
      pending.append(.dropName(folder: try folder(path), name: Self.last(path)))
    case .acknowledge(let count): acknowledgedCount = count
    }
  }

  private mutating func make(_ path: String, isFolder: Bool) throws {
    nodes.append(Node(isFolder: isFolder))
    live[path] = nodes.count - 1
    pending.append(.setName(folder: try folder(path), name: Self.last(path), node: nodes.count - 1))
  }

  private mutating func synchronize(_ node: Int) {
    for change in pending where change.node == node { Self.put(change, .all, in: &nodes) }
    pending.removeAll { $0.node == node }
  }

  private func folder(_ path: String) throws -> Int {
    let parent = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
    guard let node = live[parent] else { throw Fault("a name in a folder that is not there: \(path)") }
    return node
  }

  private static func last(_ path: String) -> String { String(path.split(separator: "/").last ?? "") }

  /// The disk with these parts of what is pending, in this order.
  func picture(_ parts: [(index: Int, part: Part)]) -> Picture {
    var after = nodes
    for (index, part) in parts { Self.put(pending[index], part, in: &after) }
    var picture = Picture()
    var placeOf: [Int: String] = [:]
    func walk(_ node: Int, _ path: String) {
      for (name, child) in after[node].names.sorted(by: { $0.key < $1.key }) {
        let place = path.isEmpty ? name : path + "/" + name
        if after[child].isFolder {
          picture.folders.append(place)
          walk(child, place)
        } else if let first = placeOf[child] {
          picture.links[place] = first
        } else {
          placeOf[child] = place
          picture.files[place] = after[child].content
        }
      }
    }
    walk(0, "")
    picture.folders.sort()
    return picture
  }

  private static func put(_ change: Pending, _ part: Part, in nodes: inout [Node]) {
    if case .nothing = part { return }
    switch change {
    case .write(let file, let offset, let bytes): write(bytes, at: offset, part, in: &nodes[file].content)
    case .truncate(let file, let count):
      let had = nodes[file].content.count
      if had > count { nodes[file].content.removeLast(had - count) }
      if had < count { nodes[file].content += [UInt8](repeating: 0, count: count - had) }
    case .setName(let folder, let name, let node): nodes[folder].names[name] = node
    case .dropName(let folder, let name): nodes[folder].names[name] = nil
    case .moveName(let folder, let old, let new, let node):
      if nodes[folder].names[old] == node { nodes[folder].names[old] = nil }
      nodes[folder].names[new] = node
    }
  }

  private static func write(_ bytes: [UInt8], at offset: Int, _ part: Part, in content: inout [UInt8]) {
    var pattern = UInt64.max
    if case .torn(let bits) = part { pattern = bits }
    var at = 0
    while at < bytes.count {
      let sector = (offset + at) / sectorBytes
      let end = min(bytes.count, (sector + 1) * sectorBytes - offset)
      if pattern & (1 << UInt64(sector % 64)) != 0 {
        if content.count < offset + end { content += [UInt8](repeating: 0, count: offset + end - content.count) }
        content.replaceSubrange((offset + at)..<(offset + end), with: bytes[at..<end])
      }
      at = end
    }
  }
}

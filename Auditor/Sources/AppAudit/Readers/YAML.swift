import CYaml

/// A document of YAML: what `project.yml` is written in. Anchors and aliases are put in; tags are not looked at.
indirect enum YAML: Hashable, Sendable {
  case scalar(String)
  case sequence([YAML])
  case mapping([Entry])

  struct Entry: Hashable, Sendable {
    var key: String
    var line: Int
    var value: YAML
  }

  /// Levels, and values with those that aliases repeat: a small file must not become a large tree.
  private static let depthMax = 64
  private static let countMax = 200_000
  /// Of a document: the reader's time grows with the square of its brackets.
  private static let sizeBytesMax = 1 << 20

  subscript(key: String) -> YAML? {
    if case .mapping(let entries) = self { entries.last { $0.key == key }?.value } else { nil }
  }

  var entries: [Entry] { if case .mapping(let entries) = self { entries } else { [] } }
  var items: [YAML] { if case .sequence(let items) = self { items } else { [] } }
  var string: String? { if case .scalar(let text) = self { text } else { nil } }

  /// The first document of the text; nil where it cannot be read.
  static func read(_ bytes: [UInt8]) -> YAML? {
    guard bytes.count <= sizeBytesMax, !isTooDeep(bytes) else { return nil }
    var parser = unsafe yaml_parser_t()
    guard unsafe yaml_parser_initialize(&parser) == 1 else { return nil }
    defer { unsafe yaml_parser_delete(&parser) }
    // The parser keeps the pointer until it is deleted, so all of it happens inside.
    return unsafe bytes.withUnsafeBufferPointer { text in
      unsafe yaml_parser_set_input_string(&parser, text.baseAddress, text.count)
      var document = unsafe yaml_document_t()
      guard unsafe yaml_parser_load(&parser, &document) == 1 else { return nil }
      defer { unsafe yaml_document_delete(&document) }
      var count = 0
      return unsafe node(1, in: &document, depth: 0, &count)
    }
  }

  /// Whether more brackets are open than are read; those in quotes count as well.
  private static func isTooDeep(_ bytes: [UInt8]) -> Bool {
    var depth = 0
    for byte in bytes {
      switch byte {
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      default: continue
      }
      if depth > depthMax { return true }
    }
    return false
  }

  @unsafe private static func node(
    _ index: Int32, in document: inout yaml_document_t, depth: Int, _ count: inout Int
  ) -> YAML? {
    count += 1
    guard depth < depthMax, count < countMax, let node = unsafe yaml_document_get_node(&document, index) else {
      return nil
    }
    switch unsafe node.pointee.type {
    case YAML_SCALAR_NODE:
      let scalar = unsafe node.pointee.data.scalar
      let text = unsafe UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      return unsafe .scalar(String(decoding: text, as: UTF8.self))
    case YAML_SEQUENCE_NODE:
      var items: [YAML] = []
      var item = unsafe node.pointee.data.sequence.items.start
      let end = unsafe node.pointee.data.sequence.items.top
      while let current = unsafe item, unsafe current != end {
        if let value = unsafe Self.node(current.pointee, in: &document, depth: depth + 1, &count) {
          items.append(value)
        }
        unsafe item = current + 1
      }
      return .sequence(items)
    case YAML_MAPPING_NODE:
      var entries: [Entry] = []
      let line = unsafe Int(node.pointee.start_mark.line) + 1
      var pair = unsafe node.pointee.data.mapping.pairs.start
      let end = unsafe node.pointee.data.mapping.pairs.top
      while let current = unsafe pair, unsafe current != end {
        let keyLine = unsafe yaml_document_get_node(&document, current.pointee.key).map {
          unsafe Int($0.pointee.start_mark.line) + 1
        }
        if let key = unsafe Self.node(current.pointee.key, in: &document, depth: depth + 1, &count)?.string,
          let value = unsafe Self.node(current.pointee.value, in: &document, depth: depth + 1, &count)
        {
          entries.append(Entry(key: key, line: keyLine ?? line, value: value))
        }
        unsafe pair = current + 1
      }
      return .mapping(entries)
    default: return nil
    }
  }
}

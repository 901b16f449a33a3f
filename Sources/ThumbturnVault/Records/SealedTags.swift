internal import ThumbturnCrypto

/// The sealed tags of a record: (attribute number (2), the first 8 bytes of its tag) of every searchable attribute that has
/// no column, padded and sealed under the tag key. Opened only for queries that name such an attribute (VAULT.md §3).
enum SealedTags {
  private static let entryCount = 2 + RecordTag.shortCount

  static func seal(
    _ tags: [RecordQuery.Sealed], uuid: Span<UInt8>, version: Span<UInt8>, _ keys: RecordKeys,
    _ fresh: inout FreshBytes
  ) throws(VaultError) -> [UInt8] {
    let count = tags.count * entryCount
    var text = [UInt8](repeating: 0, count: Padding.paddedCount(count))
    var out = text.mutableSpan
    var at = 0
    out.putNumber(UInt64(count), count: Padding.lengthCount, at: &at)
    for entry in tags {
      out.putNumber(UInt64(entry.number), count: 2, at: &at)
      out.put(entry.tag.bytes.span.extracting(0..<RecordTag.shortCount), at: &at)
    }
    var aad = InlineArray<48, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    RecordBinding.tags(uuid: uuid, version: version, keys, into: &aadOut)
    return try keys.withKey(.tags) { (key) throws(VaultError) in
      try keys.seal(key: key, aad: aad.span, text.span, &fresh)
    }
  }

  /// Whether a record's blob holds every one of `wanted`.
  static func contain(
    _ wanted: [RecordQuery.Sealed], _ columns: borrowing RecordBinding.Columns, _ keys: RecordKeys
  ) throws(VaultError) -> Bool {
    var aad = InlineArray<48, UInt8>(repeating: 0)
    var aadOut = aad.mutableSpan
    RecordBinding.tags(uuid: columns.uuid, version: columns.version, keys, into: &aadOut)
    let box = columns.tagBlob
    guard box.count >= AESGCM.overhead, box.count <= RecordLimits.inlineBoxCountMax else {
      throw VaultError(.damagedRecord, "a tag blob has a wrong size")
    }
    var text = [UInt8](repeating: 0, count: box.count - AESGCM.overhead)
    var out = text.mutableSpan
    try keys.withKey(.tags) { (key) throws(VaultError) in
      try keys.open(key: key, aad: aad.span, box, into: &out)
    }
    let content = try Padding.content(text.span)
    guard content.count.isMultiple(of: entryCount) else {
      throw VaultError(.damagedRecord, "a tag blob has a wrong size")
    }
    let entries = text.span.extracting(content)
    for condition in wanted {
      var isThere = false
      for start in stride(from: 0, to: entries.count, by: entryCount) {
        let number = entries.number(at: start, count: 2)
        let tag = entries.extracting((start + 2)..<(start + entryCount))
        if number == UInt64(condition.number),
          tag.equals(condition.tag.bytes.span.extracting(0..<RecordTag.shortCount))
        {
          isThere = true
        }
      }
      guard isThere else { return false }
    }
    return true
  }
}

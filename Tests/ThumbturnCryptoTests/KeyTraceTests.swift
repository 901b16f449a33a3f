internal import TestFixtures
internal import Testing

@testable internal import ThumbturnCrypto

/// What keys leave in ordinary memory, which swap, a core dump and a forked child have: nothing, also while the objects
/// that use them live (ATTACKS.md 15). Serialized: each scan looks at the memory of the whole process.
@Suite("Traces of keys in memory", .serialized)
struct KeyTraceTests {
  private let message = Array("a message of more than one block of SHA-256: ".utf8) + [UInt8](repeating: 7, count: 100)

  /// Looks for the traces of `key`: none in ordinary memory, and those of `held` in pages for secrets.
  private func expectTraces(
    of key: borrowing SecretBytes, _ held: [String: Int] = ["k: the key": 1],
    at place: SourceLocation = #_sourceLocation
  ) throws {
    var traces = KeyTraces()
    traces.add("k", key.bytes)
    let areLocked = key.isLocked
    let places = try #require(traces.places(areLocked: areLocked))
    #expect(places.elsewhere == [:], sourceLocation: place)
    #expect(places.inSecretPages == held, sourceLocation: place)
  }

  @Test("HMAC keeps the states after its key in pages for secrets alone, and they go with it")
  func leavesNoTraceOfHMAC() throws {
    let key = try SecretBytes.random(count: 32)
    do {
      let mac = try HMAC(key: key.bytes)
      var sum = [UInt8](repeating: 0, count: 32)
      for count in [0, 1, 36, 64, message.count] {
        var out = sum.mutableSpan
        try mac.sum(message.span.extracting(0..<count), message.span, into: &out)
        var short = out._mutatingExtracting(0..<16)
        try mac.sum(message.span.extracting(0..<count), into: &short)
      }
      // The states after the key, once: the copy that the sums worked on is wiped, and so are the blocks of the key.
      try expectTraces(of: key, ["k: the key": 1, "k: its inner state": 1, "k: its outer state": 1])
    }
    try expectTraces(of: key)
  }

  @Test("AES-GCM forgets its key after each call, also after one that fails")
  func leavesNoTraceOfAESGCM() throws {
    let key = try SecretBytes.random(count: 32)
    let cipher = try AESGCM()
    var box = [UInt8](repeating: 0, count: message.count + AESGCM.overhead)
    var out = box.mutableSpan
    try cipher.seal(key: key.bytes, aad: message.span, message.span, into: &out)
    try expectTraces(of: key)
    var text = [UInt8](repeating: 0, count: message.count)
    var textOut = text.mutableSpan
    try cipher.open(key: key.bytes, aad: message.span, box.span, into: &textOut)
    #expect(text == message)
    try expectTraces(of: key)
    box[20] ^= 1
    #expect(throws: CryptoError(.notAuthentic, "")) {
      var out = text.mutableSpan
      try cipher.open(key: key.bytes, aad: message.span, box.span, into: &out)
    }
    try expectTraces(of: key)
    // It is still in use, and works.
    var again = box.mutableSpan
    try cipher.seal(key: key.bytes, aad: Span(), message.span, into: &again)
  }

  @Test("HKDF leaves nothing of the key that it reads, of what it extracts, and of what it derives")
  func leavesNoTraceOfHKDF() throws {
    let key = try SecretBytes.random(count: 32)
    let derived = try HKDF.derive(key: key.bytes, salt: message.span, info: message.span)
    try expectTraces(of: key)
    try expectTraces(of: derived)
    // RFC 5869: the extracted key is the HMAC of the input under the salt.
    let extracted = try SecretBytes(count: 32) { (out: inout MutableSpan<UInt8>) throws(CryptoError) in
      try HMAC(key: message.span).sum(key.bytes, into: &out)
    }
    try expectTraces(of: extracted)
  }

  @Test("key wrap leaves nothing of the wrapping key and of the wrapped one")
  func leavesNoTraceOfKeyWrap() throws {
    let wrapping = try SecretBytes.random(count: 32)
    let key = try SecretBytes.random(count: 32)
    var wrap = try KeyWrap.wrap(key.bytes, under: wrapping.bytes)
    do {
      let unwrapped = try KeyWrap.unwrap(wrap.span, under: wrapping.bytes)
      let isSame = unwrapped.isEqual(to: key)
      #expect(isSame)
      try expectTraces(of: key, ["k: the key": 2])
    }
    wrap[5] ^= 1
    #expect(throws: CryptoError(.notAuthentic, "")) { _ = try KeyWrap.unwrap(wrap.span, under: wrapping.bytes) }
    try expectTraces(of: wrapping)
    try expectTraces(of: key)
  }

  @Test("the scan finds a planted copy of every trace")
  func scanFindsPlantedTraces() throws {
    let key = try SecretBytes.random(count: 32)
    var traces = KeyTraces()
    traces.add("k", key.bytes)
    let areLocked = key.isLocked
    let before = try #require(traces.places(areLocked: areLocked))
    #expect(before.elsewhere == [:])
    let planted = traces.planted()
    let found = try #require(traces.places(areLocked: areLocked)).elsewhere
    #expect(
      found == [
        "k: the key": 1, "k: the key in turned words": 1, "k: its inner block": 1, "k: its outer block": 1,
        "k: its inner state": 1, "k: its outer state": 1,
      ])
    #expect(planted.count == 6)
  }
}

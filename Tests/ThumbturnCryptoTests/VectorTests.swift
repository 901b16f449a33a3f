internal import Testing

@testable internal import ThumbturnCrypto

@Suite("Published vectors")
struct VectorTests {
  @Test("HMAC-SHA-256 gives the sums of RFC 4231, whole and cut short, in one part and in two")
  func hmac() throws {
    let vectors = try Vectors.load("hmac-sha-256")
    #expect(vectors.count == 3)
    for vector in vectors {
      let key = try #require(vector["key"])
      let message = try #require(vector["message"])
      let sum = try #require(vector["sum"])
      let context = try HMAC(key: key.span)
      // Twice, because the context is kept.
      for count in [32, 32, 16] {
        var out = [UInt8](repeating: 0, count: count)
        var span = out.mutableSpan
        try context.sum(message.span, into: &span)
        #expect(out == Array(sum.prefix(count)))
        span = out.mutableSpan
        let cut = message.count / 3
        let parts = message.span
        try context.sum(parts.extracting(0..<cut), parts.extracting(cut..<message.count), into: &span)
        #expect(out == Array(sum.prefix(count)))
      }
    }
  }

  @Test("HKDF-SHA-256 gives the keys of RFC 5869")
  func hkdf() throws {
    let vectors = try Vectors.load("hkdf-sha-256")
    #expect(vectors.count == 3)
    for vector in vectors {
      let key = try #require(vector["key"])
      let salt = try #require(vector["salt"])
      let info = try #require(vector["info"])
      let expected = try #require(vector["derived"])
      let derived = try HKDF.derive(key: key.span, salt: salt.span, info: info.span, count: expected.count)
      #expect(derived.bytes.copied() == expected)
    }
  }

  @Test("AES-256-GCM gives the boxes of its authors, and opens them")
  func gcm() throws {
    let vectors = try Vectors.load("aes-256-gcm")
    #expect(vectors.count == 3)
    let cipher = try AESGCM()
    for vector in vectors {
      let key = try #require(vector["key"])
      let nonce = try #require(vector["nonce"])
      let aad = try #require(vector["aad"])
      let text = try #require(vector["text"])
      let expected = try nonce + #require(vector["box"]) + #require(vector["tag"])
      var box = [UInt8](repeating: 0, count: text.count + 28)
      var out = box.mutableSpan
      try cipher.seal(key: key.span, nonce: InlineArray { nonce[$0] }, aad: aad.span, text.span, into: &out)
      #expect(box == expected)
      var opened = [UInt8](repeating: 1, count: text.count)
      out = opened.mutableSpan
      try cipher.open(key: key.span, aad: aad.span, box.span, into: &out)
      #expect(opened == text)
    }
  }

  @Test("AES key wrap gives the wraps of RFC 3394, and unwraps them")
  func wrap() throws {
    let vectors = try Vectors.load("aes-256-wrap")
    #expect(vectors.count == 3)
    for vector in vectors {
      let under = try #require(vector["under"])
      let key = try #require(vector["key"])
      let expected = try #require(vector["wrap"])
      #expect(try KeyWrap.wrap(key.span, under: under.span) == expected)
      let unwrapped = try KeyWrap.unwrap(expected.span, under: under.span)
      #expect(unwrapped.bytes.copied() == key)
    }
  }

  @Test("SHA-256 gives the digest of FIPS 180's example")
  func digest() throws {
    var out = [UInt8](repeating: 0, count: 32)
    var span = out.mutableSpan
    try sha256("abc".utf8Span.span, into: &span)
    #expect(out == Vectors.bytes("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"))
  }
}

@Suite("Sealing")
struct SealingTests {
  @Test("a box with any bit changed does not open, and leaves nothing behind")
  func changedBoxes() throws {
    let cipher = try AESGCM()
    let key = [UInt8](repeating: 7, count: 32)
    let text = Array("attack at dawn".utf8)
    var box = [UInt8](repeating: 0, count: text.count + 28)
    var out = box.mutableSpan
    try cipher.seal(key: key.span, aad: key.span, text.span, into: &out)
    for bit in 0..<(box.count * 8) {
      box[bit / 8] ^= 1 << UInt8(bit % 8)
      var opened = [UInt8](repeating: 1, count: text.count)
      #expect(throws: CryptoError(.notAuthentic, "")) {
        var span = opened.mutableSpan
        try cipher.open(key: key.span, aad: key.span, box.span, into: &span)
      }
      #expect(opened == [UInt8](repeating: 0, count: text.count))
      box[bit / 8] ^= 1 << UInt8(bit % 8)
    }
  }

  @Test("a box does not open with other additional data, another key, or cut short")
  func foreignBoxes() throws {
    let cipher = try AESGCM()
    let key = [UInt8](repeating: 7, count: 32)
    let other = [UInt8](repeating: 8, count: 32)
    var box = [UInt8](repeating: 0, count: 40)
    var out = box.mutableSpan
    try cipher.seal(key: key.span, aad: key.span, key.span.extracting(0..<12), into: &out)
    func open(key: [UInt8], aad: [UInt8], count: Int) throws(CryptoError) {
      var opened = [UInt8](repeating: 0, count: max(0, count - 28))
      var span = opened.mutableSpan
      try cipher.open(key: key.span, aad: aad.span, box.span.extracting(0..<count), into: &span)
    }
    try open(key: key, aad: key, count: 40)
    #expect(throws: CryptoError(.notAuthentic, "")) { try open(key: other, aad: key, count: 40) }
    #expect(throws: CryptoError(.notAuthentic, "")) { try open(key: key, aad: other, count: 40) }
    for count in 0..<40 {
      #expect(throws: CryptoError(.notAuthentic, "")) { try open(key: key, aad: key, count: count) }
    }
  }

  @Test("equal plaintexts give unequal boxes")
  func freshNonces() throws {
    let cipher = try AESGCM()
    let key = [UInt8](repeating: 7, count: 32)
    var boxes: Set<[UInt8]> = []
    for _ in 0..<1_000 {
      var box = [UInt8](repeating: 0, count: 60)
      var out = box.mutableSpan
      try cipher.seal(key: key.span, aad: Span(), key.span, into: &out)
      boxes.insert(Array(box.prefix(12)))
      boxes.insert(Array(box.suffix(48)))
    }
    #expect(boxes.count == 2_000)
  }

  @Test("a wrapped key with any bit changed does not unwrap")
  func changedWraps() throws {
    let key = [UInt8](repeating: 7, count: 32)
    var wrap = try KeyWrap.wrap(key.span, under: key.span)
    for bit in 0..<(wrap.count * 8) {
      wrap[bit / 8] ^= 1 << UInt8(bit % 8)
      #expect(throws: CryptoError(.notAuthentic, "")) { _ = try KeyWrap.unwrap(wrap.span, under: key.span) }
      wrap[bit / 8] ^= 1 << UInt8(bit % 8)
    }
    for count in [0, 8, 16, 23, 25, 39] {
      #expect(throws: CryptoError(.notAuthentic, "")) {
        _ = try KeyWrap.unwrap(wrap.span.extracting(0..<min(count, wrap.count)), under: key.span)
      }
    }
  }
}

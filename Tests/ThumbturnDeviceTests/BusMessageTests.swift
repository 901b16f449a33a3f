import Testing

@testable import ThumbturnDevice

/// Messages go to dbusmock, which sends back what it got.
@Suite("A message of a bus")
struct BusMessageTests {
  private static let limit = Duration.seconds(10)

  /// A bus with a service that has a method Echo of this signature.
  private struct Echo: ~Copyable {
    let daemon: Service
    let process: Service
    var connection: BusConnection
    let owner: BusPeer

    static func start(_ bus: PrivateBus, signature: String) throws -> Echo {
      let daemon = try bus.start()
      let process = try MockLogind(bus).process
      var connection = try BusConnection(.address(bus.address), limit: limit)
      try connection.follow(MockLogind.service, limit: limit)
      let owner = try connection.owner(of: MockLogind.service)
      var message = try connection.message(
        to: owner, path: MockLogind.manager, interface: MockLogind.mock, member: "AddMethod")
      let code = signature.count == 1 || signature.hasPrefix("a") && signature.count == 2 ? "args[0]" : "args"
      for text in ["org.example", "Echo", signature, signature, "ret = \(code)"] { try message.append(text) }
      _ = try connection.call(message, limit: limit)
      return Echo(daemon: daemon, process: process, connection: connection, owner: owner)
    }

    func message() throws(BusError) -> BusMessage {
      try connection.message(to: owner, path: MockLogind.manager, interface: "org.example", member: "Echo")
    }

    mutating func call(_ message: consuming BusMessage) throws(BusError) -> BusMessage {
      try connection.call(message, limit: limit)
    }
  }

  @Test("carries every kind of value there and back")
  func values() throws {
    let bus = try PrivateBus()
    var echo = try Echo.start(bus, signature: "suitboa{sv}ay")
    var message = try echo.message()
    try message.append("Grüße")
    try message.append(UInt32.max)
    try message.append(Int32.min)
    try message.append(UInt64.max)
    try message.append(true)
    try message.append(path: "/a/b")
    try message.appending(.array, of: "{sv}") { message throws(BusError) in
      try message.appending(.dictionaryEntry, of: "sv") { message throws(BusError) in
        try message.append("key")
        try message.appending(.variant, of: "u") { message throws(BusError) in try message.append(UInt32(7)) }
      }
    }
    try message.appendBytes(count: 4) { bytes in
      for index in bytes.indices { bytes[index] = UInt8(index + 1) }
    }
    var answer = try echo.call(message)
    let text = try answer.readText()
    let numbers = (try answer.readUInt32(), try answer.readInt32(), try answer.readUInt64())
    let truth = try answer.readBool()
    let path = try answer.readPath()
    let entries = try answer.readArray(of: "{sv}") { message throws(BusError) in
      try message.reading(.dictionaryEntry, of: "sv") { message throws(BusError) in
        let key = try message.readText()
        let number = try message.reading(.variant, of: "u") { message throws(BusError) in try message.readUInt32() }
        return "\(key) \(number)"
      }
    }
    let sum = try Self.sum(&answer)
    #expect(text == "Grüße")
    #expect(numbers == (.max, .min, .max))
    #expect(truth)
    #expect(path == "/a/b")
    #expect(entries == ["key 7"])
    #expect(sum == 1_234)
  }

  /// The bytes as digits of a number.
  private static func sum(_ message: inout BusMessage) throws(BusError) -> Int {
    let bytes = try message.readBytes()
    var sum = 0
    for index in bytes.indices { sum = sum * 10 + Int(bytes[index]) }
    return sum
  }

  @Test("passes over what was not read of a container, also when reading it fails")
  func partlyRead() throws {
    let bus = try PrivateBus()
    var echo = try Echo.start(bus, signature: "auau(ss)s")
    var message = try echo.message()
    for _ in 0..<2 {
      try message.appending(.array, of: "u") { message throws(BusError) in
        for number in 1...3 { try message.append(UInt32(number)) }
      }
    }
    try message.appending(.structure, of: "ss") { message throws(BusError) in
      try message.append("one")
      try message.append("two")
    }
    try message.append("end")
    var answer = try echo.call(message)
    let first = try answer.reading(.array, of: "u") { message throws(BusError) in try message.readUInt32() }
    var code: BusError.Code?
    do throws(BusError) {
      _ = try answer.readArray(of: "u") { message throws(BusError) in try message.readText() }
    } catch { code = error.code }
    try answer.reading(.structure, of: "ss") { _ in }
    let end = try answer.readText()
    #expect(first == 1)
    #expect(code == .malformed)
    #expect(end == "end")
  }

  @Test("does not read a value of another type, or behind the end")
  func wrongType() throws {
    let bus = try PrivateBus()
    var echo = try Echo.start(bus, signature: "s")
    var message = try echo.message()
    try message.append("text")
    var answer = try echo.call(message)
    var codes: [BusError.Code] = []
    do throws(BusError) { _ = try answer.readUInt32() } catch { codes.append(error.code) }
    do throws(BusError) { try answer.reading(.variant, of: "s") { _ in } } catch { codes.append(error.code) }
    let text = try answer.readText()
    do throws(BusError) { _ = try answer.readText() } catch { codes.append(error.code) }
    #expect(codes == [.malformed, .malformed, .malformed])
    #expect(text == "text")
  }

  @Test("is not sent when a part of it could not be written")
  func unfinished() throws {
    let bus = try PrivateBus()
    var echo = try Echo.start(bus, signature: "au")
    var message = try echo.message()
    var codes: [BusError.Code] = []
    do throws(BusError) {
      try message.appending(.array, of: "u") { message throws(BusError) in
        try message.append(UInt32(1))
        try message.append("no number")
      }
    } catch { codes.append(error.code) }
    do throws(BusError) { _ = try echo.call(message) } catch { codes.append(error.code) }
    #expect(codes == [.malformed, .unfinished])
  }

  @Test("holds texts up to the limit, and not one byte more", arguments: [0, 1])
  func textLimit(more: Int) throws {
    let bus = try PrivateBus()
    var echo = try Echo.start(bus, signature: "s")
    var message = try echo.message()
    let text = String(repeating: "x", count: BusLimits.textBytesMax + more)
    var code: BusError.Code?
    do throws(BusError) { try message.append(text) } catch { code = error.code }
    guard more == 0 else {
      #expect(code == .tooLarge)
      // One that somebody else sends is not read either.
      var add = try echo.connection.message(
        to: echo.owner, path: MockLogind.manager, interface: MockLogind.mock, member: "AddMethod")
      for text in ["org.example", "Long", "", "s", "ret = 'x' * \(text.count)"] { try add.append(text) }
      _ = try echo.call(add)
      var answer = try echo.call(
        try echo.connection.message(
          to: echo.owner, path: MockLogind.manager, interface: "org.example", member: "Long"))
      var read: BusError.Code?
      do throws(BusError) { _ = try answer.readText() } catch { read = error.code }
      #expect(read == .tooLarge)
      return
    }
    var answer = try echo.call(message)
    let back = try answer.readText()
    #expect(back == text)
  }

  @Test("gives arrays up to the limit, and not one element more", arguments: [0, 1])
  func elementLimit(more: Int) throws {
    let bus = try PrivateBus()
    var echo = try Echo.start(bus, signature: "au")
    var message = try echo.message()
    let count = BusLimits.elementCountMax + more
    try message.appending(.array, of: "u") { message throws(BusError) in
      for number in 0..<count { try message.append(UInt32(number)) }
    }
    var answer = try echo.call(message)
    var code: BusError.Code?
    var read = 0
    do throws(BusError) {
      read = try answer.readArray(of: "u") { message throws(BusError) in try message.readUInt32() }.count
    } catch { code = error.code }
    #expect(read == (more == 0 ? count : 0))
    #expect(code == (more == 0 ? nil : .tooLarge))
  }
}

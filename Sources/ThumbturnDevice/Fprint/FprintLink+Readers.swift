// Questions about readers and what is enrolled on them.
extension FprintLink {
  /// The reader that fprintd would take.
  mutating func defaultReader() throws(FprintFailure) -> String {
    var answer = try callManager("GetDefaultDevice")
    do throws(BusError) { return try answer.readPath() } catch { throw FprintFailure(error) }
  }

  /// All readers.
  mutating func readerPaths() throws(FprintFailure) -> [String] {
    var answer = try callManager("GetDevices")
    do throws(BusError) {
      return try answer.readArray(of: "o") { message throws(BusError) in try message.readPath() }
    } catch { throw FprintFailure(error) }
  }

  /// What a reader calls itself: its model, not its number.
  mutating func name(of reader: String) throws(FprintFailure) -> String {
    try property("name", of: "s", at: reader) { message throws(BusError) in try message.readText() }
  }

  /// The fingers of this process's user on a reader: each at most once, and only such as people have.
  ///
  /// - Throws: ``FprintFailure/notEnrolled`` when there is none.
  mutating func fingers(on reader: String) throws(FprintFailure) -> [Finger] {
    var answer = try call("ListEnrolledFingers", at: reader, [""])
    let names: [String]
    do throws(BusError) {
      names = try answer.readArray(of: "s") { message throws(BusError) in try message.readText() }
    } catch { throw FprintFailure(error) }
    let fingers = Finger.allCases.filter { names.contains($0.rawValue) }
    guard !fingers.isEmpty else { throw .notEnrolled }
    return fingers
  }
}

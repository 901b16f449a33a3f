internal import Testing
internal import ThumbturnAuthentication

@Suite("The table of sessions")
struct SessionTableTests {
  private func id(_ number: Int) -> [UInt8] {
    (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * min($0, 3))) }
  }

  private func session(_ number: Int, _ shown: Set<Factor> = [.finger]) -> SessionTable.Session {
    SessionTable.Session(id: id(number), shown: shown)
  }

  @Test("gives a process its own sessions, by their names, and nobody else's")
  func own() {
    var table = SessionTable()
    table.add(session(1), process: 10)
    table.add(session(2, [.passcode]), process: 11)
    #expect(table.sessions([id(1), id(2), id(3)], process: 10).map(\.id) == [id(1)])
    #expect(table.sessions([id(1), id(2)], process: 11).map(\.shown) == [[.passcode]])
    #expect(table.sessions([], process: 10).isEmpty)
    #expect(table.sessions([id(1)], process: 12).isEmpty)
  }

  @Test("ends one at the word of its own process alone, those of a process, and all of them")
  func ends() {
    var table = SessionTable()
    for number in 1...4 { table.add(session(number), process: number < 3 ? 10 : 11) }
    table.end(id(1), process: 11)
    #expect(table.count == 4)
    table.end(id(1), process: 10)
    #expect(table.sessions([id(1), id(2)], process: 10).map(\.id) == [id(2)])
    table.endAll(process: 10)
    #expect(table.count == 2)
    table.endAll()
    #expect(table.count == 0)
  }

  @Test("keeps 64 of a process and 1,024 of all; the oldest goes")
  func limits() {
    var table = SessionTable()
    for number in 0..<SessionTable.countMaxOfProcess { table.add(session(number), process: 10) }
    #expect(table.sessions([id(0)], process: 10).count == 1)
    table.add(session(64), process: 10)
    #expect(table.count == 64)
    #expect(table.sessions([id(0)], process: 10).isEmpty)
    #expect(table.sessions([id(1), id(64)], process: 10).count == 2)
    for number in 0..<SessionTable.countMax { table.add(session(1_000 + number), process: Int32(1_000 + number)) }
    #expect(table.count == SessionTable.countMax)
    #expect(table.sessions([id(64)], process: 10).isEmpty)
    #expect(table.sessions([id(1_000)], process: 1_000).count == 1)
  }
}

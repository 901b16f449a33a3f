// The tests' own agent: `serve FOLDER` and `handed` serve a keychain in memory, `probe FOLDER USER` connects as another user
// and ends with 0 when it is hung up without an answer, `echo FOLDER` sends every packet back, `sink FOLDER` gives everybody
// the same answer. `vault HOME` serves a real vault, with the cheapest passcode; in HOME may lie `clock`, a boot id and
// nanoseconds of running time, `cgroups`, what /proc says of processes, `programs.json`, and what people do at reader and
// prompts (`sensor`, `fingers`, `answers`); of `planted-on-heap` and
// `planted-on-stack` it keeps plain copies. `vault-with-reader HOME` is the same with the reader that fprintd has. `session HOME STEPS` is a client of it, `intrude PROCESS` says what it may do
// with another process, `fetch HOME ACCOUNT` reads an item as any program does, `reach HOME ACCOUNT SESSION…` with the names
// of sessions, `return HOME ACCOUNT` with one that it had shown before it left, and `as USER …` starts itself as another user.
import AgentFixtures
import Glibc
import TestFixtures
import ThumbturnAgent
import ThumbturnAgentClient
import ThumbturnAuthentication
import ThumbturnCrypto
import ThumbturnDevice
import ThumbturnTestSupport
import ThumbturnVault

func fail(_ reason: String) -> Never {
  print("thumbturn: error: \(reason)")
  exit(1)
}

func serve(_ listening: ListeningSocket) throws {
  let server = try AgentServer(listening, vaultID: Samples.vaultID, service: BackendService(MemoryBackend()))
  print("READY")
  _ = fflush(nil)
  try server.run()
}

func serveVault(_ home: String, sensor: (any FingerSensor)? = nil) throws {
  PlantedCopies.keep(of: home)
  var surroundings = VaultSeams.surroundings(home)
  if let sensor { surroundings.sensor = sensor }
  let program = try AgentProgram(
    location: VaultLocation(home: home), at: SocketPlace(folder: home), surroundings)
  AgentProgram.onEndingSignals { program.stop() }
  print("READY")
  _ = fflush(nil)
  try program.run()
}

func start(_ arguments: [String], as user: UInt32) -> Never {
  guard setgroups(0, nil) == 0, setgid(user) == 0, setuid(user) == 0 else { fail("no such user") }
  var words = unsafe (CommandLine.arguments.prefix(1) + arguments).map { unsafe strdup($0) } + [nil]
  _ = unsafe execv(CommandLine.arguments[0], &words)
  fail("it cannot be started")
}

// As the real one: no core, no debugger of the same user.
ProcessPreparation.run()
let arguments = CommandLine.arguments.dropFirst()
do {
  switch (arguments.first, arguments.count) {
  case ("serve", 2): try serve(ListeningSocket.make(at: SocketPlace(folder: CommandLine.arguments[2])))
  case ("vault", 2): try serveVault(CommandLine.arguments[2])
  case ("vault-with-reader", 2): try serveVault(CommandLine.arguments[2], sensor: FprintSensor())
  case ("session", 3): try MemorySession.run(CommandLine.arguments[2], steps: Substring(CommandLine.arguments[3]))
  case ("fetch", 3): print(try PersonSession.fetch(CommandLine.arguments[2], CommandLine.arguments[3]))
  case ("return", 3): print(try PersonSession.comeBack(CommandLine.arguments[2], CommandLine.arguments[3]))
  case ("reach", 4...):
    let sessions = arguments.dropFirst(3).map { word in
      stride(from: 0, to: word.count - 1, by: 2).compactMap { start in
        UInt8(word.dropFirst(start).prefix(2), radix: 16)
      }
    }
    print(try PersonSession.reach(CommandLine.arguments[2], CommandLine.arguments[3], sessions: sessions))
  case ("intrude", 2):
    guard let process = Int32(CommandLine.arguments[2]) else { fail("no process") }
    exit(Intrusion.into(process).rawValue)
  case ("as", 3...):
    guard let user = UInt32(CommandLine.arguments[2]) else { fail("no such user") }
    start(Array(arguments.dropFirst(2)), as: user)
  case ("handed", 1):
    guard let listening = try ListeningSocket.handedOver() else { fail("nothing is handed over") }
    for name in ["LISTEN_PID", "LISTEN_FDS", "LISTEN_FDNAMES"] {
      if unsafe getenv(name) != nil { fail("\(name) is still set") }
    }
    try serve(listening)
  case ("echo", 2): try RawListener.echo(in: CommandLine.arguments[2])
  case ("sink", 2): try RawSink.run(in: CommandLine.arguments[2])
  case ("probe", 3):
    guard let user = UInt32(CommandLine.arguments[3]), setgid(user) == 0, setuid(user) == 0 else {
      fail("no such user")
    }
    exit(RawProbe.isRefused(CommandLine.arguments[2]) ? 0 : 3)
  default: fail("TestAgent serve FOLDER | handed | vault HOME | probe FOLDER USER | echo FOLDER | sink FOLDER")
  }
} catch { fail("\(error)") }

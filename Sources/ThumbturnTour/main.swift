import Foundation

/// The whole tour on a scratch vault, which is removed whatever happens but SIGKILL.
func runTour() throws(TourFailure) {
  let scratch = try Scratch()
  defer { scratch.remove() }
  let signals = scratch.removeOnSignals()
  defer { signals.forEach { $0.cancel() } }
  Narration.line("Thumbturn: Apple's keychain calls, on Linux, over an encrypted vault.")
  Narration.line("This tour uses a vault of its own in \(scratch.path) and removes it at the end.")
  try TokenSteps.run()
  try ThiefStep.run(in: scratch)
  try KillStep.run()
  guard Narration.isWhole else { throw TourFailure(message: "standard output was closed or full") }
}

// A reader that goes away must not leave the folder behind.
signal(SIGPIPE, SIG_IGN)
switch CommandLine.arguments.dropFirst().first {
case nil:
  do throws(TourFailure) {
    try runTour()
    Narration.line("\nEverything held. Next: keep a secret of your own with `thumbturn set SERVICE ACCOUNT`,")
    Narration.line("or `import Security` in a program of yours: README.md says how.")
  } catch {
    var text = "thumbturn: error: \(error.message)\n"
    if let hint = error.hint { text += "thumbturn: hint: \(hint)\n" }
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    // As all commands do when reading or writing failed.
    exit(5)
  }
case TokenSteps.loadArgument: TokenSteps.loadAsChild()
case KillStep.writeArgument: KillStep.writeAsChild()
default:
  try? FileHandle.standardError.write(contentsOf: Data("thumbturn: error: the tour takes no arguments\n".utf8))
  exit(2)
}

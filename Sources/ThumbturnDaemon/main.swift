internal import Glibc
internal import ThumbturnAgent
internal import ThumbturnCrypto
internal import ThumbturnDevice

// Before anything else may open a file, or start a thread.
ProcessPreparation.run()
exit(
  AgentMain.run(ProcessPreparation.arguments(), sensor: FprintSensor(), prompter: SystemPrompter()) { SessionWatch($0) })

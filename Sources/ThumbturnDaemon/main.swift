internal import Glibc
internal import ThumbturnAgent
internal import ThumbturnCrypto
internal import ThumbturnDevice

// Before anything else may open a file, or start a thread.
ProcessPreparation.run()
let prompter = SystemPrompter()
exit(AgentMain.run(ProcessPreparation.arguments(), sensor: FprintSensor(), prompter: prompter) { SessionWatch($0) })

internal import Glibc
internal import ThumbturnAgent
internal import ThumbturnCrypto

// Before anything else may open a file, or start a thread.
ProcessPreparation.run()
exit(AgentMain.run(ProcessPreparation.arguments()) { SessionWatch($0) })

internal import Glibc
internal import ThumbturnCommand
internal import ThumbturnCrypto

// Before anything else may open a file.
ProcessPreparation.run()
exit(Command.run(ProcessPreparation.arguments(), in: CommandContext()))

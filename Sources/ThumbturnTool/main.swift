internal import Glibc
internal import ThumbturnCommand
internal import ThumbturnCrypto
internal import ThumbturnDevice

// Before anything else may open a file.
ProcessPreparation.run()
var context = CommandContext()
context.fingerReaders = SystemReaders()
context.prompter = SystemPrompter()
exit(Command.run(ProcessPreparation.arguments(), in: context))

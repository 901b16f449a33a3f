import AppAudit
import Foundation

exit(AuditCommand.run(Array(CommandLine.arguments.dropFirst())))

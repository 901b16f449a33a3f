import Foundation
package import Glibc
import ThumbturnAgent

/// What a process takes of the machine.
package enum MemoryUse {
  /// Memory of a process that is not swapped, in bytes; of this one without a number.
  package static func residentBytes(of process: pid_t = getpid()) -> Int {
    let text = (try? String(contentsOfFile: "/proc/\(process)/statm", encoding: .utf8)) ?? ""
    return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 4_096
  }

  /// Lets this process have so many descriptors.
  package static func raiseDescriptors(to count: UInt) -> UInt { system_raiseDescriptorLimit(to: count) }
}

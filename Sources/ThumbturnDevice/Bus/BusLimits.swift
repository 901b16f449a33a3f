/// The limits of what is taken from a bus. libsystemd's own are 128 MiB for a message and 65,536 waiting messages.
public enum BusLimits {
  /// The longest text that is read, in bytes: 16 times the longest name on a bus (255).
  public static let textBytesMax = 4_096
  /// The most elements of an array that are read: as many sessions as logind allows by default.
  public static let elementCountMax = 8_192
  /// The most signals of followed services that wait while a call waits for its answer. A service that sends more than
  /// these within one call is not one that we know: the connection ends.
  public static let waitingSignalCountMax = 256
  /// The most services that one connection follows: each costs every message one comparison.
  public static let serviceCountMax = 8
}

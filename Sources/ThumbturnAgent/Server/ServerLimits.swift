internal import ThumbturnAgentClient

/// What the server gives to its clients at most, so that none of them can take the agent from the others.
package enum ServerLimits {
  /// Connections: far above what the programs of one user open, far below what would cost memory.
  package static let connectionsCountMax = 1_024
  /// From connecting to the hello; the client itself waits 1 s for the answer.
  static let helloNanoseconds: Int64 = 2_000_000_000
  /// Requests of one client that are not answered yet. An answer that waits for room in the socket counts too.
  package static let inFlightCountMax = 16
  /// Answers of one client that wait for room in the socket, in bytes: 16 of the largest packets.
  static let queuedCountMax = 1_048_576
  /// Requests and answers of all clients that wait, in bytes: they are in locked memory.
  static let waitingCountMax = 64 * 1_048_576
  /// Requests of all clients with their body in a file: each is an open file, and at most 20 MiB.
  static let filesCountMax = 64
  /// Answers in files that no client has taken yet, in bytes: three of the largest.
  static let unreadFilesCountMax = 3 * FrameLimits.replyCountMax
  /// How long a client may leave an answer in a file unread.
  static let unreadNanoseconds: Int64 = 10_000_000_000
  /// Descriptors that the agent needs: one for each connection and one for each client's process, and its own.
  static let descriptorsCount: UInt = 4_096
  /// The largest request that is decoded where it is received, in bytes.
  static let decodedCountMax = 4_096
  /// Reads that are answered at the same time. One thread more looks at the sockets.
  static let readersCount = 2
  /// How long a thread that answers a read keeps the sockets from the others.
  static let keptNanoseconds: Int64 = 1_000_000
  /// Connections that are accepted before those who are connected have their turn.
  static let acceptedCount = 8
  /// How often limits of time are looked at, while there is something to look at.
  static let tickNanoseconds: Int64 = 250_000_000
  /// Connections that wait until they are accepted.
  static let backlogCount: Int32 = 512
}

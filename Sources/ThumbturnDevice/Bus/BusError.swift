internal import Glibc

/// An error of a bus, or of a service on it.
///
/// Check ``code``. ``description`` is for logs: it holds nothing that came over the bus. Equality looks at ``code`` and
/// ``name``.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What went wrong. New codes may come in a minor release, so always keep a `default`.
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    enum Base: Hashable, Sendable, CaseIterable {
      case answeredError
      case closed
      case malformed
      case noBus
      case noOwner
      case outOfMemory
      case stopped
      case timedOut
      case tooLarge
      case tooMany
      case unfinished
    }
    let base: Base

    /// The service, or the bus, answered with an error; ``BusError/name`` says which.
    public static let answeredError = Self(base: .answeredError)
    /// The connection ended. Nothing more comes over it.
    public static let closed = Self(base: .closed)
    /// A message does not hold what was to be read from it.
    public static let malformed = Self(base: .malformed)
    /// There is no bus: nothing listens, or it refused this user.
    public static let noBus = Self(base: .noBus)
    /// Nobody owns the service now, or its owner is not the user that it must be.
    public static let noOwner = Self(base: .noOwner)
    /// There was no memory or descriptor.
    public static let outOfMemory = Self(base: .outOfMemory)
    /// Whoever started the wait ended it.
    public static let stopped = Self(base: .stopped)
    /// Nothing came within the limit.
    public static let timedOut = Self(base: .timedOut)
    /// A text, array or message is larger than ``BusLimits`` says.
    public static let tooLarge = Self(base: .tooLarge)
    /// More signals or services than ``BusLimits`` says.
    public static let tooMany = Self(base: .tooMany)
    /// A message was to be sent of which a part could not be written.
    public static let unfinished = Self(base: .unfinished)

    /// The code's name.
    public var description: String { "\(base)" }
  }

  /// What went wrong.
  public let code: Code
  /// The D-Bus name of the error that was answered, such as `org.freedesktop.DBus.Error.AccessDenied`, at most 255 bytes.
  /// It is the other side's word, and so no part of ``description``.
  public let name: String?
  let reason: StaticString

  init(_ code: Code, _ reason: StaticString, name: String? = nil) {
    self.code = code
    self.reason = reason
    self.name = name
  }

  /// From what a function of libsystemd returned: an `errno`, negative.
  init(status: Int32, _ reason: StaticString) {
    let code: Code =
      switch -status {
      case ENOMEM, EMFILE, ENFILE: .outOfMemory
      case ETIMEDOUT: .timedOut
      case EMSGSIZE, E2BIG: .tooLarge
      case ENXIO, EBADMSG, EBUSY, EINVAL: .malformed
      case ENOBUFS: .tooMany
      default: .closed
      }
    self.init(code, reason)
  }

  /// Code and reason.
  public var description: String { "\(code): \(reason)" }

  /// By code and name.
  public static func == (left: Self, right: Self) -> Bool { left.code == right.code && left.name == right.name }

  /// As ``==(_:_:)``.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(name)
  }
}

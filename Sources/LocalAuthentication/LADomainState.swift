public import CLocalAuthentication
public import Foundation

/// What is enrolled, as values that change when it does.
///
/// They are other ones for every program. Where a reader's list of fingers is all that can be seen of it, a finger that
/// replaces another under the same name is not noticed: weaker than on iOS.
public final class LADomainState: NSObject, Sendable {
  /// The fingers.
  public let biometry: LADomainStateBiometry
  /// Companion devices; there are none.
  public let companion = LADomainStateCompanion()
  /// All of it together: as there are no companions, that of the fingers. Nil when none is enrolled.
  public var stateHash: Data? { biometry.stateHash }

  init(_ biometry: LADomainStateBiometry) { self.biometry = biometry }
}

/// The fingers that are enrolled.
public final class LADomainStateBiometry: NSObject, Sendable {
  /// `touchID` when there is a fingerprint reader.
  public let biometryType: LABiometryType
  /// 32 bytes; nil when no finger is enrolled, and when nobody can say it.
  public let stateHash: Data?

  init(_ biometryType: LABiometryType, stateHash: Data?) {
    self.biometryType = biometryType
    self.stateHash = stateHash
  }
}

/// Companion devices: there are none on Linux.
public final class LADomainStateCompanion: NSObject, Sendable {
  /// None.
  public var availableCompanionTypes: Set<LACompanionType> { [] }
  /// Nil.
  public var stateHash: Data? { nil }
  /// Nil, whichever it is.
  public func stateHash(for companionType: LACompanionType) -> Data? { nil }
}

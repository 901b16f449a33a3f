#ifndef CLOCALAUTHENTICATION_H
#define CLOCALAUTHENTICATION_H

// Apple's enums of LocalAuthentication, with Apple's names and numbers. They are C because Apple's are open C enums, and
// Swift has no such thing: source that switches over one with `@unknown default` compiles without a warning, raw values
// that are not known are kept, and aliases can stand in a pattern. A Swift enum would do none of this.

#define CLA_NAME(name) __attribute__((swift_name(name)))
#define CLA_OLD(name, now) __attribute__((swift_name(name), deprecated("use " now)))

/// What has to be shown.
typedef enum __attribute__((enum_extensibility(open))) LAPolicy : long {
  /// A finger; a passcode must be set all the same.
  LAPolicyDeviceOwnerAuthenticationWithBiometrics CLA_NAME("deviceOwnerAuthenticationWithBiometrics") = 1,
  /// A finger, else the passcode.
  LAPolicyDeviceOwnerAuthentication CLA_NAME("deviceOwnerAuthentication") = 2,
  /// A companion device; there is none on Linux.
  LAPolicyDeviceOwnerAuthenticationWithCompanion CLA_NAME("deviceOwnerAuthenticationWithCompanion") = 3,
  LAPolicyDeviceOwnerAuthenticationWithWatch CLA_NAME("deviceOwnerAuthenticationWithWatch") = 3,
  /// A finger or a companion device.
  LAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion
      CLA_NAME("deviceOwnerAuthenticationWithBiometricsOrCompanion") = 4,
  LAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch
      CLA_NAME("deviceOwnerAuthenticationWithBiometricsOrWatch") = 4,
  /// Apple's watch only.
  LAPolicyDeviceOwnerAuthenticationWithWristDetection CLA_NAME("deviceOwnerAuthenticationWithWristDetection") = 5,
} LAPolicy;

/// What kind of reader there is. On Linux none, or a fingerprint reader.
typedef enum __attribute__((enum_extensibility(open))) LABiometryType : long {
  /// No reader, or not known yet.
  LABiometryTypeNone CLA_NAME("none") = 0,
  LABiometryNone CLA_OLD("LABiometryNone", "none") = 0,
  /// A fingerprint reader.
  LABiometryTypeTouchID CLA_NAME("touchID") = 1,
  /// Apple's devices only.
  LABiometryTypeFaceID CLA_NAME("faceID") = 2,
  /// Apple's devices only.
  LABiometryTypeOpticID CLA_NAME("opticID") = 4,
} LABiometryType;

/// What a program gives instead of a person.
typedef enum __attribute__((enum_extensibility(open))) LACredentialType : long {
  /// The password of items with `applicationPassword`.
  LACredentialTypeApplicationPassword CLA_NAME("applicationPassword") = 0,
  /// Apple's Mac only.
  LACredentialTypeSmartCardPIN CLA_NAME("smartCardPIN") = -3,
} LACredentialType;

/// What is to be done with what an access control guards.
typedef enum __attribute__((enum_extensibility(open))) LAAccessControlOperation : long {
  LAAccessControlOperationCreateItem CLA_NAME("createItem") = 0,
  LAAccessControlOperationUseItem CLA_NAME("useItem") = 1,
  LAAccessControlOperationCreateKey CLA_NAME("createKey") = 2,
  LAAccessControlOperationUseKeySign CLA_NAME("useKeySign") = 3,
  LAAccessControlOperationUseKeyDecrypt CLA_NAME("useKeyDecrypt") = 4,
  LAAccessControlOperationUseKeyKeyExchange CLA_NAME("useKeyKeyExchange") = 5,
} LAAccessControlOperation;

/// A companion device; there is none on Linux.
typedef enum __attribute__((enum_extensibility(open))) LACompanionType : long {
  LACompanionTypeWatch CLA_NAME("watch") = 1 << 0,
  LACompanionTypeMac CLA_NAME("mac") = 1 << 1,
  LACompanionTypeVision CLA_NAME("vision") = 1 << 2,
} LACompanionType;

// The numbers as constants of their own.
#define kLAPolicyDeviceOwnerAuthenticationWithBiometrics 1
#define kLAPolicyDeviceOwnerAuthentication 2
#define kLAPolicyDeviceOwnerAuthenticationWithCompanion 3
#define kLAPolicyDeviceOwnerAuthenticationWithWatch 3
#define kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrCompanion 4
#define kLAPolicyDeviceOwnerAuthenticationWithBiometricsOrWatch 4
#define kLAPolicyDeviceOwnerAuthenticationWithWristDetection 5

#define kLACredentialTypeApplicationPassword 0
#define kLACredentialSmartCardPIN (-3)

#define kLAErrorAuthenticationFailed (-1)
#define kLAErrorUserCancel (-2)
#define kLAErrorUserFallback (-3)
#define kLAErrorSystemCancel (-4)
#define kLAErrorPasscodeNotSet (-5)
#define kLAErrorTouchIDNotAvailable (-6)
#define kLAErrorTouchIDNotEnrolled (-7)
#define kLAErrorTouchIDLockout (-8)
#define kLAErrorAppCancel (-9)
#define kLAErrorInvalidContext (-10)
#define kLAErrorCompanionNotAvailable (-11)
#define kLAErrorWatchNotAvailable (-11)
#define kLAErrorBiometryNotPaired (-12)
#define kLAErrorBiometryDisconnected (-13)
#define kLAErrorInvalidDimensions (-14)
#define kLAErrorBiometryNotAvailable (-6)
#define kLAErrorBiometryNotEnrolled (-7)
#define kLAErrorBiometryLockout (-8)
#define kLAErrorNotInteractive (-1004)

/// Why an evaluation failed, or cannot succeed.
typedef enum __attribute__((enum_extensibility(open))) LAErrorCode : long {
  /// The finger or passcode was not recognised.
  LAErrorAuthenticationFailed CLA_NAME("authenticationFailed") = kLAErrorAuthenticationFailed,
  /// The person cancelled.
  LAErrorUserCancel CLA_NAME("userCancel") = kLAErrorUserCancel,
  /// The person wants another way than the finger.
  LAErrorUserFallback CLA_NAME("userFallback") = kLAErrorUserFallback,
  /// Something else came first: the vault was locked, other prompts were open, nobody answered in time.
  LAErrorSystemCancel CLA_NAME("systemCancel") = kLAErrorSystemCancel,
  /// The vault has no passcode.
  LAErrorPasscodeNotSet CLA_NAME("passcodeNotSet") = kLAErrorPasscodeNotSet,
  /// No reader, or no way to it.
  LAErrorBiometryNotAvailable CLA_NAME("biometryNotAvailable") = kLAErrorBiometryNotAvailable,
  LAErrorTouchIDNotAvailable CLA_OLD("touchIDNotAvailable", "biometryNotAvailable") = kLAErrorTouchIDNotAvailable,
  /// No finger is enrolled.
  LAErrorBiometryNotEnrolled CLA_NAME("biometryNotEnrolled") = kLAErrorBiometryNotEnrolled,
  LAErrorTouchIDNotEnrolled CLA_OLD("touchIDNotEnrolled", "biometryNotEnrolled") = kLAErrorTouchIDNotEnrolled,
  /// Too many wrong fingers, or a locked vault: the passcode is needed first.
  LAErrorBiometryLockout CLA_NAME("biometryLockout") = kLAErrorBiometryLockout,
  LAErrorTouchIDLockout CLA_OLD("touchIDLockout", "biometryLockout") = kLAErrorTouchIDLockout,
  /// The context was invalidated, or let go, while somebody was asked.
  LAErrorAppCancel CLA_NAME("appCancel") = kLAErrorAppCancel,
  /// The context was invalidated before.
  LAErrorInvalidContext CLA_NAME("invalidContext") = kLAErrorInvalidContext,
  /// There is no companion device on Linux.
  LAErrorCompanionNotAvailable CLA_NAME("companionNotAvailable") = kLAErrorCompanionNotAvailable,
  LAErrorWatchNotAvailable CLA_NAME("watchNotAvailable") = kLAErrorWatchNotAvailable,
  /// Apple's Mac only.
  LAErrorBiometryNotPaired CLA_NAME("biometryNotPaired") = kLAErrorBiometryNotPaired,
  /// The reader was unplugged.
  LAErrorBiometryDisconnected CLA_NAME("biometryDisconnected") = kLAErrorBiometryDisconnected,
  /// Apple's Mac only.
  LAErrorInvalidDimensions CLA_NAME("invalidDimensions") = kLAErrorInvalidDimensions,
  /// A prompt is needed, and none is allowed or can be shown.
  LAErrorNotInteractive CLA_NAME("notInteractive") = kLAErrorNotInteractive,
} LAErrorCode;

#endif

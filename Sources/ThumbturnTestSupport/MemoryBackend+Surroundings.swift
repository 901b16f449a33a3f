internal import Synchronization
internal import ThumbturnKeychain

extension MemoryBackend {
  /// What a screen lock does to the keys.
  public enum LockState: Hashable, Sendable {
    /// Every item can be read.
    case unlocked
    /// Items of the classes *when unlocked* (`ak`, `aku`, `akpu`) cannot.
    case locked
    /// Nor can those of the classes *after first unlock* (`ck`, `cku`): the machine has started and nobody was there.
    case beforeFirstUnlock
  }

  /// What the person does at a prompt.
  public enum Answer: Hashable, Sendable {
    /// The right finger or passcode.
    case success
    /// The cancel button: errSecUserCanceled (-128).
    case cancel
    /// The wrong finger or passcode, until there are no more tries: errSecAuthFailed (-25293).
    case failure
  }

  /// Whether keys are there; ``LockState/unlocked`` at first.
  public var lockState: LockState {
    get { state.withLock { $0.lockState } }
    set { state.withLock { $0.lockState = newValue } }
  }

  /// Whether there is a passcode; true at first.
  ///
  /// Without one, items of the class *when passcode set* (`akpu`) are gone for good, no finger is enrolled any more, and
  /// items with constraints can be neither added nor read.
  public var hasPasscode: Bool {
    get { state.withLock { $0.hasPasscode } }
    set { state.withLock { $0.setPasscode(newValue) } }
  }

  /// Whether a finger is enrolled; true at first. A change is a change of the enrolment too: see ``changeEnrolment()``.
  public var isBiometryEnrolled: Bool {
    get { state.withLock { $0.isBiometryEnrolled } }
    set { state.withLock { $0.setBiometry(newValue) } }
  }

  /// What the person does at every prompt from now on; ``Answer/success`` at first.
  public var answer: Answer {
    get { state.withLock { $0.answer } }
    set { state.withLock { $0.answer = newValue } }
  }

  /// What the person types where an application password is asked for, from now on; `password` at first.
  ///
  /// An item keeps the one that was given when it got its access control, the context's credential or else this, and opens
  /// with no other. A wrong credential is taken out of its context, and the person is asked; a wrong one that is typed is asked
  /// for again, twenty times in all, and then it is errSecAuthFailed (-25293).
  public var applicationPassword: String {
    get { state.withLock { $0.applicationPassword } }
    set { state.withLock { $0.applicationPassword = newValue } }
  }

  /// How many prompts there were.
  public var promptCount: Int { state.withLock { $0.promptCount } }

  /// How many items there are, of all groups. Those that ``changeEnrolment()`` has ended count until they are deleted, or
  /// until another one with their primary key is added.
  public var itemCount: Int { state.withLock { $0.items.count } }

  /// A finger more or less: items that need the set of fingers that was enrolled when they were added are gone for good, for
  /// who wants their secret (-25300). Without it they are found, can be deleted, and do not stand in the way of an add.
  public func changeEnrolment() { state.withLock { $0.changeEnrolment() } }

  /// Takes everything away, items and planned faults, and is as new.
  public func reset() { state.withLock { $0 = MemoryState() } }
}

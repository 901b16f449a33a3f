internal import ThumbturnAuthentication

/// What fprintd says of an enrolment.
enum EnrolStatus: Equatable {
  case seen
  case retry(FingerRetry)
  case ended(EnrolmentEnd)
  /// An error of the driver or of the disk, or the reader is gone.
  case failed
  /// A word that is not known, of an enrolment that goes on.
  case unknown

  init(_ word: String, isEnd: Bool) {
    guard isEnd else {
      self =
        switch word {
        case "enroll-stage-passed": .seen
        case "enroll-retry-scan": .retry(.again)
        case "enroll-swipe-too-short": .retry(.tooShort)
        case "enroll-finger-not-centered": .retry(.notCentred)
        case "enroll-remove-and-retry": .retry(.removeFirst)
        default: .unknown
        }
      return
    }
    self =
      switch word {
      case "enroll-completed": .ended(.enrolled)
      case "enroll-duplicate": .ended(.alreadyEnrolled)
      case "enroll-data-full": .ended(.readerFull)
      default: .failed
      }
  }
}

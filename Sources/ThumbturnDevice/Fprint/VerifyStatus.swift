internal import ThumbturnAuthentication

/// What fprintd says of a verification. What it says beside these does not count, but for its end.
enum VerifyStatus: Equatable {
  case matched
  case notMatched
  case retry(FingerRetry)
  /// An error of the driver, or the reader is gone: this version of fprintd says the first of both (measured).
  case failed
  /// A word that is not known, of a verification that goes on.
  case unknown

  init(_ word: String, isEnd: Bool) {
    self =
      switch word {
      // A match that is not the end of a verification is none.
      case "verify-match": isEnd ? .matched : .unknown
      case "verify-no-match": isEnd ? .notMatched : .unknown
      case "verify-retry-scan": .retry(.again)
      case "verify-swipe-too-short": .retry(.tooShort)
      case "verify-finger-not-centered": .retry(.notCentred)
      case "verify-remove-and-retry": .retry(.removeFirst)
      default: isEnd ? .failed : .unknown
      }
  }
}

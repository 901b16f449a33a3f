internal import ThumbturnAuthentication
internal import ThumbturnCommand
internal import ThumbturnDevice

/// The readers that fprintd knows.
struct SystemReaders: FingerReaders {
  private let fprint = FprintEnrolment()

  func look() -> FingerLook {
    var look = FingerLook()
    do throws(AuthenticationFailure) {
      for reader in try fprint.readers() {
        var shown = FingerReader(name: reader.name, stageCount: reader.stageCount, fingers: nil)
        do throws(AuthenticationFailure) { shown.fingers = try fprint.fingers(on: reader).map(\.rawValue) } catch {
          look.obstacle = error.reason ?? .readerFailed
        }
        look.readers.append(shown)
      }
    } catch { look.obstacle = error.reason ?? .readerFailed }
    return look
  }

  func enrol(
    _ finger: FingerName, limit: Duration, stop: StopSignal, onStep: (ThumbturnCommand.EnrolmentStep) -> Void
  ) -> ThumbturnCommand.EnrolmentEnd {
    do throws(AuthenticationFailure) {
      let reader = try firstReader()
      let end = try fprint.enrol(try known(finger), on: reader, limit: limit, stop: stop) { step in
        switch step {
        case .seen(let done, let total): onStep(.seen(done: done, total: total))
        case .retry(let retry): onStep(.retry(retry))
        }
      }
      return switch end {
      case .enrolled: .enrolled
      case .alreadyEnrolled: .alreadyEnrolled
      case .readerFull: .readerFull
      case .stopped: .stopped
      case .timedOut: .timedOut
      }
    } catch { return .failed(error) }
  }

  func delete(_ finger: FingerName?, stop: StopSignal) throws(AuthenticationFailure) {
    let reader = try firstReader()
    guard let finger else { return try fprint.removeAll(on: reader, stop: stop) }
    try fprint.remove(try known(finger), on: reader, stop: stop)
  }

  private func firstReader() throws(AuthenticationFailure) -> FprintReader {
    guard let reader = try fprint.readers().first else { throw AuthenticationFailure(.biometryNotAvailable, .noReader) }
    return reader
  }

  /// The same finger in the words of the module that speaks with fprintd. Both lists have the ten names of fprintd.
  private func known(_ finger: FingerName) throws(AuthenticationFailure) -> Finger {
    guard let known = Finger(rawValue: finger.rawValue) else { throw AuthenticationFailure(.biometryNotAvailable) }
    return known
  }
}

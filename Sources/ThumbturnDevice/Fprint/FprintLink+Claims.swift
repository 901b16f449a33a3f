internal import ThumbturnAuthentication

// A reader that is claimed, and let go again whatever happens.
extension FprintLink {
  /// What a claimed reader does.
  enum Action: String {
    case verify = "Verify"
    case enrol = "Enroll"
  }

  /// Claims `reader` for the user of this process, and lets it go on every way out of `body`.
  ///
  /// A failure of the reader is looked into afterwards: fprintd drops a reader that was unplugged when it is let go.
  ///
  /// - Parameter limit: Of the claim.
  mutating func claiming<Value>(
    _ reader: String, limit: Duration = FprintLimits.call,
    _ body: (inout FprintLink) throws(FprintFailure) -> Value
  ) throws(FprintFailure) -> Value {
    do throws(FprintFailure) {
      // When this fails for want of time the claim may come yet. Then the end of the connection ends it.
      _ = try call("Claim", at: reader, [""], limit: limit)
      let value: Value
      do throws(FprintFailure) { value = try body(&self) } catch {
        beginEnding()
        release(reader)
        throw error
      }
      beginEnding()
      release(reader)
      return value
    } catch {
      guard error == .unavailable(.readerFailed) else { throw error }
      beginEnding()
      throw lookAgain(for: reader)
    }
  }

  /// Starts an action, and stops it on every way out of `body`.
  ///
  /// What came before the start was sent belongs to something else, such as the verification of a program that had claimed
  /// the reader before. After the stop was sent nothing is read: fprintd says `verify-no-match` of a verification that it
  /// is told to end (measured), and that is no wrong finger. What comes before the start is answered does count: a driver
  /// that has its result at once says it first (measured).
  ///
  /// A stop does not cut off the answer to a start or an end: fprintd takes half a second to end a verification on some
  /// readers, and a start that comes meanwhile leaves its reader claimed for good, for everybody (measured).
  mutating func running<Value>(
    _ action: Action, _ finger: String, on reader: String, limit: Duration = FprintLimits.call,
    _ body: (inout FprintLink) throws(FprintFailure) -> Value
  ) throws(FprintFailure) -> Value {
    let value: Value
    do throws(FprintFailure) {
      try requireNotStopped()
      dropSignals()
      if limit <= FprintLimits.call {
        try undisturbed { link throws(FprintFailure) in
          _ = try link.call(action.rawValue + "Start", at: reader, [finger], limit: limit)
        }
      } else {
        // A person may be asked by polkit meanwhile.
        _ = try call(action.rawValue + "Start", at: reader, [finger], limit: limit)
      }
      value = try body(&self)
    } catch {
      beginEnding()
      end(action, on: reader)
      throw error
    }
    _ = try? undisturbed { link throws(FprintFailure) in link.end(action, on: reader) }
    return value
  }

  // Of both nothing depends on the answer: when there is none, the next start fails, or the end of the connection ends it.
  // A service that did not answer is told nothing more: fprintd 1.94.2 crashes when it finds an end of a verification, a
  // release and the end of the connection at one time (measured).
  private mutating func end(_ action: Action, on reader: String) {
    if !isSilent { _ = try? call(action.rawValue + "Stop", at: reader) }
  }

  private mutating func release(_ reader: String) {
    if !isSilent { _ = try? call("Release", at: reader) }
  }
}

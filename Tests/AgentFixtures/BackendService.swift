import Glibc
package import ThumbturnAgent
package import ThumbturnAgentClient
import ThumbturnCrypto
package import ThumbturnKeychain
import ThumbturnVault

/// An agent's service over any backend, for tests: it has no passcode, and says done to everything about one.
package struct BackendService: AgentService {
  private let backend: any KeychainBackend

  /// A service over this backend.
  package init(_ backend: any KeychainBackend) { self.backend = backend }

  /// Answers a request. A passcode of `wrong` is refused, with 300 seconds to wait; setting one tells of 3 steps.
  package func answer(
    _ request: AgentRequest, from peer: AgentPeer, progress: (_ done: Int, _ total: Int) -> Void
  ) -> AgentReply {
    do throws(KeychainError) {
      switch request {
      case .add(let item, let caller, _): return .item(try backend.add(item, for: caller))
      case .find(let query, let caller, _): return .items(try backend.find(query, for: caller))
      case .update(let query, let change, let caller, _): try backend.update(query, with: change, for: caller)
      case .delete(let query, let caller): try backend.delete(query, for: caller)
      case .status: return .status(AgentStatus(process: getpid(), vaultID: Samples.vaultID))
      case .accessGroups: return .groups(["\(peer.process)", "\(peer.user)", "\(peer.handle != nil)"])
      case .unlock(let passcode):
        let isWrong = passcode.withBytes { $0.equals(Array("wrong".utf8).span) }
        if isWrong { return .failed(AgentFailure(VaultError(.lockedOut, "", secondsToWait: 300))) }
      case .passcodeSet: for done in 1...3 { progress(done, 3) }
      case .authenticationStatus: return .authenticationStatus(Samples.fullAuthenticationStatus())
      case .lock, .passcodeChange, .passcodeRemove, .rotate, .settings, .stop, .acceptOlder, .evaluate,
        .cancelEvaluation, .endSession, .simulate:
        break
      }
      return .done
    } catch { return .failed(AgentFailure(error)) }
  }
}

public import ThumbturnAuthentication
internal import ThumbturnKeychain
internal import ThumbturnVault

/// Only the agent asks a person: without one the answers say so.
extension SeatedBackend: AuthenticationBackend {
  /// As ``AuthenticationBackend/authenticationStatus()``. Without an agent there is no reader and no prompt.
  public func authenticationStatus() throws(AuthenticationFailure) -> AuthenticationStatus {
    guard let link = link() else { throw AuthenticationFailure(.passcodeNotSet, .noVault) }
    do throws(AgentFailure) {
      guard case .authenticationStatus(let status) = try link.call(.authenticationStatus(link.promptPlace())) else {
        throw AgentFailure(.agentNonsense)
      }
      return status
    } catch {
      guard error.error.cause?.isNoAgent == true || error.error.cause?.isOtherVault == true else {
        throw AuthenticationFailure(.systemCancel, .agentFailed)
      }
    }
    return try statusWithoutAgent()
  }

  private func statusWithoutAgent() throws(AuthenticationFailure) -> AuthenticationStatus {
    var status = AuthenticationStatus()
    status.reader = .unavailable(.noAgent)
    status.promptObstacle = .noAgent
    do throws(KeychainError) {
      let vault = try local.status()
      guard vault.isPresent else { throw KeychainError(.itemNotFound) }
      status.hasPasscode = vault.hasPasscode
      status.isVaultLocked = vault.hasPasscode && !vault.openClasses.contains(.whenUnlocked)
    } catch {
      throw error.code == .itemNotFound
        ? AuthenticationFailure(.passcodeNotSet, .noVault) : AuthenticationFailure(.notInteractive, .noAgent)
    }
    return status
  }

  /// As ``AuthenticationBackend/evaluate(_:_:in:anew:reply:)``.
  public func evaluate(
    _ requirement: Requirement, _ texts: AuthenticationTexts, in context: AuthenticationContext, anew: Bool,
    reply: @escaping @Sendable (Result<Set<Factor>, AuthenticationFailure>) -> Void
  ) {
    guard let link = link() else { return reply(.failure(AuthenticationFailure(.passcodeNotSet, .noVault))) }
    link.evaluate(requirement, texts, in: context, anew: anew) { [self] result in
      guard case .failure(let failure) = result, failure.code == .notInteractive, failure.reason == .noAgent else {
        return reply(result)
      }
      // Without a passcode no agent could do it either.
      do throws(AuthenticationFailure) {
        reply(.failure(try statusWithoutAgent().obstacle(to: requirement) ?? failure))
      } catch { reply(.failure(error)) }
    }
  }
}

package import ThumbturnAuthentication
internal import ThumbturnKeychain

/// Who can ask a person for this process: whoever serves its keychain.
///
/// Looked up at each call, since a test may put another backend in place. Nil when what serves the keychain can ask nobody,
/// and without a home folder.
package func processAuthenticationBackend() -> (any AuthenticationBackend)? {
  (try? ProcessKeychain.current())?.backend as? any AuthenticationBackend
}

// Packages that also run on Apple platforms branch like this, and would then compile code that needs Apple's framework.
#if canImport(LocalAuthentication)
  public let thirdPartySeesLocalAuthentication = true
#else
  public let thirdPartySeesLocalAuthentication = false
#endif
#if canImport(Security)
  public let thirdPartySeesSecurity = true
#else
  public let thirdPartySeesSecurity = false
#endif

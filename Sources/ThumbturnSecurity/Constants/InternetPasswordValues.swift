// swift-format-ignore-file: AlwaysUseLowerCamelCase
// Apple's names and raw strings: programs store and compare them. Every constant is an immutable string; it says
// nonisolated(unsafe) because NSString is not Sendable on Linux, and @safe so that no client has to say `unsafe`.

// MARK: Values of kSecAttrProtocol

/// Value of `kSecAttrProtocol`: AFP.
@safe nonisolated(unsafe) public let kSecAttrProtocolAFP: CFString = "afp "

/// Value of `kSecAttrProtocol`: AppleTalk.
@safe nonisolated(unsafe) public let kSecAttrProtocolAppleTalk: CFString = "atlk"

/// Value of `kSecAttrProtocol`: DAAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolDAAP: CFString = "daap"

/// Value of `kSecAttrProtocol`: EPPC.
@safe nonisolated(unsafe) public let kSecAttrProtocolEPPC: CFString = "eppc"

/// Value of `kSecAttrProtocol`: FTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTP: CFString = "ftp "

/// Value of `kSecAttrProtocol`: FTPAccount.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPAccount: CFString = "ftpa"

/// Value of `kSecAttrProtocol`: FTPProxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPProxy: CFString = "ftpx"

/// Value of `kSecAttrProtocol`: FTPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolFTPS: CFString = "ftps"

/// Value of `kSecAttrProtocol`: HTTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTP: CFString = "http"

/// Value of `kSecAttrProtocol`: HTTPProxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPProxy: CFString = "htpx"

/// Value of `kSecAttrProtocol`: HTTPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPS: CFString = "htps"

/// Value of `kSecAttrProtocol`: HTTPSProxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolHTTPSProxy: CFString = "htsx"

/// Value of `kSecAttrProtocol`: IMAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAP: CFString = "imap"

/// Value of `kSecAttrProtocol`: IMAPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIMAPS: CFString = "imps"

/// Value of `kSecAttrProtocol`: IPP.
@safe nonisolated(unsafe) public let kSecAttrProtocolIPP: CFString = "ipp "

/// Value of `kSecAttrProtocol`: IRC.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRC: CFString = "irc "

/// Value of `kSecAttrProtocol`: IRCS.
@safe nonisolated(unsafe) public let kSecAttrProtocolIRCS: CFString = "ircs"

/// Value of `kSecAttrProtocol`: LDAP.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAP: CFString = "ldap"

/// Value of `kSecAttrProtocol`: LDAPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolLDAPS: CFString = "ldps"

/// Value of `kSecAttrProtocol`: NNTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTP: CFString = "nntp"

/// Value of `kSecAttrProtocol`: NNTPS.
@safe nonisolated(unsafe) public let kSecAttrProtocolNNTPS: CFString = "ntps"

/// Value of `kSecAttrProtocol`: POP3.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3: CFString = "pop3"

/// Value of `kSecAttrProtocol`: POP3S.
@safe nonisolated(unsafe) public let kSecAttrProtocolPOP3S: CFString = "pops"

/// Value of `kSecAttrProtocol`: RTSP.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSP: CFString = "rtsp"

/// Value of `kSecAttrProtocol`: RTSPProxy.
@safe nonisolated(unsafe) public let kSecAttrProtocolRTSPProxy: CFString = "rtsx"

/// Value of `kSecAttrProtocol`: SMB.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMB: CFString = "smb "

/// Value of `kSecAttrProtocol`: SMTP.
@safe nonisolated(unsafe) public let kSecAttrProtocolSMTP: CFString = "smtp"

/// Value of `kSecAttrProtocol`: SOCKS.
@safe nonisolated(unsafe) public let kSecAttrProtocolSOCKS: CFString = "sox "

/// Value of `kSecAttrProtocol`: SSH.
@safe nonisolated(unsafe) public let kSecAttrProtocolSSH: CFString = "ssh "

/// Value of `kSecAttrProtocol`: Telnet.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnet: CFString = "teln"

/// Value of `kSecAttrProtocol`: TelnetS.
@safe nonisolated(unsafe) public let kSecAttrProtocolTelnetS: CFString = "tels"

// MARK: Values of kSecAttrAuthenticationType

/// Value of `kSecAttrAuthenticationType`: DPA.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDPA: CFString = "dpaa"

/// Value of `kSecAttrAuthenticationType`: the default.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeDefault: CFString = "dflt"

/// Value of `kSecAttrAuthenticationType`: HTML form.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTMLForm: CFString = "form"

/// Value of `kSecAttrAuthenticationType`: HTTP Basic.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPBasic: CFString = "http"

/// Value of `kSecAttrAuthenticationType`: HTTP Digest.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeHTTPDigest: CFString = "httd"

/// Value of `kSecAttrAuthenticationType`: MSN.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeMSN: CFString = "msna"

/// Value of `kSecAttrAuthenticationType`: NTLM.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeNTLM: CFString = "ntlm"

/// Value of `kSecAttrAuthenticationType`: RPA.
@safe nonisolated(unsafe) public let kSecAttrAuthenticationTypeRPA: CFString = "rpaa"

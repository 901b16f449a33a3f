// The enums; and what programs that import only LocalAuthentication use of Foundation and of Security. It is not the module
// `Security`, which could then not be given another name by those who use it.
@_exported public import CLocalAuthentication
@_exported public import ThumbturnSecurity

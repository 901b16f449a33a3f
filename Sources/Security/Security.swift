@_exported public import ThumbturnSecurity

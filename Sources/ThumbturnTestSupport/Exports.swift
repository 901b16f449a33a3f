// Tests name callers, error codes and item classes, and have no other reason to know where these come from.
@_exported public import ThumbturnKeychain

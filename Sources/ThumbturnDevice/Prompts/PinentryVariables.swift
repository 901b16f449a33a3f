internal import ThumbturnAuthentication

/// The whole environment of a pinentry: what the client says of its place, and of this process what a display needs.
///
/// - Parameter own: A variable of this process.
func pinentryVariables(at place: PromptPlace, own: (String) -> String?) -> [String] {
  // For those that are scripts.
  var variables = ["PATH": "/usr/bin:/bin"]
  variables["HOME"] = own("HOME")
  variables["LC_CTYPE"] = place.charactersLocale
  variables["LC_MESSAGES"] = place.messagesLocale
  if place.terminal != nil { variables["TERM"] = place.terminalType }
  if place.display != nil || place.waylandDisplay != nil {
    variables["DISPLAY"] = place.display
    variables["WAYLAND_DISPLAY"] = place.waylandDisplay
    variables["XAUTHORITY"] = place.authority
    // Without a display they are left out: GNOME's would show the prompt on this process's screen, not at the client's
    // terminal, which may be far away.
    variables["XDG_RUNTIME_DIR"] = own("XDG_RUNTIME_DIR")
    variables["DBUS_SESSION_BUS_ADDRESS"] = own("DBUS_SESSION_BUS_ADDRESS")
  }
  return variables.map { "\($0.key)=\($0.value)" }.sorted()
}

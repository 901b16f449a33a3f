// swift-format-ignore-file
import SwiftUI
import UserNotifications

@main
struct NotesApp: App {
  init() {
// wrong: permission.at-launch
    UNUserNotificationCenter.current().requestAuthorization(options: [.alert]) { granted, _ in
      Settings.shared.showsReminders = granted
    }
// right
    Settings.shared.read()
// end
  }

  var body: some Scene { WindowGroup { NoteList() } }
}

struct NoteList: View {
  var body: some View {
    List {
      NavigationLink("Settings") { SettingsView() }
    }
    .onAppear { Clock.shared.started = ProcessInfo.processInfo.systemUptime }
  }
}

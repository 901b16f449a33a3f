// swift-format-ignore-file
import SwiftUI
import UIKit

struct EntryView: View {
  let password: String
  let name: String

  var body: some View {
    VStack {
// wrong: storage.shown-secret
      Text(password)
// right
      Text(password).privacySensitive()
// end
      Button("Copy") { copy() }
    }
  }

  private func copy() {
// wrong: pasteboard.secret
    UIPasteboard.general.string = password
// right
    UIPasteboard.general.setItems([["public.text": password]], options: [.localOnly: true, .expirationDate: soon])
// end
  }

  private var soon: Date { Date(timeIntervalSinceNow: 60) }
}

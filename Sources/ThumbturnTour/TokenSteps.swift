import Foundation
import Security

/// Steps 1 to 6: the life of one token.
enum TokenSteps {
  static let service = "org.example.tour.tokens"
  static let account = "dana@example.org"
  static let label = "Tour: access token of Dana"
  static let first = "tok_5b1f0c7e-first-3a9d"
  static let second = "tok_e29a44d1-second-77c0"
  static let loadArgument = "--load"
  private static let childSeconds = 20

  static func run() throws(TourFailure) {
    try save()
    try load()
    try loadElsewhere()
    try saveAgain()
    try delete()
  }

  private static func save() throws(TourFailure) {
    Narration.step(1, "Save a token")
    let saved = KeychainManager.shared.save(Data(first.utf8), service: service, account: account, label: label)
    Narration.call("SecItemAdd", saved.add)
    try Narration.expect(saved == (errSecSuccess, nil), "the token was not saved")
  }

  private static func load() throws(TourFailure) {
    Narration.step(2, "Load it")
    let loaded = KeychainManager.shared.load(service: service, account: account)
    Narration.call("SecItemCopyMatching", loaded.status)
    try Narration.expect(loaded.secret == Data(first.utf8), "another token came back than was saved")
    Narration.say("the same \(first.utf8.count) bytes came back")
  }

  private static func loadElsewhere() throws(TourFailure) {
    Narration.step(3, "Load it again, from a new process")
    let child = try Child([loadArgument])
    try Narration.expect(child.waitForEnd(seconds: childSeconds), "the new process did not end in \(childSeconds) s")
    let lines = child.lines
    if let status = lines.first.flatMap({ OSStatus($0) }) { Narration.call("SecItemCopyMatching", status) }
    try Narration.expect(lines == ["0", first], "the new process did not get the token")
    Narration.say("it got the same bytes: they are on disk, not in memory")
  }

  /// What the new process does: it prints the status, and the token into the pipe of the process that started it.
  static func loadAsChild() {
    let loaded = KeychainManager.shared.load(service: service, account: account)
    Narration.line("\(loaded.status)")
    if let secret = loaded.secret { Narration.line(String(decoding: secret, as: UTF8.self)) }
  }

  private static func saveAgain() throws(TourFailure) {
    Narration.step(4, "Save another token over it")
    let saved = KeychainManager.shared.save(Data(second.utf8), service: service, account: account, label: label)
    Narration.call("SecItemAdd", saved.add)
    if let update = saved.update { Narration.call("SecItemUpdate", update) }
    try Narration.expect(saved == (errSecDuplicateItem, errSecSuccess), "the token was not replaced")
    let loaded = KeychainManager.shared.load(service: service, account: account)
    Narration.call("SecItemCopyMatching", loaded.status)
    try Narration.expect(loaded.secret == Data(second.utf8), "the old token came back")
    Narration.say("the new token came back")
  }

  private static func delete() throws(TourFailure) {
    Narration.step(5, "Delete it")
    let deleted = KeychainManager.shared.delete(service: service, account: account)
    Narration.call("SecItemDelete", deleted)
    try Narration.expect(deleted == errSecSuccess, "the token was not deleted")

    Narration.step(6, "Delete it once more: nothing there is no error for a program that wants it gone")
    let again = KeychainManager.shared.delete(service: service, account: account)
    Narration.call("SecItemDelete", again)
    try Narration.expect(again == errSecItemNotFound, "a deleted token was found")
  }
}

internal import Foundation
internal import Testing
internal import ThumbturnKeychain

/// Makes a fixture; Fixtures/README.md says when. It asks for a variable, so that no ordinary run does.
@Suite("Fixture writing")
struct FixtureWriting {
  @Test(
    "makes the fixture anew",
    .enabled(if: ProcessInfo.processInfo.environment["THUMBTURN_WRITE_FIXTURE"] != nil))
  func write() throws {
    let path = try #require(ProcessInfo.processInfo.environment["THUMBTURN_WRITE_FIXTURE"])
    let new = try FormatHome()
    let writer = LocalBackend(location: new.location)
    try FixtureItem.write(to: writer)
    let listing = try FixtureListing.of(writer)
    writer.close()
    for name in try new.files().keys.sorted() {
      let target = URL(filePath: path).appending(path: name)
      try FileManager.default.createDirectory(
        at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(try new.bytes(name)).write(to: target, options: .withoutOverwriting)
    }
    try Data(listing.utf8).write(to: URL(filePath: path).appending(path: "contents.txt"), options: .withoutOverwriting)
  }
}

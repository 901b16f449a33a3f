/// The record that has a primary key, as one look saw it: written again it is another one.
package struct RecordHolder: Hashable, Sendable {
  private let uuid: Identifier
  private let version: Identifier

  package init(_ record: borrowing OpenRecord) {
    uuid = record.uuid
    version = record.version
  }
}

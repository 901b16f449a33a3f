/// Why a message is refused.
package enum FrameError: Error, Hashable, Sendable {
  /// It ends inside a field or a head.
  case cutShort
  /// Another version of the protocol.
  case version
  /// No such operation or kind of reply.
  case unknownKind
  /// A field that the message does not have, that stands out of order, or that comes twice; also bytes behind the last.
  case unexpectedField
  /// A field that must be there is not.
  case missingField
  /// A field of another type than its number says.
  case wrongType
  /// A field whose size is not that of its type.
  case wrongSize
  /// A value that its field cannot have.
  case wrongValue
  /// More bytes or entries than the limit.
  case overLimit
  /// The body in a file: not sealed, of another size than announced, or not there.
  case wrongFile
  /// No locked memory for a secret in it.
  case outOfMemory
}

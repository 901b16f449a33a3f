internal import Foundation

/// The text for a status, in English; `OSStatus <n>` for one that has none.
///
/// May be called from any thread.
///
/// - Parameters:
///   - status: A status of any call.
///   - reserved: Not used; nil.
@safe
// swift-format-ignore: AlwaysUseLowerCamelCase
public func SecCopyErrorMessageString(_ status: OSStatus, _ reserved: UnsafeMutableRawPointer?) -> CFString? {
  NSString(string: messages[status] ?? "OSStatus \(status)")
}

/// SECITEM.md §15.1.
private let messages: [OSStatus: String] = [
  0: "Success.",
  -4: "This operation is not available.",
  -34: "No space left on the disk.",
  -36: "Reading or writing the vault failed.",
  -50: "A parameter is not valid.",
  -61: "No permission to write.",
  -108: "Out of memory.",
  -128: "Cancelled by the user.",
  -909: "Not possible in the current state.",
  -34018: "The program has no right to this access group.",
  -34020: "This program is restricted.",
  -25291: "The vault is not available.",
  -25292: "The vault is read-only.",
  -25293: "Authentication failed.",
  -25299: "An item with the same key exists.",
  -25300: "No matching item.",
  -25302: "The data is too large.",
  -25303: "This class has no such attribute.",
  -25304: "The reference is no longer valid.",
  -25306: "Unknown item class.",
  -25308: "Locked, and asking the user is not allowed.",
  -25309: "This attribute cannot be changed.",
  -25315: "The user must be asked but cannot be.",
  -25316: "The data of this item cannot be read.",
  -25256: "Unsupported format.",
  -25257: "Unknown format.",
  -25260: "A passphrase is needed.",
  -25264: "Wrong PKCS#12 password or damaged file.",
  -26275: "The data cannot be decoded.",
  -26276: "Internal error.",
]

internal import CRawPeer

/// The C program that Thumbturn is compared with. Times are in nanoseconds.
@safe
final class Peer {
  private let handle: OpaquePointer

  init(path: String) {
    guard let made = unsafe raw_peer_open(path) else { fatalError("the peer ends the program when it cannot open") }
    unsafe handle = made
  }

  deinit { unsafe raw_peer_close(handle) }

  var count: Int { unsafe Int(raw_peer_count(handle)) }
  func fill(_ first: Int, _ count: Int) { unsafe raw_peer_fill(handle, Int64(first), Int64(count)) }
  func remove(from first: Int) { unsafe raw_peer_remove(handle, Int64(first)) }

  func read(_ rows: [Int]) -> Double {
    let numbers = rows.map { Int64($0) }
    return unsafe Double(raw_peer_read(handle, numbers, Int32(numbers.count)))
  }
  func add(_ first: Int, _ count: Int) -> Double { unsafe Double(raw_peer_add(handle, Int64(first), Int32(count))) }

  /// The time, and the number of rows.
  func list() -> (nanoseconds: Double, count: Int) {
    var count: Int64 = 0
    let spent = unsafe raw_peer_list(handle, &count)
    return (Double(spent), Int(count))
  }

  static func openAndRead(_ path: String, _ number: Int) -> Double {
    unsafe Double(raw_peer_open_and_read(path, Int64(number)))
  }
}

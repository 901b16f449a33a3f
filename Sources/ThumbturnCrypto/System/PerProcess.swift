internal import Glibc
internal import Synchronization

/// One object for each process: a forked child never touches its parent's.
///
/// A child has only the thread that forked. A lock that another thread held at that moment is held for ever there, and
/// what is behind it may be half changed; files and connections behind it are the parent's. So the child makes its own
/// object, and its parent's is left as it is, never ended.
@safe
package struct PerProcess<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  private final class Entry: Sendable {
    let process: Int32
    let object: Object
    init(_ object: Object) {
      process = system_process()
      self.object = object
    }
  }

  /// The newest entry, retained once. It is exchanged only in a process other than the one that made it, and an entry of
  /// another process is never released, so whoever has read this may use what it names.
  private let newest = Atomic<UInt>(0)
  private let make: @Sendable () -> Object

  package init(_ make: @escaping @Sendable () -> Object) { self.make = make }

  /// This process's object.
  package var object: Object {
    var seen = newest.load(ordering: .acquiring)
    while true {
      if let entry = Self.entry(seen), entry.process == system_process() { return entry.object }
      let made = unsafe Unmanaged.passRetained(Entry(make()))
      let bits = unsafe UInt(bitPattern: made.toOpaque())
      let (isExchanged, found) = newest.compareExchange(
        expected: seen, desired: bits, ordering: .acquiringAndReleasing)
      if isExchanged { return unsafe made.takeUnretainedValue().object }
      unsafe made.release()
      seen = found
    }
  }

  private static func entry(_ bits: UInt) -> Entry? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: bits) else { return nil }
    return unsafe Unmanaged<Entry>.fromOpaque(address).takeUnretainedValue()
  }

  deinit {
    let bits = newest.load(ordering: .acquiring)
    guard let entry = Self.entry(bits), entry.process == system_process() else { return }
    unsafe Unmanaged.passUnretained(entry).release()
  }
}

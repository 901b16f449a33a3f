internal import ThumbturnCrypto

/// A database's pages and those of its write-ahead log, read as bytes: SQLite looks at none of them.
///
/// The log's checksums are not asked: a damaged frame would hide all behind it. What is in a page is believed only when its
/// boxes open.
final class PageSource {
  /// A page as it was at some moment.
  enum Place: Hashable, Sendable {
    case file(page: Int)
    case frame(Int)
  }

  static let pageCountMax = 16_777_216
  private static let usualPageBytes = 4_096
  /// A million pages of the usual size.
  private static let spareBytes = 4_096_000_000

  let pageBytes: Int
  /// Pages of the file, a last one that is cut short included.
  let filePageCount: Int
  private let file: Connection
  private let log: Log?
  /// How many pages may still be read. The writer lock is held meanwhile, and whoever wrote the file chose the chains.
  private var budgetCount: Int
  /// The page of the last record: many stand in one page.
  private var last: (place: Place, bytes: [UInt8])?

  private struct Log {
    let descriptor: LogFile
    /// The page of each frame.
    var pages: [Int] = []
    /// The frames of each page, in the order of writing.
    var framesOfPage: [Int: [Int]] = [:]
    /// For each frame the first one behind its transaction.
    var endOfTransaction: [Int] = []
  }

  /// - Parameter file: A connection on which no statement ran: its descriptor is read, and the process keeps its locks.
  init(_ file: consuming Connection, log descriptor: LogFile?) throws(VaultError) {
    let head = try file.bytes(at: 0, count: 100)
    let logHead = try descriptor?.bytes(at: 0, count: 32) ?? []
    let inLog = logHead.count == 32 ? Int(Self.bigEndian(logHead, at: 8)) : 0
    let inFile = Int(head[16]) << 8 | Int(head[17])
    let pageBytes = [inLog, inFile == 1 ? 65_536 : inFile].first(where: Self.isPageSize) ?? Self.usualPageBytes
    filePageCount = (try file.fileCount() + pageBytes - 1) / pageBytes
    guard filePageCount <= Self.pageCountMax else {
      throw VaultError(.tooLarge, "the database has more pages than a salvage reads", part: .database)
    }
    self.pageBytes = pageBytes
    self.file = file
    let log = try descriptor.map { (file) throws(VaultError) in try Self.read(file, logHead, pageBytes) }
    self.log = log
    // Each page is read once for itself and now and then for its records, and a chain twice: 256 times is far more than a
    // vault's own file takes, however small it is.
    let pageCount = filePageCount + (log?.pages.count ?? 0)
    budgetCount = 256 * pageCount + Self.spareBytes / max(pageBytes, Self.usualPageBytes)
  }

  private static func isPageSize(_ count: Int) -> Bool { count >= 512 && count <= 65_536 && count & (count - 1) == 0 }

  private static func bigEndian(_ bytes: [UInt8], at: Int) -> UInt32 {
    (0..<4).reduce(0) { $0 << 8 | UInt32(bytes[at + $1]) }
  }

  /// The frames of the log's last generation up to its last commit.
  private static func read(_ file: LogFile, _ head: [UInt8], _ pageBytes: Int) throws(VaultError) -> Log {
    var log = Log(descriptor: file)
    let frameBytes = pageBytes + 24
    let frameCount = min(max(0, (file.count - 32) / frameBytes), pageCountMax)
    var salt: [UInt8] = head.count == 32 ? Array(head[16..<24]) : []
    var committedCount = 0
    var pages: [(page: Int, isCommit: Bool)] = []
    for index in 0..<frameCount {
      let frame = try file.bytes(at: 32 + index * frameBytes, count: 24)
      // A log whose own head is damaged has the generation of its first frame.
      if index == 0, Array(frame[8..<16]) != salt { salt = Array(frame[8..<16]) }
      guard Array(frame[8..<16]) == salt else { continue }
      while pages.count < index { pages.append((0, false)) }
      let isCommit = bigEndian(frame, at: 4) != 0
      pages.append((Int(bigEndian(frame, at: 0)), isCommit))
      if isCommit { committedCount = index + 1 }
    }
    var end = committedCount
    var ends = [Int](repeating: committedCount, count: committedCount)
    for index in stride(from: committedCount - 1, through: 0, by: -1) {
      if pages[index].isCommit { end = index + 1 }
      ends[index] = end
    }
    log.endOfTransaction = ends
    for index in 0..<committedCount {
      log.pages.append(pages[index].page)
      if pages[index].page > 0 { log.framesOfPage[pages[index].page, default: []].append(index) }
    }
    return log
  }

  /// Every page as it is now, and the moment that its overflow pages are of.
  var current: [(place: Place, moment: Int)] {
    let moment = log?.pages.count ?? 0
    var places: [(Place, Int)] = []
    for page in 1..<(filePageCount + 1) where log?.framesOfPage[page] == nil {
      places.append((.file(page: page), moment))
    }
    for frames in log?.framesOfPage.values.map({ $0 }) ?? [] {
      if let last = frames.last { places.append((.frame(last), moment)) }
    }
    return places
  }

  /// Every page that was written over, with the moment that it is of.
  var former: [(place: Place, moment: Int)] {
    guard let log else { return [] }
    var places: [(Place, Int)] = []
    for (page, frames) in log.framesOfPage {
      if page <= filePageCount { places.append((.file(page: page), 0)) }
      for frame in frames.dropLast() { places.append((.frame(frame), log.endOfTransaction[frame])) }
    }
    return places
  }

  /// A page at a moment: 0 is the file alone, a higher one counts frames of the log.
  func page(_ number: Int, at moment: Int) throws(VaultError) -> [UInt8]? {
    if let frame = frame(of: number, before: moment) { return try bytes(of: .frame(frame)) }
    guard number >= 1, number <= filePageCount else { return nil }
    return try bytes(of: .file(page: number))
  }

  /// The last frame of a page before a moment. They ascend, and a page may have millions.
  private func frame(of number: Int, before moment: Int) -> Int? {
    guard let frames = log?.framesOfPage[number] else { return nil }
    var (low, high) = (0, frames.count)
    while low < high {
      let middle = (low + high) / 2
      if frames[middle] < moment { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? nil : frames[low - 1]
  }

  /// - Throws: ``VaultError/Code/damaged`` once all that one salvage may read was read.
  func bytes(of place: Place) throws(VaultError) -> [UInt8] {
    budgetCount -= 1
    guard budgetCount >= 0 else {
      throw VaultError(.damaged, "its pages lead a salvage astray: it was ended", part: .database)
    }
    switch place {
    case .file(let page): return try file.bytes(at: (page - 1) * pageBytes, count: pageBytes)
    case .frame(let index):
      guard let log else { return [] }
      return try log.descriptor.bytes(at: 32 + index * (pageBytes + 24) + 24, count: pageBytes)
    }
  }

  /// The bytes of a whole record, its overflow pages included; nil when the chain is broken, or comes to a page twice.
  func record(_ cell: FoundCell, in place: Place, at moment: Int) throws(VaultError) -> [UInt8]? {
    if last?.place != place { last = (place, try bytes(of: place)) }
    guard let page = last?.bytes else { return nil }
    let localCount = localCount(of: cell.count)
    guard cell.start + localCount <= page.count else { return nil }
    var record = Array(page[cell.start..<(cell.start + localCount)])
    guard localCount < cell.count else { return record }
    guard cell.start + localCount + 4 <= page.count else { return nil }
    var next = Int(Self.bigEndian(page, at: cell.start + localCount))
    record.reserveCapacity(min(cell.count, RecordLimits.boxCountMax))
    var visited: Set<Int> = []
    while record.count < cell.count {
      guard visited.insert(next).inserted, let bytes = try self.page(next, at: moment) else { return nil }
      next = Int(Self.bigEndian(bytes, at: 0))
      record += bytes[4..<(4 + min(pageBytes - 4, cell.count - record.count))]
    }
    return record
  }

  /// How many bytes of a record stand in its cell.
  private func localCount(of count: Int) -> Int {
    guard count > pageBytes - 35 else { return count }
    let least = (pageBytes - 12) * 32 / 255 - 23
    let wanted = least + (count - least) % (pageBytes - 4)
    return wanted <= pageBytes - 35 ? wanted : least
  }
}

/// A write-ahead log, open for reading: unlike the database's own file it has no locks that a close would drop.
final class LogFile {
  private let descriptor: Int32
  let count: Int

  init(_ descriptor: Int32) throws(VaultError) {
    self.descriptor = descriptor
    do { count = Int(try system_fstat(descriptor).sizeBytes) } catch {
      system_close(descriptor)
      throw VaultError(error, part: .database)
    }
  }
  deinit { system_close(descriptor) }

  /// Bytes at a place; zeros behind the end.
  func bytes(at offset: Int, count: Int) throws(VaultError) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var out = bytes.mutableSpan
    do { _ = try system_pread(descriptor, into: &out, at: Int64(offset)) } catch {
      throw VaultError(error, part: .database)
    }
    return bytes
  }
}

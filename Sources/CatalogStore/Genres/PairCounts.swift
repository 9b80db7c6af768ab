/// How often two small numbers meet: an open hash table, because a dictionary takes ten times as long.
struct PairCounts {
  /// `first << 32 | second`, −1 where nothing is.
  private var keys = [Int64](repeating: -1, count: 256)
  private var counts = [Int](repeating: 0, count: 256)
  private var used = 0

  /// Counts one meeting; the order of the two does not matter.
  @inline(__always)
  mutating func add(_ a: Int, _ b: Int) {
    let key = Int64(min(a, b)) << 32 | Int64(max(a, b))
    let slot = slot(of: key)
    counts[slot] += 1
    guard keys[slot] < 0 else { return }
    keys[slot] = key
    used += 1
    if used * 2 > keys.count { grow() }
  }

  /// All pairs that have met, the smaller number first, in no order.
  var all: [(first: Int, second: Int, count: Int)] {
    zip(keys, counts).compactMap { key, count in
      key < 0 ? nil : (Int(key >> 32), Int(key & 0xFFFF_FFFF), count)
    }
  }

  @inline(__always)
  private func slot(of key: Int64) -> Int {
    var slot = Int(truncatingIfNeeded: UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15 >> 32) & (keys.count - 1)
    while keys[slot] != key, keys[slot] >= 0 { slot = (slot + 1) & (keys.count - 1) }
    return slot
  }

  private mutating func grow() {
    let (oldKeys, oldCounts) = (keys, counts)
    keys = Array(repeating: -1, count: oldKeys.count * 2)
    counts = Array(repeating: 0, count: oldKeys.count * 2)
    for (key, count) in zip(oldKeys, oldCounts) where key >= 0 {
      let slot = slot(of: key)
      (keys[slot], counts[slot]) = (key, count)
    }
  }
}

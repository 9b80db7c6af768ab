extension Sequence {
  /// The elements in their order, of those with the same key only the first.
  // Modules that use it for every row make their own of it.
  @inlinable public func withoutRepeats<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Array {
  /// The elements in their order, in groups of `size`.
  func chunks(of size: Int) -> [[Element]] {
    let size = Swift.max(1, size)
    return stride(from: 0, to: count, by: size).map { Array(self[$0..<Swift.min($0 + size, count)]) }
  }
}

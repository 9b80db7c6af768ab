extension Sequence {
  /// The elements in their order, of those with the same key only the first.
  public func withoutRepeats<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Sequence {
  /// The elements in their order, of those with the same key only the first.
  func withoutRepeats<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
    var seen: Set<Key> = []
    return filter { seen.insert(key($0)).inserted }
  }
}

extension Character {
  var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}

extension SourceSettings {
  /// The host that is asked, for messages.
  var host: String { Request(source: "", url: baseURL).host }
}

extension Collection {
  /// The element of a collection that has just one.
  var only: Element? { count == 1 ? first : nil }
}

extension Search {
  /// Which page, from 1. Nobody turns to the millionth.
  var number: Int { min(max(page, 1), 1_000_000) }

  /// How many hits the page has, for a source that gives no more than `most` at once.
  func size(atMost most: Int) -> Int { min(max(pageSize, 1), most) }

  /// How many hits stand before the page.
  func offset(atMost most: Int) -> Int { (number - 1) * size(atMost: most) }
}

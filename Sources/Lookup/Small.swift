internal import CatalogModel

extension Sequence {
  /// The elements in their order, of those with the same key only the first.
  public func withoutRepeats<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
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

extension Response {
  /// How many more questions the source allows for now, and how many in all, where it says so. The names begin
  /// differently: `x-ratelimit-remaining`, `x-discogs-ratelimit-remaining`.
  public var questionsLeft: (left: Int, of: Int?)? {
    func number(_ suffixes: [String]) -> Int? {
      headers.first { header in suffixes.contains { header.name.hasSuffix($0) } }.flatMap { Int($0.value) }
        .flatMap { $0 >= 0 ? $0 : nil }
    }
    return number(["ratelimit-remaining"]).map { ($0, number(["ratelimit-limit", "-ratelimit"])) }
  }
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

extension Record {
  /// Whether one of the discs is a record.
  var isVinyl: Bool {
    guard case .vinyl(let vinyl) = details else { return false }
    return vinyl.format?.lowercased().contains("vinyl") == true
  }

  var isbn: ISBN? {
    if case .book(let book) = details { book.isbn } else { nil }
  }
}

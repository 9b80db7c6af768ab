/// A value for each selected item, found by the item's id.
///
/// In a whole catalog nearly all ids are consecutive, and the id is the index. In other cases the ids are stored, and
/// lookups in ascending order are fastest.
struct ItemTable<Fact> {
  private let first: Int64
  /// Ascending; empty when the id is the place.
  private var ids: [Int64]
  private let isDense: Bool
  private var facts: [Fact]
  /// The place of the item that was asked for last, and perhaps of the next.
  private var position = 0

  /// A table for all ids of a range that is not much larger than the number of items in it; nil when it is.
  init?(_ range: ClosedRange<Int64>, items: Int, each fact: Fact) {
    let (span, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
    guard !overflows, span < Int64(items) * 4 + 65_536 else { return nil }
    (first, ids, isDense) = (range.lowerBound, [], true)
    facts = Array(repeating: fact, count: Int(span) + 1)
  }

  /// A table without items, for those that are appended.
  init() { (first, ids, isDense, facts) = (0, [], false, []) }

  /// Adds an item behind all others. Only for a table that began without items.
  mutating func append(_ id: Int64, _ fact: Fact) {
    ids.append(id)
    facts.append(fact)
  }

  private init(first: Int64, ids: [Int64], isDense: Bool, facts: [Fact]) {
    (self.first, self.ids, self.isDense, self.facts) = (first, ids, isDense, facts)
  }

  /// A table of the same items with other facts.
  func map<Other>(_ transform: (Fact) throws -> Other) rethrows -> ItemTable<Other> {
    ItemTable<Other>(first: first, ids: ids, isDense: isDense, facts: try facts.map(transform))
  }

  var count: Int { facts.count }
  var all: [Fact] { facts }

  /// Nil for an item that is not selected.
  @inline(__always)
  mutating func place(of id: Int64) -> Int? {
    if isDense {
      let place = id &- first
      return place >= 0 && place < Int64(facts.count) ? Int(place) : nil
    }
    if position > 0, position >= ids.count || ids[position] > id, ids[position - 1] >= id { search(id) }
    while position < ids.count, ids[position] < id { position += 1 }
    return position < ids.count && ids[position] == id ? position : nil
  }

  /// Moves to the first place whose id is not smaller.
  private mutating func search(_ id: Int64) {
    var (low, high) = (0, min(position, ids.count))
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    position = low
  }

  @inline(__always)
  subscript(place: Int) -> Fact {
    get { facts[place] }
    set { facts[place] = newValue }
  }
}

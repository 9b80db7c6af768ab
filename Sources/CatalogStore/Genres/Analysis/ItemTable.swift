/// A value for each of some rows of a table, found by the row's id. The ids ascend.
struct ItemTable<Value> {
  private var ids: [Int64] = []
  private(set) var all: [Value] = []

  init() {}

  private init(_ ids: [Int64], _ all: [Value]) { (self.ids, self.all) = (ids, all) }

  /// Adds a row behind all others.
  mutating func append(_ id: Int64, _ value: Value) {
    ids.append(id)
    all.append(value)
  }

  /// A table of the same rows with other values.
  func map<Other>(_ transform: (Value) throws -> Other) rethrows -> ItemTable<Other> {
    ItemTable<Other>(ids, try all.map(transform))
  }

  var count: Int { all.count }

  /// Nil for a row that is not in the table. Since no two ids are the same, a row stands no further behind than its id
  /// says, and few ids are missing in between.
  func place(of id: Int64) -> Int? {
    guard let first = ids.first, id >= first else { return nil }
    let (distance, overflows) = id.subtractingReportingOverflow(first)
    var high = overflows ? count - 1 : min(Int(distance), count - 1)
    guard ids[high] >= id else { return nil }
    var (low, step) = (high, 1)
    while low > 0, ids[low] > id { (high, low, step) = (low, max(0, low - step), step * 2) }
    while low < high {
      let middle = (low + high) / 2
      if ids[middle] < id { low = middle + 1 } else { high = middle }
    }
    return ids[low] == id ? low : nil
  }

  subscript(place: Int) -> Value {
    get { all[place] }
    set { all[place] = newValue }
  }
}

internal import CatalogModel
internal import SQLite

/// People numbered by name. All spellings of a name have one number, that of the spelling asked about first.
struct PeopleByName {
  /// The numbers for small ids in an array for fast access, −1 for missing people.
  private var small: [Int32] = []
  private var others: [Int64: Int32] = [:]
  /// All names, concatenated.
  private var names: [UInt8] = []
  private var ends: [Int] = []
  /// The number for each; −1 before the first question. Most people are of the cast, and not asked about.
  private var merged: [Int32] = []
  private var numbers: [String: Int32] = [:]

  var count: Int { ends.count }

  init(_ db: Connection) throws {
    let people = try db.value("SELECT count(*) FROM person", as: Int.self) ?? 0
    small = Array(repeating: -1, count: people * 2)
    // The index on names contains all needed columns.
    try db.forEach("SELECT id, name FROM person ORDER BY name") { row in
      row.withText(1) { name in
        let start = ends.count > 1 ? ends[ends.count - 2] : 0
        guard ends.isEmpty || !names[start...].elementsEqual(name) else { return }
        names.append(contentsOf: name)
        ends.append(names.count)
      }
      let (id, number) = (row.integer(0), Int32(clamping: ends.count - 1))
      if id >= 0, id < Int64(small.count) { small[Int(id)] = number } else { others[id] = number }
      return true
    }
    merged = Array(repeating: -1, count: ends.count)
  }

  mutating func number(of id: Int64) -> Int? {
    let exact = id >= 0 && id < Int64(small.count) ? small[Int(id)] : others[id] ?? -1
    guard exact >= 0 else { return nil }
    if merged[Int(exact)] < 0 {
      let key = Maker(name(Int(exact))).key
      let number = numbers[key] ?? exact
      (numbers[key], merged[Int(exact)]) = (number, number)
    }
    return Int(merged[Int(exact)])
  }

  func name(_ number: Int) -> String {
    String(decoding: names[(number > 0 ? ends[number - 1] : 0)..<ends[number]], as: UTF8.self)
  }
}

/// The profiles of items: the branches to which they give their weight. Profiles are numbered from 0, and items that
/// give the same share one.
struct BranchProfiles {
  /// The branches of each profile, ascending; a branch repeats if several genres of the item are in it.
  private var all: [[Int]] = []
  /// By branch, −1 where there is none yet: most items have but one.
  private var single: [Int32]
  private var short: [UInt64: Int32] = [:]
  private var long: [[Int]: Int32] = [:]
  /// The parts of ``ItemShare/unit`` that each profile gives to its branches, each branch once. Filled by ``sort()``.
  private(set) var parts: [[(branch: Int, share: Int)]] = []

  init(branches: Int) { single = Array(repeating: -1, count: branches) }

  /// - Parameter branches: of one item, in any order; at least one.
  mutating func number(of branches: inout [Int]) -> Int32 {
    if branches.count > 1 { branches.sort() }
    guard let first = branches.first, let last = branches.last else { return 0 }
    if first == last {
      if single[first] < 0 { single[first] = append([first]) }
      return single[first]
    }
    // Up to four branches are one number.
    guard branches.count <= 4, last < 65_535 else {
      if let number = long[branches] { return number }
      let number = append(branches)
      long[branches] = number
      return number
    }
    let key = branches.reduce(0 as UInt64) { $0 << 16 | UInt64($1 + 1) }
    if let number = short[key] { return number }
    let number = append(branches)
    short[key] = number
    return number
  }

  private mutating func append(_ branches: [Int]) -> Int32 {
    all.append(branches)
    return Int32(clamping: all.count - 1)
  }

  /// Numbers them anew, in an order that does not depend on that of the items. Nothing is added afterwards.
  /// - Returns: the new numbers.
  mutating func sort() -> [Int32] {
    let order = all.indices.sorted { all[$0].lexicographicallyPrecedes(all[$1]) }
    var numbers = Array(repeating: Int32(0), count: all.count)
    for (number, place) in order.enumerated() { numbers[place] = Int32(clamping: number) }
    parts = order.map { place in
      let branches = all[place]
      let share = ItemShare.of(branches.count)
      var parts: [(branch: Int, share: Int)] = []
      for branch in branches {
        if let last = parts.indices.last, parts[last].branch == branch {
          parts[last].share += share
        } else {
          parts.append((branch, share))
        }
      }
      return parts
    }
    return numbers
  }
}

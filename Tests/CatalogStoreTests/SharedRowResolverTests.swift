import CatalogModel
import Testing

@testable import CatalogStore

/// Tests which item owns a row that several files have, however that came about.
struct SharedRowResolverTests {
  /// Files of items with rows of each other, and the current owner of each row.
  private struct Shelf {
    private(set) var files: [String: Document] = [:]
    private var owners: [String: String] = [:]

    /// Puts every row into some of the files: an entry only with its card, a loan only with its copy.
    init(_ chance: inout SplitMix64) throws {
      let items = ["a", "b", "c", "d", "e"].prefix(Int.random(in: 2...5, using: &chance))
      var rows: [String: [String: [String]]] = [:]
      func some(_ items: [String], _ chance: inout SplitMix64) -> [String] {
        let some = items.filter { _ in Bool.random(using: &chance) }
        return some.isEmpty ? items.randomElement(using: &chance).map { [$0] } ?? [] : some
      }
      func put(_ table: String, _ uid: String, _ members: String, in items: [String], _ chance: inout SplitMix64) {
        for item in items { rows[item, default: [:]][table, default: []].append(#"{"uid":"\#(uid)"\#(members)}"#) }
        owners[uid] = items.randomElement(using: &chance)
      }
      for number in 1...3 {
        let (cards, copies) = (some(Array(items), &chance), some(Array(items), &chance))
        for item in cards { put("card", "k\(number)", #","comment":"k\#(number) in \#(item)""#, in: [item], &chance) }
        for item in copies { put("copy", "p\(number)", #","note":"p\#(number) in \#(item)""#, in: [item], &chance) }
        let card = Bool.random(using: &chance) ? #","card":"k\#(number)""# : ""
        put(
          "log_entry", "l\(number)", #","outcome":"done","ended_on":"2026-01-0\#(number)"\#(card)"#,
          in: some(cards, &chance), &chance)
        put(
          "loan", "o\(number)", #","copy":"p\#(number)","person":"Kim","lent_on":"2026-01-01""#,
          in: some(copies, &chance), &chance)
      }
      for item in items {
        let tables = (rows[item] ?? [:]).map { #","\#($0)":[\#($1.joined(separator: ","))]"# }.sorted().joined()
        files[item] = try Document(
          parsing:
            Array(#"{"item":{"uid":"\#(item)","kind":"book","title":"Dune"},"book":{}\#(tables)}"#.utf8))
      }
    }

    /// Applies the files in this order.
    mutating func take(_ items: [String]) {
      for item in items {
        guard let file = files[item] else { continue }
        let resolver = SharedRowResolver(
          of: item, saying: file,
          neighbours: { [owners] file in Set(file.ownableRows.compactMap { owners[$0] }).subtracting([file.uid ?? ""])
          },
          document: { [files] in files[$0] }, origins: { _, _ in [] })
        for uid in resolver.changed.union([item]) {
          files[uid] = resolver.documents[uid]
          for row in files[uid]?.ownableRows ?? [] { owners[row] = uid }
        }
      }
    }

    /// The texts of cards and copies, by the uid of their row.
    var texts: [String: String] {
      Dictionary(
        files.values.flatMap { file in
          (file.rows(of: "card") + file.rows(of: "copy")).map { row in
            (row["uid"]?.text ?? "", row["comment"]?.text ?? row["note"]?.text ?? "")
          }
        }
      ) { $0 + "\n" + $1 }
    }
  }

  @Test(arguments: 0..<500)
  func `shared rows end in exactly one file with their values and dependent rows`(seed: Int) throws {
    var chance = SplitMix64(seed: UInt64(seed))
    let before = try Shelf(&chance)
    var after = before
    after.take(before.files.keys.sorted().shuffled(using: &chance))
    let files = after.files.values
    let rows = files.flatMap { Array($0.ownableRows) }
    #expect(rows.count == Set(rows).count)
    #expect(Set(rows) == before.files.values.reduce(into: Set()) { $0.formUnion($1.ownableRows) })
    for (row, texts) in before.texts {
      for text in texts.split(separator: "\n") { #expect(after.texts[row]?.contains(text) == true) }
    }
    for file in files {
      let names = file.ownableRows
      for loan in file.rows(of: "loan") { #expect(names.contains(loan["copy"]?.text ?? "")) }
      for card in file.rows(of: "log_entry").compactMap({ $0["card"]?.text }) { #expect(names.contains(card)) }
    }
    for (uid, file) in after.files {
      for (other, theirs) in after.files where other != uid { #expect(ThreeWayMerge.areDisjoint(file, theirs)) }
    }
  }

  @Test(arguments: 0..<500)
  func `shared rows end in the same file in any order of application`(seed: Int) throws {
    var chance = SplitMix64(seed: UInt64(seed))
    let before = try Shelf(&chance)
    let items = before.files.keys.sorted()
    var (one, other) = (before, before)
    one.take(items.shuffled(using: &chance))
    other.take(items.shuffled(using: &chance))
    for item in items { #expect(one.files[item]?.ownableRows == other.files[item]?.ownableRows) }
  }
}

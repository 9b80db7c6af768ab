import CatalogModel
import SQLite
import Testing

@testable import CatalogStore

/// Tests one name that two devices spell in two ways.
struct SpellingTests {
  private static let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")

  private static let spellings = [
    ("Foo", "foo"), ("Café", "cafe"), ("Caf\u{E9}", "Cafe\u{301}"), ("Hip Hop", "hip-hop"), ("R&B", "R and B"),
    ("Łódź", "lodz"), ("Straße", "STRASSE"),
  ]

  private func document(_ json: String) throws -> Document { try Document(parsing: Array(json.utf8)) }

  private func item(_ member: String, _ column: String, _ names: [String]) throws -> Document {
    let rows = names.enumerated().map { place, name in
      #"{"\#(column)":"\#(name)"\#(member == "item_genre" ? #","position":\#(place + 1)"# : "")}"#
    }
    return try document(
      #"{"item":{"uid":"u","kind":"book","title":"Dune"},"book":{},"\#(member)":[\#(rows.joined(separator: ","))]}"#)
  }

  @Test(arguments: spellings, [("item_tag", "tag"), ("item_genre", "genre")])
  func `a merge has a name once, without a conflict`(names: (String, String), part: (String, String)) throws {
    let bases = [nil, try item(part.0, part.1, ["other"]), try item(part.0, part.1, [names.0.uppercased()])]
    for base in bases {
      let others = base?.rows(of: part.0).first?[part.1]?.text == "other" ? ["other"] : []
      let ours = try item(part.0, part.1, others + [names.0])
      let theirs = try item(part.0, part.1, others + [names.1])
      let one = ThreeWayMerge.merge(base: base, ours: ours, theirs: theirs)
      let other = ThreeWayMerge.merge(base: base, ours: theirs, theirs: ours)
      #expect(one.document.rows(of: part.0).count == others.count + 1)
      #expect(one.document.isSame(as: other.document))
      #expect(one.conflicts.isEmpty)
    }
  }

  @Test(arguments: spellings)
  func `the vocabulary of three devices has one spelling in any order`(names: (String, String)) throws {
    func vocabulary(_ table: String, _ name: String) throws -> Document {
      try document(#"{"\#(table)":[{"name":"\#(name)","key":"\#(Folding.nameKey(name))"}]}"#)
    }
    for table in ["tag", "genre"] {
      let all = try [names.0, names.1, names.0.lowercased()].map { try vocabulary(table, $0) }
      var results: [UInt64] = []
      for order in [[0, 1, 2], [2, 1, 0], [1, 0, 2], [0, 2, 1]] {
        let merged = order.dropFirst().reduce(all[order[0]]) {
          ThreeWayMerge.merge(base: nil, ours: $0, theirs: all[$1]).document
        }
        #expect(merged.rows(of: table).count == 1)
        results.append(merged.fingerprint)
      }
      #expect(Set(results).count == 1)
    }
  }

  @Test(arguments: spellings)
  func `items that name a tag and a genre in other spellings than the vocabulary are kept`(
    names: (String, String)
  ) throws {
    let uids = (5...7).map { "01a20484-5498-701f-a34d-ec2ccf3049c\($0)" }
    let tags = [[names.0], [names.1], [names.0, names.1]]
    var files: [TreePath: Document] = [:]
    for (uid, names) in zip(uids, tags) {
      let rows = names.map { #"{"tag":"\#($0)"}"# }.joined(separator: ",")
      let genres = names.enumerated().map { #"{"position":\#($0 + 1),"genre":"\#($1)"}"# }.joined(separator: ",")
      files[.item(uid)] = try document(
        #"""
        {"item":{"uid":"\#(uid)","kind":"book","title":"Dune","created_at":"2026-01-01T00:00:00Z",
        "updated_at":"2026-01-01T00:00:00Z"},"book":{},"item_tag":[\#(rows)],"item_genre":[\#(genres)]}
        """#)
    }
    let pair = #"[{"name":"\#(names.0)"},{"name":"\#(names.1)"},{"name":"Below","parent":"\#(names.1)"}]"#
    files[.tags] = try document(#"{"tag":\#(pair)}"#)
    files[.genres] = try document(#"{"genre":\#(pair)}"#)
    let store = try Store.empty()
    var incoming = IncomingChanges(commit: "c") { _ in [] }
    incoming.paths = Array(files.keys)
    incoming.merged = Snapshot { $0.map { files[$0].map { .success($0) } } }
    let result = try store.apply(incoming, now: Self.now)
    #expect(result.rejected.map(\.reason) == [])
    #expect(result.added == 3)
    for table in ["tag", "genre"] as [SQL] {
      let known = try store.db.values(
        "SELECT name FROM \(table) WHERE key = \(Folding.nameKey(names.0))", as: String.self)
      // The last in the order of texts, as in a merge.
      let last = names.0.utf8.lexicographicallyPrecedes(names.1.utf8) ? names.1 : names.0
      #expect(known.map { Array($0.utf8) } == [Array(last.utf8)])
      #expect(
        try store.db.value("SELECT count(DISTINCT item_id) FROM item_\(table)", as: Int.self) == 3)
    }
    #expect(
      try store.db.value(
        "SELECT count(*) FROM genre JOIN genre AS above ON above.id = genre.parent_id WHERE genre.name = 'Below'",
        as: Int.self) == 1)
    // Its statement about them is now the same for all.
    var said = Set<[String]>()
    _ = try store.exportChanges(now: Self.now) { file in
      if case .item = file.path { said.insert(file.document.rows(of: "item_tag").map { $0["tag"]?.word ?? "" }) }
    }
    #expect(said.count == 1)
  }

  @Test func `a text in another form of its letters is another text`() throws {
    let store = try Store.empty()
    let (one, other) = ("Caf\u{E9}", "Cafe\u{301}")
    _ = try store.add(Record(kind: .movie, title: one), now: Self.now)
    var files: [TreePath: Document] = [:]
    let exported = try store.exportChanges(now: Self.now) { files[$0.path] = $0.document }
    let (path, document) = try #require(files.first { if case .item = $0.key { true } else { false } })
    let changed = Document(
      document.members.map { member in
        guard member.key == "item", let row = member.value.object else { return member }
        return .init(
          "item", .object(Document(row.members.map { $0.key == "title" ? .init("title", .text(other)) : $0 })))
      })
    var incoming = IncomingChanges(commit: "c") { _ in [] }
    (incoming.exported, incoming.paths) = (exported, [path])
    incoming.merged = Snapshot { $0.map { _ in .success(changed) } }
    incoming.ours = Snapshot { $0.map { _ in .success(document) } }
    _ = try store.apply(incoming, now: Self.now)
    // Each device would else send its own form for ever.
    #expect(try store.exportChanges(now: Self.now) { _ in }.isEmpty)
  }
}

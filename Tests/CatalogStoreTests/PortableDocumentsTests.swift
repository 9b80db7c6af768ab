import CatalogModel
import FoundationEssentials
import SQLite
import TestSupport
import Testing

@testable import CatalogStore

/// Tests the catalog as files, from one store to another.
struct PortableDocumentsTests {
  private static let now = Timestamp(rawValue: "2026-11-21T09:30:00Z")

  /// The sync files of a store.
  private func files(of store: Store) throws -> [TreePath: Document] {
    try store.forgetSyncs()
    var files: [TreePath: Document] = [:]
    _ = try store.exportChanges(now: Self.now) { files[$0.path] = $0.document }
    return files
  }

  private func apply(_ files: [TreePath: Document], in store: Store, covers: Store? = nil) throws -> ApplyResult {
    var incoming = IncomingChanges(commit: "c") { _ in Array(#"{"value":null}"#.utf8) }
    incoming.files = files.map { ($0.key, nil, $0.value) }
    incoming.cover = { digest, _ in try covers?.cover(digest: digest) }
    return try store.apply(incoming, now: Self.now)
  }

  @Test func `a catalog with every kind of row is unchanged after a sync to another file`() throws {
    let store = try DocumentTests().everything()
    let files = try files(of: store)
    let other = try Store.empty()
    // Other numbers than there.
    _ = try other.add(Record(kind: .movie, title: "Stalker"), now: Self.now)
    try other.remove([ItemID(rawValue: 1)])
    let result = try apply(files, in: other, covers: store)
    #expect(result.rejected.map(\.reason) == [])
    var count = 0
    _ = try other.exportChanges(now: Self.now) { file in
      count += 1
      Issue.record("\(file.path) is otherwise")
    }
    #expect(count == 0)
    let back = try self.files(of: other)
    #expect(back.keys.count == files.keys.count)
    for (path, document) in files {
      for member in document.members where !member.value.isSame(as: back[path]?[member.key]) {
        let (own, other) = (document.rows(of: member.key), back[path]?.rows(of: member.key) ?? [])
        let difference = own.first { !other.contains($0) } ?? other.first { !own.contains($0) }
        Issue.record("\(path.text) \(member.key): \(difference.map { "\($0)" } ?? "another order")")
      }
    }
    #expect(try other.db.value("SELECT count(*) FROM cover", as: Int.self) == 1)
    #expect(try other.examine(now: Date(timeIntervalSince1970: 1_795_253_400)).allSatisfy { $0.state != .wrong })
  }

  @Test func `every recorded table is synced except for the listed ones`() throws {
    let store = try Store.empty()
    let portable = try PortableDocuments(store.db)
    let atHome: Set = [
      "person", "recently_viewed", "genre_label_target", "pile_item", "representative", "import_batch", "import_row",
    ]
    for table in RecordedTable.all where !atHome.contains(table.name) {
      #expect(portable.table(table.name) != nil, "\(table.name)")
    }
  }

  @Test func `only changed items are pushed`() throws {
    let store = try DocumentTests().everything()
    let first = try store.exportChanges(now: Self.now) { _ in }
    var incoming = IncomingChanges(commit: "c") { _ in [] }
    incoming.exported = first
    _ = try store.apply(incoming, now: Self.now)
    #expect(try store.exportChanges(now: Self.now) { _ in }.isEmpty)
    // Another program.
    try store.db.run("UPDATE item SET year = 1999 WHERE id = 1")
    try store.db.run("DELETE FROM item WHERE id = 2")
    let changed = try store.exportChanges(now: Self.now) { _ in }
    #expect(changed.values.contains { $0 == nil })
    #expect(changed.keys.filter { if case .item = $0 { true } else { false } }.count == 2)
  }

  @Test func `a local change during a pull is merged inside the transaction`() throws {
    let store = try Store.empty()
    let id = try store.add(Record(kind: .movie, title: "Heat"), now: Self.now).id
    var files: [TreePath: Document] = [:]
    let left = try store.exportChanges(now: Self.now) { files[$0.path] = $0.document }
    var incoming = IncomingChanges(commit: "c") { _ in [] }
    incoming.exported = left
    let path = try #require(files.keys.first { if case .item = $0 { true } else { false } })
    let ours = try #require(files[path])
    var merged = ours
    merged.members = merged.members.map { member in
      guard member.key == "item", case .object(let row) = member.value else { return member }
      return .init("item", .object(Document(row.members + [.init("url", .text("https://example.com"))])))
    }
    incoming.files = [(path, ours, merged)]
    try store.db.run("UPDATE item SET year = 1995 WHERE id = \(id.rawValue)")
    _ = try store.apply(incoming, now: Self.now)
    let item = try store.item(id).record
    #expect(item.year == 1995)
    #expect(item.url == "https://example.com")
    // The others do not know the year yet.
    #expect(try store.exportChanges(now: Self.now) { _ in }.keys.map(\.self) == [path])
  }

  @Test(
    arguments: [
      #"{"item":{"uid":"U","kind":"movie","title":"x","year":"soon"},"movie":{}}"#,
      #"{"item":{"uid":"U","kind":"movie","title":"x","year":99999},"movie":{}}"#,
      #"{"item":{"uid":"U","kind":"film","title":"x"}}"#, #"{"item":{"kind":"movie","title":"x"},"movie":{}}"#,
      #"{"item":{"uid":"U","kind":"movie"},"movie":{}}"#, #"{}"#, #"{"item":[]}"#,
      #"{"item":{"uid":"U","kind":"movie","title":"x"},"movie":{},"card":[{"uid":"no uid","rating":5}]}"#,
      #"{"item":{"uid":"U","kind":"movie","title":"x"},"movie":{},"edition_of":{"work":"nobody"}}"#,
      #"{"item":{"uid":"U","kind":"movie","title":"x"},"book":{},"movie":{"minutes":[1]}}"#,
    ])
  func `an invalid document is rejected and the others are applied`(json: String) throws {
    let store = try Store.empty()
    let (bad, good) = ("01a20484-5498-701f-a34d-ec2ccf3049c5", "01a20484-5498-701f-a34d-ec2ccf3049c6")
    func document(_ json: String, _ uid: String) throws -> Document {
      try Document(
        parsing:
          Array(
            json.replacing(#""U""#, with: "\"\(uid)\"")
              .replacing(
                #","title":"#,
                with: #","created_at":"2026-01-01T00:00:00Z","updated_at":"2026-01-01T00:00:00Z","title":"#
              )
              .utf8))
    }
    let result = try apply(
      [
        .item(bad): try document(json, bad),
        .item(good): try document(#"{"item":{"uid":"U","kind":"movie","title":"Heat"},"movie":{}}"#, good),
      ], in: store)
    #expect(result.rejected.map(\.path) == [.item(bad)])
    #expect(try store.db.values("SELECT title FROM item WHERE title = 'Heat'", as: String.self) == ["Heat"])
    #expect(try store.db.value("SELECT count(*) FROM card", as: Int.self) == 0)
  }

  @Test func `members of a newer version survive a local change`() throws {
    let store = try Store.empty()
    _ = try store.add(Record(kind: .movie, title: "Heat"), now: Self.now)
    var own: Document?
    _ = try store.exportChanges(now: Self.now) { if case .item = $0.path { own = $0.document } }
    var newer = try #require(own)
    newer.members.append(.init("mood", .text("calm")))
    newer.members = newer.members.map { member in
      guard member.key == "item", case .object(let row) = member.value else { return member }
      return .init("item", .object(Document(row.members + [.init("colour", .text("red"))])))
    }
    let completed = try store.completing()(try #require(own), newer)
    #expect(completed["mood"] == .text("calm"))
    #expect(completed.rows(of: "item").first?["colour"] == .text("red"))
  }

  @Test func `a fingerprint is equal for rows and for their document`() throws {
    let store = try DocumentTests().everything()
    try store.db.run("UPDATE item SET public_rating = 80.0 WHERE id = 1")
    _ = try store.exportChanges(now: Self.now) { _ in }
    let item = try #require(try store.db.value("SELECT min(id) FROM item", as: Int64.self))
    let uid = "01a20484-5498-701f-a34d-ec2ccf3049c5"
    try store.db.run("INSERT INTO identity VALUES (\(uid), 'item', \(item), 1)")
    let portable = try PortableDocuments(store.db)
    let ids = try store.db.values("SELECT id FROM item", as: Int64.self)
    let quick = try portable.fingerprints(ofItems: 0...1_000)
    var count = 0
    try portable.forEachItem(ids) { id, _, document in
      count += 1
      #expect(document.fingerprint == quick[id])
    }
    #expect(count == ids.count)
    #expect(quick.count == ids.count)
    #expect(count > 2)
  }

  // MARK: Foreign bytes

  @Test(arguments: 0..<8 as Range<UInt64>)
  func `a damaged document is rejected or applied as a whole`(seed: UInt64) throws {
    let store = try DocumentTests().everything()
    var files: [(TreePath, Document)] = []
    _ = try store.exportChanges(now: Self.now) { files.append(($0.path, $0.document)) }
    var random = SplitMix(seed: seed)
    struct Rollback: Error {}
    for _ in 0..<Rounds.count(25, long: 60) {
      guard let (path, document) = files.randomElement(using: &random) else { return }
      let damaged = document.damaged(using: &random)
      _ = ThreeWayMerge.merge(base: document, ours: document, theirs: damaged)
      _ = ThreeWayMerge.merge(base: nil, ours: damaged, theirs: document)
      var incoming = IncomingChanges(commit: "c") { _ in [] }
      incoming.files = [(path, document, damaged)]
      do {
        try store.write {
          let result = try store.apply(incoming, now: Self.now)
          if !result.rejected.isEmpty, case .item = path {
            var same = false
            try PortableDocuments(store.db).forEachItem(try store.db.values("SELECT id FROM item")) {
              if .item($1) == path { same = $2.isSame(as: document) }
            }
            #expect(same, "\(damaged)")
          }
          throw Rollback()
        }
      } catch is Rollback {
      } catch is DocumentProblem {
      }
    }
  }

  @Test func `documents are read in groups, and a cancelled pull applies nothing`() throws {
    let store = try Store.empty()
    for number in 0..<450 { _ = try store.add(Record(kind: .movie, title: "Film \(number)"), now: Self.now) }
    let files = try files(of: store)
    let other = try Store.empty()
    var incoming = IncomingChanges(commit: "c") { _ in [] }
    incoming.files = files.map { ($0.key, nil, $0.value) }
    let (merged, lots) = (incoming.merged, Lots())
    incoming.merged = Snapshot { paths in
      lots.largest = max(lots.largest, paths.count)
      return try merged.documents(paths)
    }
    incoming.progress = { done, count in
      #expect(done <= count)
      #expect(count == 450)
      lots.told.append(done)
      return done < 300
    }
    #expect(throws: Store.Stopped.self) { try other.apply(incoming, now: Self.now) }
    #expect(try other.isEmpty())
    #expect(try other.syncState("commit") == nil)
    incoming.progress = { _, _ in true }
    #expect(try other.apply(incoming, now: Self.now).added == 450)
    #expect(lots.largest == 200)
    #expect(lots.told == lots.told.sorted())
    #expect(lots.told.count > 3)
    #expect(try self.files(of: other).keys.count == files.keys.count)
  }

  private final class Lots {
    var largest = 0
    var told: [Int] = []
  }

  @Test func `two devices that merge the same items get the same document`() throws {
    func document(_ uid: String, _ card: String) throws -> Document {
      let row = #"{"uid":"\#(card)","rating":90,"scale":"half"}"#
      let entry = #"{"uid":"l\#(card)","card":"\#(card)"}"#
      let item = #"{"uid":"\#(uid)","kind":"movie","title":"Heat"}"#
      return try Document(
        parsing:
          Array(#"{"item":\#(item),"movie":{},"card":[\#(row)],"log_entry":[\#(entry)]}"#.utf8))
    }
    let (one, other) = (try document("a", "x"), try document("b", "w"))
    let ours = try #require(Document.mergingDuplicates(one, other))
    let theirs = try #require(Document.mergingDuplicates(other, one))
    #expect(ours.document.isSame(as: theirs.document))
    #expect(ours.uid == theirs.uid)
    #expect(ours.alias == theirs.alias)
    #expect(ours.document.rows(of: "card").count == 1)
    #expect(ours.document.rows(of: "log_entry").count == 1)
  }

  /// Two devices gave one uid to different items: the item whose own file says that it exists stays.
  @Test(arguments: [false, true], [false, true])
  func `an item whose uid is claimed as an alias is removed only when its own file says so`(
    isGone: Bool, claimantIsFirst: Bool
  ) throws {
    let store = try Store.empty()
    for title in claimantIsFirst ? ["Heat", "Ran"] : ["Ran", "Heat"] {
      let item = try store.add(Record(kind: .movie, title: title), now: Self.now).id
      _ = try store.addCard(to: item, rating: nil, comment: title, now: Self.now)
    }
    let files = try files(of: store)
    _ = try apply(files, in: store)
    let heat = try #require(files.first { $0.value.title == "Heat" })
    let ran = try #require(files.first { $0.value.title == "Ran" })
    let (claimant, name) = (try #require(heat.value.uid), try #require(ran.value.uid))
    var incoming = [heat.key: Document(heat.value.members + [.init(PortableDocuments.aliases, .list([.text(name)]))])]
    if isGone { incoming[ran.key] = Document([.init(PortableDocuments.same, .text(claimant))]) }
    for _ in 1...2 {
      #expect(try apply(incoming, in: store).rejected.isEmpty)
      let left = isGone ? ["Heat"] : ["Heat", "Ran"]
      #expect(try store.db.values("SELECT title FROM item ORDER BY title", as: String.self) == left)
      #expect(try store.db.values("SELECT comment FROM card ORDER BY comment", as: String.self) == left)
    }
    // No device takes it for removed.
    #expect(try self.files(of: store)[ran.key]?.isGone ?? isGone == isGone)
    #expect(try store.db.value("SELECT is_alias FROM identity WHERE uid = \(name)", as: Bool.self) == isGone)
  }

  @Test func `syncing a copied selection removes nothing`() throws {
    let folder = try TemporaryFolder()
    let store = try Store.open(at: folder.path + "/all.db", for: .writing)
    let item = try store.add(Record(kind: .movie, title: "Heat"), now: Self.now).id
    _ = try store.add(Record(kind: .movie, title: "Ran"), now: Self.now)
    var incoming = IncomingChanges(commit: "c") { _ in [] }
    incoming.exported = try store.exportChanges(now: Self.now) { _ in }
    _ = try store.apply(incoming, now: Self.now)
    let heat = try Query(["title:heat"], now: Date(timeIntervalSince1970: 0))
    _ = try store.copySelection(of: heat, to: folder.path + "/some.db")
    let some = try Store.open(at: folder.path + "/some.db", for: .writing)
    #expect(try some.syncState("commit") == nil)
    var left: [Document] = []
    _ = try some.exportChanges(now: Self.now) { left.append($0.document) }
    #expect(!left.contains { $0.isGone })
    #expect(left.contains { $0.title == "Heat" })
    // It is still called the same.
    #expect(try some.uid(of: item) == store.uid(of: item))
  }

  // MARK: Paths

  @Test func `sync paths are parsed as printed, and other paths are rejected`() {
    let uid = "01a20484-5498-701f-a34d-ec2ccf3049c5"
    let digest = String(repeating: "a", count: 64)
    for path in [
      TreePath.catalog, .genres, .tags, .queries, .wishes, .item(uid), .pile(key: "다음"), .pile(key: "../a b"),
      .pile(key: String(repeating: "긴", count: 200)), .cover(digest, ending: "jpg"),
    ] {
      #expect(TreePath(path.text) == path)
      #expect(path.text.split(separator: "/").allSatisfy { $0.utf8.count <= 255 && $0 != ".." })
    }
    for text in [
      "items/c5/../c5/\(uid).json", "items/00/\(uid).json", "items/c5/\(uid.uppercased()).json", "items/c5/x.json",
      "/catalog.json", "catalog.json/", "covers/aa/short.jpg", "piles/.json", "README.md", "", "items",
      "a/catalog.json",
    ] { #expect(TreePath(text) == nil, "\(text)") }
  }

  @Test func `uids have the form of RFC 9562`() {
    var chance = SystemRandomNumberGenerator()
    let uid = UUIDv7.make(milliseconds: 0x0192_3456_789A, counter: 5, chance: &chance)
    #expect(uid.hasPrefix("01923456-789a-7005-"))
    #expect(
      UUIDv7.make(milliseconds: 0x0192_3456_789A, counter: 4_097, chance: &chance).hasPrefix("01923456-789b-7001-"))
    #expect(UUIDv7.isOne(uid) && "89ab".contains(uid[uid.index(uid.startIndex, offsetBy: 19)]))
    #expect(!UUIDv7.isOne("01923456-789A-7000-8000-000000000000"))
    #expect(!UUIDv7.isOne(""))
    #expect(!UUIDv7.isOne("é"))
  }
}

struct FingerprintTests {
  @Test func `similar documents have different fingerprints`() throws {
    var seen = Set<UInt64>()
    for a in 0..<100 {
      for b in 0..<100 {
        let document = Document([
          .init("uid", .text("\(a)")), .init("on", .text("2026-\(b)")), .init("n", .integer(Int64(a ^ b))),
        ])
        seen.insert(document.fingerprint)
      }
    }
    #expect(seen.count == 10_000)
  }

  @Test func `documents are equal in any member order but not in any list order`() {
    let (one, two) = (JSON.Member("a", .integer(1)), JSON.Member("b", .real(2)))
    #expect(Document([one, two]).isSame(as: Document([.init("b", .integer(2)), one])))
    func list(_ values: Int64...) -> Document { Document([.init("a", .list(values.map(JSON.integer)))]) }
    #expect(!list(1, 2).isSame(as: list(2, 1)))
    #expect(!Document([.init("a", .text("1"))]).isSame(as: Document([.init("a", .integer(1))])))
  }
}

extension Document {
  /// The document with random damage that no program would write.
  fileprivate func damaged(using random: inout SplitMix) -> Document {
    var document = self
    for _ in 0...Int.random(in: 0...2, using: &random) {
      guard let place = document.members.indices.randomElement(using: &random) else { return document }
      switch Int.random(in: 0...4, using: &random) {
      case 0: document.members.remove(at: place)
      case 1: document.members[place].key = ["item", "card", "uid", "title", ""].randomElement(using: &random) ?? ""
      default: document.members[place].value = document.members[place].value.damaged(using: &random)
      }
    }
    return document
  }
}

extension JSON {
  fileprivate func damaged(using random: inout SplitMix) -> JSON {
    let strange: [JSON] = [
      .null, .flag(true), .integer(.min), .integer(-1), .real(1e300), .text(""),
      .text(String(repeating: "x", count: 20_000)),
      .text("\u{0}\u{202E}"), .list([]), .list([.null, .integer(1)]), .object(Document()),
    ]
    switch self {
    case .object(let document) where Bool.random(using: &random): return .object(document.damaged(using: &random))
    case .list(var values) where !values.isEmpty && Bool.random(using: &random):
      let place = Int.random(in: 0..<values.count, using: &random)
      if Bool.random(using: &random) {
        values.append(values[place])
      } else {
        values[place] = values[place].damaged(using: &random)
      }
      return .list(values)
    default: return strange.randomElement(using: &random) ?? .null
    }
  }
}

extension IncomingChanges {
  /// The files of a group that are in memory at once.
  fileprivate var files: [(path: TreePath, ours: Document?, merged: Document)] {
    get { [] }
    set {
      let files = Dictionary(newValue.map { ($0.path, $0) }) { $1 }
      paths = newValue.map(\.path)
      merged = Snapshot { $0.map { files[$0].map { .success($0.merged) } } }
      ours = Snapshot { $0.map { (files[$0]?.ours).map { .success($0) } } }
    }
  }
}

import CatalogModel
import CommandLineKit
import Foundation
import SQLite
import TestSupport
import Testing

@testable import CatalogCommands
@testable import CatalogStore

/// Tests the origins of values, locked fields, and covers set by hand.
struct FieldOriginTests {
  let catalog: TestCatalog

  init() throws {
    catalog = try TestCatalog()
    catalog.run("add", "pack:vinyl/kind-of-blue-1959")
  }

  private func fields(_ id: Int = 1) -> [String: [String]] {
    let lines = catalog.run("show", "\(id)", "--fields", "--tsv").output.split(separator: "\n")
    let cells = lines.map { $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init) }
    return Dictionary(cells.map { ($0[0], Array($0.dropFirst())) }) { first, _ in first }
  }

  @Test func `show --fields lists every field with its origin, date and lock`() throws {
    let pack = ["pack", "2026-11-21T09:30:00Z", "false"]
    #expect(fields()["title"] == ["Kind of Blue"] + pack)
    #expect(fields()["creators"] == ["Miles Davis"] + pack)
    #expect(fields()["barcode"] == ["", "", "", "false"])
    #expect(Set(fields().keys) == Set((Field.refreshableFields(of: .vinyl) + [.genres, .cover]).map(\.name)))
    // A row is of what did not come with the item.
    #expect(try catalog.store.db.value("SELECT count(*) FROM field_value", as: Int.self) == 0)
    catalog.now += 60
    catalog.run("edit", "1", "year=1960", "genre=Bebop")
    let hand = ["hand", "2026-11-21T09:31:00Z", "true"]
    #expect(fields()["year"] == ["1960"] + hand)
    #expect(fields()["released_on"] == ["1960"] + hand)
    #expect(fields()["genres"] == ["Bebop", "hand", "", "true"])
    #expect(fields()["title"] == ["Kind of Blue"] + pack)
  }

  @Test func `show --fields prints a table on a terminal and objects as JSON`() throws {
    catalog.run("edit", "1", "label=Mine")
    catalog.atTerminal()
    let lines = catalog.run("show", "1", "--fields").output.split(separator: "\n").map(String.init)
    #expect(lines[0] == "vinyl 1: Kind of Blue — Miles Davis (1959)")
    #expect(lines[1].hasPrefix("Field"))
    #expect(
      lines.contains {
        $0.hasPrefix("label ") && $0.contains("Mine") && $0.hasSuffix("by hand        2026-11-21  locked")
      })
    catalog.terminal = Terminal()
    let json = catalog.run("show", "1", "--fields", "--json").output
    #expect(
      json.contains(
        #"{"field":"labels","value":["Mine"],"source":"hand","updated_at":"2026-11-21T09:30:00Z","locked":true}"#))
    #expect(json.contains(#"{"field":"barcode","value":null,"source":null,"updated_at":null,"locked":false}"#))
    // Asking for origins is no view.
    #expect(catalog.run("recent").status == 1)
  }

  @Test func `the typed fields of an item added by hand are locked, and title! unlocks the title`() throws {
    catalog.run("add", "book", "--title", "토지", "--creator", "박경리", "--genre", "Drama")
    #expect(fields(2)["title"] == ["토지", "hand", "2026-11-21T09:30:00Z", "true"])
    #expect(fields(2)["genres"]?.last == "true")
    #expect(fields(2)["year"] == ["", "", "", "false"])
    #expect(
      catalog.run("edit", "2", "title!").output == """
        book 2: 토지 — 박경리
          title: 'catalog refresh' may change it again
        changed 1 item

        """)
    #expect(fields(2)["title"] == ["토지", "hand", "2026-11-21T09:30:00Z", "false"])
    #expect(catalog.run("edit", "2", "title!").errors == "catalog: nothing changed\n")
  }

  @Test func `edit --where unlocks a field of several items after a preview`() throws {
    catalog.run("add", "pack:book/1q84-2009")
    catalog.run("edit", "1", "title=A")
    catalog.run("edit", "2", "title=B")
    let words = ["edit", "--where", "id:1..", "title!"]
    #expect(catalog.run(words + ["--dry-run"]).output.hasSuffix("would change 2 items\n"))
    #expect(fields()["title"]?.last == "true")
    #expect(catalog.run(words + ["--yes"]).output.hasSuffix("changed 2 items\n"))
    #expect(fields()["title"]?.last == "false")
    #expect(catalog.run("edit", "1", "minutes!").errors.contains("vinyl have no minutes"))
    #expect(catalog.run("edit", "1", "nonsense!").status != 0)
  }

  @Test func `values from a source are stored apart from values edited by hand`() throws {
    let id = ItemID(rawValue: 1)
    try catalog.store.change(id, from: .source("discogs"), now: catalog.clock) { draft in
      draft.record.vinyl.label = "CBS"
      draft.record.labels = ["Bebop"]
    }
    let item = try catalog.store.item(id)
    #expect(item.genres == ["Bebop"])
    #expect(fields()["labels"] == ["CBS", "discogs", "2026-11-21T09:30:00Z", "false"])
    #expect(fields()["genres"] == ["Bebop", "discogs", "2026-11-21T09:30:00Z", "false"])
    catalog.run("edit", "1", "genre=Jazz")
    try catalog.store.change(id, from: .source("discogs"), now: catalog.clock) { $0.record.labels = ["Pop"] }
    #expect(try catalog.store.item(id).genres == ["Jazz"])
    #expect(try catalog.store.item(id).record.labels == ["Pop"])
  }

  // MARK: Covers

  @Test func `cover set detects the media type from the bytes and rejects other data`() throws {
    let id = ItemID(rawValue: 1)
    let png = Picture.png(width: 40, height: 50)
    catalog.bytes = png
    #expect(catalog.run("cover", "set", "1", "-", "--dry-run").output.hasPrefix("would be the cover: 40 × 50"))
    #expect(try catalog.store.cover(of: id) == nil)
    #expect(catalog.run("cover", "set", "1", "-").status == 0)
    #expect(try catalog.store.cover(of: id) == Cover(bytes: png, mediaType: "image/png", width: 40, height: 50))
    #expect(fields()["has_cover"] == ["true", "hand", "2026-11-21T09:30:00Z", "true"])
    for (bytes, words) in [
      (Array("<html>".utf8), "what came from standard input is not a picture"), ([], "is not a picture"),
      (png + [UInt8](repeating: 0, count: CoverSetCommand.mostBytes), "is larger than 8.4 MB"),
      (Array(png.prefix(png.count / 2)), "is cut short"), (Picture.png(width: 1, height: 1), "has too few pixels"),
      (CoverCommandTests.png(high: 200), "has too many pixels"),
    ] {
      catalog.bytes = bytes
      let run = catalog.run("cover", "set", "1", "-")
      #expect(run.errors.contains(words))
      #expect(run.status == 2)
      #expect(try catalog.store.cover(of: id)?.bytes == png)
    }
    #expect(catalog.run("cover", "set", "1", "nowhere.png").errors == "catalog: there is no file 'nowhere.png'\n")
    #expect(catalog.run("cover", "set", "77", "-").errors.contains("there is no item 77"))

    #expect(
      catalog.run("cover", "remove", "1").output == "removed the cover: vinyl 1: Kind of Blue — Miles Davis (1959)\n")
    #expect(try catalog.store.cover(of: id) == nil)
    #expect(fields()["has_cover"] == ["false", "", "", "false"])
    let again = catalog.run("cover", "remove", "1")
    #expect(again.errors == "catalog: it has no cover: vinyl 1: Kind of Blue — Miles Davis (1959)\n")
    #expect(again.status == 0)
  }
}

internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The CSV of Zotero, of which books, films and recordings are kept.
  static let zotero = TableFormat(
    "zotero", "Zotero", nil, needs: ["Key", "Item Type", "Publication Year", "Manual Tags"],
    own: [
      "type": type, "issued": issued, "authors": .makers(.author, .lastFirst),
      "directors": .makers(.director, .lastFirst), "artists": .makers(.artist, .lastFirst),
      "translators": .makers(.translator, .lastFirst),
    ],
    finish: needingKind(in: "Item Type"),
    key: { cells, _ in cells.first("Key") })

  private static let type = ColumnMapping("kind", "kind") { text, facts in
    switch text {
    case "book": facts.kind = .book
    case "film", "videoRecording": facts.kind = .movie
    case "audioRecording": facts.kind = .vinyl
    default: break
    }
    return true
  }
}

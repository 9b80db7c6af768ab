internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The CSV of Zotero, of which books, films and recordings are kept.
  static let zotero = TableFormat(
    "zotero", "Zotero", nil, needs: ["Key", "Item Type", "Publication Year", "Manual Tags"],
    columns: [
      "Key": .inside, "Item Type": type, "Publication Year": issued, "Date": issued,
      "Author": .makers(.author, .lastFirst),
      "Director": .makers(.director, .lastFirst), "Performer": .makers(.artist, .lastFirst),
      "Translator": .makers(.translator, .lastFirst), "Title": .title, "ISBN": .isbn, "Url": .url,
      "Abstract Note": .summary, "Date Added": .addedOn, "Date Modified": .inside, "Access Date": .inside,
      "Num Pages": .pages, "Series": .series, "Series Number": .seriesNumber, "Publisher": .publisher,
      "Language": .language, "Notes": .note, "Manual Tags": .tag.each(of: ";"), "Automatic Tags": .inside,
      "Running Time": .minutes, "File Attachments": .inside, "Link Attachments": .inside, "Library Catalog": .inside,
      "Short Title": .inside,
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

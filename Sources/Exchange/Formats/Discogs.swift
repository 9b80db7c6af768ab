internal import CatalogModel

extension TableFormat {
  /// The collection of Discogs as CSV.
  static let discogsCollection = TableFormat(
    "discogs", "Discogs collection", .vinyl, needs: ["Artist", "Title", "release_id", "CollectionFolder"],
    columns: discogsColumns,
    finish: { facts, _ in
      facts.owned = 1
    },
    key: { cells, _ in
      cells.first("release_id").map {
        "\($0) \(cells.first("CollectionFolder") ?? "") \(cells.first("Date Added") ?? "")"
      }
    })

  /// The wantlist of Discogs as CSV.
  static let discogsWantlist = TableFormat(
    "discogs-wantlist", "Discogs wantlist", .vinyl,
    isOurs: { shape in
      guard let names = shape.names else { return false }
      return names.isSuperset(of: ["catalog", "artist", "title", "releaseid", "notes"])
        && !names.contains("collectionfolder")
    }, columns: discogsColumns,
    finish: { facts, _ in
      facts.owned = 0
      if facts.wish == nil { facts.wish = Wish.Terms() }
    },
    key: { cells, _ in cells.first("release_id") })

  /// The columns of both formats. Artists are not split, since names may contain commas.
  private static let discogsColumns: KeyValuePairs<String, ColumnMapping> = [
    "Catalog#": .catalogNumber, "Artist": .creator, "Title": .title, "Label": .label, "Format": .format,
    "Rating": .rating(.five), "Released": .released, "release_id": .id("discogs"), "CollectionFolder": folder,
    "Date Added": .addedOn, "Collection Media Condition": .media, "Collection Sleeve Condition": .sleeve,
    "Collection Notes": .copyNote, "Notes": .wishNote,
  ]

  /// A folder as a tag, except the default folders.
  private static let folder = ColumnMapping("tags", "tags") { text, facts in
    if text != "Uncategorized" && text != "All" { facts.tags.append(text) }
    return true
  }
}

internal import CatalogModel

extension TableFormat {
  /// The collection of Discogs as CSV.
  static let discogsCollection = TableFormat(
    "discogs", "Discogs collection", .vinyl, needs: ["Artist", "Title", "release_id", "CollectionFolder"],
    own: ["folder": folder], finish: { facts, _ in facts.owned = 1 },
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
    }, own: ["folder": folder],
    finish: { facts, _ in
      facts.owned = 0
      if facts.wish == nil { facts.wish = Wish.Terms() }
    },
    key: { cells, _ in cells.first("release_id") })

  /// A folder as a tag, except the default folders.
  private static let folder = ColumnMapping("tags", "tags") { text, facts in
    if text != "Uncategorized" && text != "All" { facts.tags.append(text) }
    return true
  }
}

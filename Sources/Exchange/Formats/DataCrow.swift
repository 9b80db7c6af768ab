internal import CatalogModel

extension TableFormat {
  /// The XML of Data Crow: albums, movies and books.
  static let dataCrow = TableFormat(
    "datacrow", "Data Crow", nil, records: .elements(["music-album", "movie", "book", "audio-cd"]),
    isOurs: { shape in
      guard case .xml(let root, _) = shape else { return false }
      return root == "data-crow-objects"
    },
    columns: [
      "(element)": element, "title": .title, "original-title": .originalTitle, "year": .year,
      "genres-items-list": .genre.each(of: ","), "countries-items-list": .country,
      "artists-items-list": .creator.each(of: ","), "authors-items-list": .creator.each(of: ","),
      "directors-items-list": .creator.each(of: ","), "actors-items-list": .cast.each(of: ","),
      "record-label-items-list": .label, "publishers-items-list": .publisher, "languages-items-list": .language,
      "container-items-list": .place, "storage-medium-items-list": .format, "webpage": .url, "rating": .rating(.ten),
      "ean": .barcode, "isbn-10": .otherISBN, "isbn-13": .isbn, "isbn10": .otherISBN, "isbn13": .isbn, "pages": .pages,
      "playlength": .inside, "created": .addedOn, "modified": .inside, "id": .inside, "label": .repeated,
      "service": .inside, "service-url": .inside, "description": .summary, "tags-items-list": .tags,
      "datacrow-module-index": .inside, "loaned-by": .holder, "state-items-list": .copyNote,
      "series-items-list": .series,
    ],
    prefixes: [
      ("picture", .inside), ("music-track-children", .left("its tracks come from the sources")),
      ("genres-items", .repeated), ("countries-items", .repeated), ("artists-items", .repeated),
      ("authors-items", .repeated), ("directors-items", .repeated), ("actors-items", .repeated),
      ("record-label-items", .repeated), ("publishers-items", .repeated), ("languages-items", .repeated),
      ("container-items", .repeated), ("storage-medium-items", .repeated), ("tags-items", .repeated),
      ("external-references", .inside), ("series-items", .repeated), ("state-items", .repeated),
    ],
    finish: { facts, _ in facts.owned = 1 },
    key: { cells, _ in cells.first("id") })

  private static let element = Target("kind", "kind") { text, facts in
    facts.kind = text == "movie" ? .movie : text == "book" ? .book : .vinyl
    return true
  }
}

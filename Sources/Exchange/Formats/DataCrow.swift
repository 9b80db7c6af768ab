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
      "datacrow-module-index": .inside, "loaned-by": .holder, "state-items-list": state,
      "series-items-list": .series,
      // Version 4.
      "genres-list": .genre.each(of: ","), "countries-list": .country, "artists-list": .creator.each(of: ","),
      "authors-list": .creator.each(of: ","), "directors-list": .creator.each(of: ","),
      "actors-list": .cast.each(of: ","), "record-label-list": .label, "publishers-list": .publisher,
      "languages-list": .language, "container-list": .place, "storage-medium-list": .format, "tags-list": .tags,
      "series": .series, "state": state, "series.name": .series, "state.name": state, "container": .place,
      "container.name": .place, "storage-medium": .format, "storage-medium.name": .format, "binding": .format,
      "binding.name": .format, "record-label": .label, "record-label.name": .label, "label.name": .label,
      "record-label.record-label.name": .repeated, "running-time": .minutes, "read": .isDone, "seen": .isDone,
      "volume": .seriesNumber,
    ],
    prefixes: [
      ("picture", .inside), ("music-track-children", .left("its tracks come from the sources")),
      ("genres-items", .repeated), ("countries-items", .repeated), ("artists-items", .repeated),
      ("authors-items", .repeated), ("directors-items", .repeated), ("actors-items", .repeated),
      ("record-label-items", .repeated), ("publishers-items", .repeated), ("languages-items", .repeated),
      ("container-items", .repeated), ("storage-medium-items", .repeated), ("tags-items", .repeated),
      ("external-references", .inside), ("series-items", .repeated), ("state-items", .repeated),
      ("genres.", .repeated), ("countries.", .repeated), ("artists.", .repeated), ("authors.", .repeated),
      ("directors.", .repeated), ("actors.", .repeated), ("publishers.", .repeated), ("languages.", .repeated),
      ("tags.", .repeated), ("music-album-children", .left("its tracks come from the sources")),
    ],
    finish: { facts, cells in
      facts.owned = 1
      // A movie of version 4 has seconds.
      if let seconds = cells.first("playlength").flatMap({ Int($0) }), facts.kind == .movie, facts.movie.minutes == nil,
        (60...360_000).contains(seconds)
      {
        facts.movie.minutes = seconds / 60
      }
    },
    key: { cells, _ in cells.first("id") })

  /// `Read` and `Seen` are what was done with it; any other state is that of the copy.
  private static let state = Target("status", "status") { text, facts in
    Target.status.read(text, &facts) || Target.copyNote.read(text, &facts)
  }

  private static let element = Target("kind", "kind") { text, facts in
    facts.kind = text == "movie" ? .movie : text == "book" ? .book : .vinyl
    return true
  }
}

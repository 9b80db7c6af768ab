extension Manner {
  /// Deezer. Errors come with status 200, too: a missing album as well as too many requests.
  static let deezer = Manner(
    answer: { ask in
      switch (ask.path.first, ask.path.last) {
      case ("search", _):
        let found = Catalogue.albums.filter { $0.matches(ask["q"] ?? "") }
        return .json(["data": .list(found.map(\.deezer)), "total": .whole(found.count)])
      case ("album", let id?):
        return Catalogue.albums.first { id == "upc:\($0.barcode)" }.map { .json($0.deezer) }
          ?? Deezer.error("DataException", "no data", 800)
      default: return Deezer.error("DataException", "no data", 800)
      }
    },
    refusals: [.throttled: { _ in Deezer.error("Exception", "Quota limit exceeded", 4) }])
}

private enum Deezer {
  static func error(_ type: String, _ words: String, _ code: Int) -> Answer {
    .json(["error": ["type": .string(type), "message": .string(words), "code": .whole(code)]])
  }
}

extension Album {
  fileprivate var deezer: OrderedJSON {
    [
      "id": .whole(number), "title": .string(title), "upc": .string(barcode), "label": .string(label),
      "release_date": .string(released), "nb_tracks": .whole(tracks.count), "artist": ["name": .string(artist)],
      "type": "album",
    ]
  }
}

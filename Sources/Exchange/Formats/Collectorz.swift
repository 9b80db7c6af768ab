internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The XML of the collectors of Collectorz for movies, books and music, with American dates.
  static let collectorz = TableFormat(
    "collectorz", "Collectorz", .movie, records: .elements(["movie", "book", "music"]),
    isOurs: { shape in
      guard case .xml(let root, _) = shape else { return false }
      return ["movieinfo", "bookinfo", "musicinfo"].contains(root)
    },
    columns: [
      "title": .title, "originaltitle": .originalTitle, "releasedate.year.displayname": .year,
      "releasedate.date": .released(.month), "imdbnum": .imdb, "imdburl": .repeated, "tmdbid": .id("tmdb"),
      "tmdburl": .repeated, "genres.genre.displayname": .genre, "runtime": .minutes, "runtimeminutes": .repeated,
      "country.displayname": .country, "language.displayname": .language, "plot": .summary, "myrating": .rating(.ten),
      "seenit": .isDone, "seenit.boolvalue": .repeated, "viewingdate.date": .finished(.month),
      "seenwhere.displayname": .remark, "format.displayname": .format, "purchasedate.date": .acquiredOn(.month),
      "purchaseprice": .price, "store.displayname": .acquiredFrom, "location.displayname": .place,
      "collectionstatus": status, "collectionstatus.listid": .inside, "upc": .barcode, "notes": .note,
      "edition.displayname": .copyNote, "condition.displayname": .copyNote, "tags.tag.displayname": .tag,
      "quantity": .owned, "series.displayname": .note, "boxset.displayname": .note, "studios.studio.displayname": .note,
      "distributor.displayname": .note, "mpaarating.displayname": .note, "extras.extra.displayname": .note,
      "titlesort": .inside, "titleextension": .copyNote, "loan.loanedto.displayname": .holder,
      "cast.star.person.displayname": people, "crew.crewmember.person.displayname": people,
      "package.displayname": .note, "owner.displayname": .note, "poster": .inside, "backdropurl": .inside,
      "nritems": .inside, "imdbrating": .others, "imdbvotes": .others, "color": .inside, "chapters": .inside,
      "index": .inside, "id": .inside, "thumbfilepath": .inside, "episodecount": .inside, "layers": .inside,
      "layersnum": .inside, "tapespeed": .inside, "tapelabel": .inside, "coverfront": .inside, "coverback": .inside,
      "extrafeatures": .inside, "backgroundbackdrop": .inside, "mainsection.title": .title,
      "mainsection.originaltitle": .originalTitle, "mainsection.myrating.displayname": .rating(.ten),
      "mainsection.pagecount": .pages, "mainsection.plot": .summary, "mainsection.series.displayname": .series,
      "mainsection.genres.genre.displayname": .genre, "mainsection.credits.credit.person.displayname": people,
      "isbn": .isbn, "publisher.displayname": .publisher, "publicationdate.date": .published(.month),
      "readit": .isDone, "readingdate.date": .finished(.month), "artists.artist.displayname": .artist,
      "label.displayname": .label, "labelnumber": .catalogNumber, "nrdiscs": .discs,
    ],
    prefixes: [
      ("mainsection", .repeated), ("publicationdate", .repeated), ("readingdate", .repeated), ("readit", .repeated),
      ("publisher", .repeated), ("artists", .repeated), ("label", .repeated), ("tracks", .inside),
      ("releasedate", .repeated), ("dvdreleasedate", .inside), ("purchasedate", .repeated), ("viewingdate", .repeated),
      ("genres", .repeated), ("country", .repeated), ("language", .repeated), ("location", .repeated),
      ("format", .repeated), ("cast", .repeated), ("crew", .repeated), ("links", .inside), ("discs", .inside),
      ("regions", .inside), ("ratios", .inside), ("subtitles", .inside), ("audios", .inside), ("features", .inside),
      ("lastmodified", .inside), ("bp", .inside), ("titlefirstletter", .inside), ("mpaarating", .repeated),
      ("series", .repeated), ("edition", .repeated), ("condition", .repeated), ("package", .repeated),
      ("distributor", .repeated), ("studios", .repeated), ("extras", .repeated), ("store", .repeated),
      ("tags", .repeated), ("layers", .inside), ("color", .inside), ("tapespeed", .inside), ("boxset", .repeated),
      ("owner", .repeated), ("storagedevice", .inside), ("submissiondate", .inside), ("plotlanguage", .inside),
    ],
    finish: { facts, cells in
      let characters = cells.list.filter { $0.name == "cast.star.character" }.map(\.value)
      let stars = cells.list.filter { $0.name == "cast.star.person.displayname" }.map(\.value)
      // If some actors have no character, the lists cannot be paired.
      let isPaired = characters.count == stars.count
      facts.credits += zip(stars.indices, stars).prefix(30).map { index, name in
        Credit(name: name, role: .cast, detail: isPaired ? characters[index].nonEmpty : nil)
      }
      func crew(_ name: String) -> [String] { cells.list.filter { $0.name == "crew.crewmember.\(name)" }.map(\.value) }
      facts.creators += zip(crew("roleid"), crew("person.displayname")).filter { $0.0 == "dfDirector" }.map(\.1)
      func part(_ name: String) -> [String] {
        cells.list.filter { $0.name == "mainsection.credits.credit.\(name)" }.map(\.value)
      }
      for (role, name) in zip(part("roleid"), part("person.displayname")) {
        let name = Names.firstLast(name)
        switch role {
        case "dfAuthor": facts.creators.append(name)
        case "dfTranslator": facts.credits.append(Credit(name: name, role: .translator))
        default: facts.note("Author", "\(name) (\(role.hasPrefix("df") ? String(role.dropFirst(2)) : role))")
        }
      }
      if facts.status == .planned || cells.first("collectionstatus") == "Not in Collection" {
        facts.owned = 0
      } else {
        facts.owned = max(1, facts.owned ?? 1)
      }
    },
    key: { cells, facts in
      cells.first("id").map { "\(cells.first("(element)") ?? "") \($0) \(Cells.key(facts.title ?? ""))" }
    }
  ).prepared { file, format in
    format.columns = format.columns.mapValues(\.asTold)
    guard case .xml(let root, _) = file.shape else { return }
    format.kind = root == "bookinfo" ? .book : root == "musicinfo" ? .vinyl : .movie
  }

  private static let people = ColumnMapping("cast", "director and cast") { _, _ in true }

  private static let status = ColumnMapping("status", "status") { text, facts in
    switch text {
    case "Wish List", "On Order": facts.status = .planned
    case "For Sale", "Sold": facts.note("Collection status", text)
    default: break
    }
    return true
  }
}

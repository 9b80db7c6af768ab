internal import CatalogModel
internal import Lookup
internal import Processes

/// A collection of Tellico: `.tc`, `.bc` or plain XML. It holds books, movies or records, with the loans at its end.
struct Tellico: FileFormat {
  let id = "tellico"
  let name = "Tellico"

  func recognizes(_ shape: Shape) -> Bool {
    switch shape {
    case .xml(let root, _): root == "tellico"
    case .zip(let members): members.contains("tellico.xml")
    default: false
    }
  }

  func fitted(to file: InputFile) throws -> any FileFormat { try format(of: file).fitted(to: file) }

  func uses(in file: InputFile) throws -> [ColumnUse] { try fitted(to: file).uses(in: file) }

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws { try fitted(to: file).read(file, each: each) }

  private struct Loan {
    var person: String
    var since: PartialDate?
    var due: PartialDate?
  }

  /// Returns the table format for the kind of this collection, with its loans.
  private func format(of file: InputFile) throws -> TableFormat {
    var loans: [String: Loan] = [:]
    var type: String?
    let source =
      if case .zip = file.shape { try ZipArchive(path: file.path).read("tellico.xml") } else {
        try file.bytes()
      }
    try XMLElements(source: source).forEach(
      named: ["borrower"],
      begin: { element in
        if element.name == "collection" { type = element["type"] }
        return true
      },
      { borrower in
        for loan in borrower.children where loan.name == "loan" && loans.count < 100_000 {
          guard let entry = loan["entryRef"], let person = borrower["name"] else { continue }
          loans[entry] = Loan(
            person: person, since: loan["loanDate"].flatMap { Dates.read($0) },
            due: loan["dueDate"].flatMap { Dates.read($0) })
        }
        return true
      })
    let kind: Kind? =
      switch type {
      case "2", "5": .book
      case "3": .movie
      case "4": .vinyl
      default: nil
      }
    return TableFormat(
      id, name, kind, records: .elements(["entry"], member: "tellico.xml"), isOurs: { _ in true },
      columns: Self.columns, prefixes: Self.prefixes,
      finish: { [loans] facts, cells in
        let cast = cells.list.filter { $0.name == "casts.cast.column" }.map(\.value)
        for place in stride(from: 0, to: min(cast.count, 60), by: 2) where !cast[place].isEmpty {
          let role = place + 1 < cast.count ? cast[place + 1].nonEmpty : nil
          facts.credits.append(Credit(name: Names.plain(cast[place]), role: .cast, detail: role))
        }
        func number(_ name: String) -> Int? { cells.first(name).flatMap { Int($0) } }
        facts.addedOn = number("cdate.year").flatMap {
          PartialDate(year: $0, month: number("cdate.month"), day: number("cdate.day"))
        }
        facts.owned = 1
        if let loan = cells.first("id").flatMap({ loans[$0] }) {
          (facts.holder, facts.lentOn, facts.dueOn) = (loan.person, loan.since, loan.due)
        }
      },
      key: { cells, facts in
        cells.first("id").map { "\(facts.kind?.rawValue ?? "") \($0) \(Cells.key(facts.title ?? ""))" }
      })
  }

  private static let columns: KeyValuePairs<String, ColumnMapping> = [
    "id": .inside, "title": .title, "subtitle": .subtitle, "origtitle": .originalTitle, "authors.author": .makers(),
    "artists.artist": .creator, "directors.director": .makers(), "translators.translator": .makers(.translator),
    "casts.cast.column": byFinish, "years.year": .year, "year": .year, "cr_years.cr_year": .year,
    "pub_year": .published,
    "isbn": .isbn, "pages": .pages, "publishers.publisher": .publisher, "publisher": .publisher, "binding": .format,
    "medium": .format, "pur_date": .acquiredOn, "pur_price": .price, "rating": .rating(.five), "read": .isDone,
    "seen": .isDone, "loaned": .left("it is part of the loan"), "comments": .note, "keywords.keyword": .tag,
    "genres.genre": .genre, "series": .series, "series_num": .seriesNumber, "languages.language": .language,
    "nationalitys.nationality": .country, "running-time": .minutes, "labels.label": .label, "plot": .summary,
    "tracks.track.column": .left("its tracks come from the sources"), "condition": .copyNote, "signed": signed,
    "upc": .barcode, "barcode": .barcode, "imdb": .url, "amazon": .inside, "cover": .inside, "region": .inside,
    "format": .inside, "widescreen": .inside, "color": .inside, "aspect-ratios.aspect-ratio": .inside,
    "audio-tracks.audio-track": .inside, "subtitles.subtitle": .inside, "location": .place,
  ]

  private static let prefixes: [(String, ColumnMapping)] = [
    ("cdate", .addedOnByFinish), ("mdate", .inside),
  ]

  private static let byFinish = ColumnMapping("cast", "cast") { _, _ in true }

  private static let signed = ColumnMapping("copy-note", "note of the copy") { text, facts in
    Flag.read(text) != true || ColumnMapping.copyNote.read("signed", &facts)
  }
}

extension ColumnMapping {
  /// The date of the addition, whose year, month and day are separate cells.
  fileprivate static let addedOnByFinish = ColumnMapping("added", "date of the addition") { _, _ in true }
}

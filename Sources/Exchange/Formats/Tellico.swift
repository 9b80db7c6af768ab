internal import CatalogModel
internal import Lookup
internal import Processes

extension TableFormat {
  /// A collection of Tellico: `.tc`, `.bc` or plain XML. It holds books, movies or records, with the loans at its end.
  static let tellico = TableFormat(
    "tellico", "Tellico", nil, records: .elements(["entry"], member: "tellico.xml"),
    isOurs: { shape in
      switch shape {
      case .xml(let root, _): root == "tellico"
      case .zip(let members): members.contains("tellico.xml")
      default: false
      }
    },
    own: ["translators": .makers(.translator), "loaned": .left("it is part of the loan"), "signed": signed],
    key: { cells, facts in
      cells.first("id").map { "\(facts.kind?.rawValue ?? "") \($0) \(Cells.key(facts.title ?? ""))" }
    }
  ).prepared { file, format in
    var loans: [String: (person: String, since: PartialDate?, due: PartialDate?)] = [:]
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
          loans[entry] = (
            person, loan["loanDate"].flatMap { Dates.read($0) }, loan["dueDate"].flatMap { Dates.read($0) }
          )
        }
        return true
      })
    format.kind =
      switch type {
      case "2", "5": .book
      case "3": .movie
      case "4": .vinyl
      default: nil
      }
    format.finish = { [loans] facts, cells in
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
    }
  }

  private static let signed = ColumnMapping("copy-note", "note of the copy") { text, facts in
    Flag.read(text) != true || ColumnMapping.copyNote.read("signed", &facts)
  }
}

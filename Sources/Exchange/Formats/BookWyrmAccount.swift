internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The books in an account of BookWyrm, `archive.json`. The rest of it is personal data.
  static let bookWyrmAccount = TableFormat(
    "bookwyrm-account", "BookWyrm account", .book, records: .other(books),
    isOurs: { shape in
      guard case .json = shape, let names = shape.names else { return false }
      return names.contains { $0.hasSuffix("editiontitle") }
        && names.contains {
          $0.hasSuffix("shelvesname") || $0.hasSuffix("readthroughsid") || $0.hasSuffix("authorsname")
        }
    },
    own: ["shelf": shelf, "list": list, "reading": reading],
    finish: { facts, _ in facts.takeSeriesFromTitle() },
    key: { cells, _ in cells.first("id") ?? cells.first("remote_id") })

  private static let shelf = ColumnMapping("status", "status") { text, facts in
    guard let status = Status(text), status.kept == status else {
      facts.piles.append(Entry.PilePlace(text))
      return true
    }
    // On several shelves, the latest status wins.
    if facts.status == nil || facts.status == .planned || status == .ongoing { facts.status = status }
    return true
  }

  /// `2|my list`
  private static let list = ColumnMapping("list", "lists") { text, facts in
    let parts = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 2 else { return false }
    facts.piles.append(Entry.PilePlace(parts[1], position: Int(parts[0])))
    return true
  }

  /// The start, the end and the stop of a reading: `2018-01-01|2023-08-13|`.
  private static let reading = ColumnMapping("finished", "date of watching or reading") { text, facts in
    let days = text.split(separator: "|", omittingEmptySubsequences: false).map { Dates.read(String($0)) }
    guard days.count == 3 else { return false }
    if let stopped = days[2] {
      facts.dropped.append(stopped)
    } else if let finished = days[1] {
      facts.times.append((days[0], finished))
    } else if let started = days[0] {
      facts.started = started
    }
    return true
  }

  /// Reads each book with its related data as one record.
  @Sendable private static func books(_ file: InputFile, _ each: (Cells) throws -> Bool) throws {
    var elements = JSONElements(try file.text(), layout: .lists)
    var number = 0
    try elements.forEach { element in
      guard element.name == "books", element.value["edition"].object != nil else { return true }
      number += 1
      var cells = Cells(
        JSONElements.Element(number: number, value: element.value["edition"], isMended: element.isMended))
      func text(_ value: JSON) -> String {
        switch value {
        case .text(let text): text.trimmed
        case .integer(let number): "\(number)"
        case .real(let number): "\(number)"
        default: ""
        }
      }
      func add(_ name: String, _ value: String) { if !value.isEmpty { cells.list.append((name, value)) } }
      for author in element.value["authors"].items { add("author", text(author["name"])) }
      for shelf in element.value["shelves"].items { add("shelf", text(shelf["name"])) }
      for list in element.value["lists"].items {
        let places = element.value["list_items"][text(list["name"])].items + [list["list_item"]]
        let place = places.lazy.map { text($0["order"]) }.first { !$0.isEmpty } ?? ""
        add("list", "\(place)|\(text(list["name"]))")
        for item in places { add("list note", text(item["notes"])) }
      }
      for reading in element.value["readthroughs"].items {
        add("reading", ["start_date", "finish_date", "stopped_date"].map { text(reading[$0]) }.joined(separator: "|"))
      }
      for review in element.value["reviews"].items {
        add("rating", text(review["rating"]))
        add("review", text(review["content"]))
        add("review name", text(review["name"]))
        let day = ["published", "published_date"].lazy.map { text(review[$0]) }.first { !$0.isEmpty }
        add("review day", day ?? "")
      }
      for comment in element.value["comments"].items { add("comment", text(comment["content"])) }
      for name in ["quotations", "quotes"] {
        for quotation in element.value[name].items { add("quotation", text(quotation["quote"])) }
      }
      return try each(cells)
    }
  }
}

extension JSON {
  /// The elements of a list; empty for other values.
  fileprivate var items: [JSON] { list ?? [] }
}

internal import CatalogModel

/// The fields of a form of MARC by their meaning. A place is the number of a field and the letter of its part: `245a`.
/// Of several places the first with a text counts.
struct MARCForm: Sendable {
  var isbn: [String]
  var title: [String]
  var subtitle: [String]
  /// The number of a volume, whose set has the title.
  var number: [String]
  /// The title of a volume.
  var part: [String]
  /// The title of which the book is a translation, and its language.
  var original: [String]
  var originalLanguage: [String]
  var publisher: [String]
  var published: [String]
  var extent: [String]
  var language: [String]
  /// Each with a second letter, for the number in the series: `490av`.
  var series: [String]
  var summary: [String]
  var people: [String]
  /// The letter of first names; nil where they stand behind the last name and a comma.
  var firstName: Character?
  /// The codes of the roles that a book has.
  var roles: [String: Credit.Role]
}

/// A record of a library: numbered fields, each with parts that have a letter. MARC 21 and UNIMARC are written so.
/// <https://www.loc.gov/standards/marcxml/>
struct MARCRecord: Sendable {
  /// A field with its parts in their order.
  struct Field: Sendable {
    var tag: String
    var parts: [(code: Character, text: String)]

    subscript(code: Character?) -> String? { parts.first { $0.code == code }?.text }
  }

  /// The id that an attribute gives, as in BnF's records.
  let id: String?
  /// The fields without parts, such as the number of the record.
  private(set) var controls: [String: String] = [:]
  private(set) var fields: [Field] = []

  init(_ element: XMLElement) {
    id = element["id"]
    for child in element.children {
      guard let tag = child["tag"] else { continue }
      if child.name == "controlfield" { controls[tag] = Self.plain(child.text) }
      guard child.name == "datafield" else { continue }
      let parts = child.children.compactMap { part -> (Character, String)? in
        guard let code = part["code"]?.first, case let text = Self.plain(part.text), !text.isEmpty else { return nil }
        return (code, text)
      }
      if !parts.isEmpty { fields.append(Field(tag: tag, parts: parts)) }
    }
  }

  /// A line without the marks around what is not sorted by (control characters or ¬), and without the sign that leads
  /// to the next part.
  private static func plain(_ text: String) -> String {
    let line = PlainText.line(Folding.composed(text).filter { $0 != "¬" })
    let end = line.lastIndex { !" ,;:/=".contains($0) }
    return end.map { String(line[...$0]) } ?? ""
  }

  /// The texts of the first place that has some.
  private func texts(_ places: [String]) -> [String] {
    places.lazy.map { place in
      fields.filter { place.hasPrefix($0.tag) }.flatMap { $0.parts.filter { $0.code == place.last }.map(\.text) }
    }.first { !$0.isEmpty } ?? []
  }

  private func text(_ places: [String]) -> String? { texts(places).first }
}

extension MARCRecord {
  /// The record as a book; nil without a title.
  /// - Parameter isbn: the number that was asked for, of those that the book has.
  func book(as id: ExternalID, in form: MARCForm, isbn wanted: ISBN? = nil) -> Record? {
    guard let title = text(form.title) else { return nil }
    let (number, part) = (text(form.number), text(form.part))
    var record = Record(kind: .book, title: part ?? number.map { "\(title) \($0)" } ?? title)
    record.externalIDs = [id]
    record.url = id.page
    record.add(subtitle: text(form.subtitle))
    let isTranslated = text(form.originalLanguage).map { $0 != text(form.language) } ?? false
    if isTranslated, let original = text(form.original), Folding.fold(original) != Folding.fold(record.title) {
      record.originalTitle = original
    }
    record.credits = credits(in: form)
    record.summary = text(form.summary)
    var book = Book()
    let numbers = texts(form.isbn).compactMap { try? ISBN(String($0.prefix { !" (".contains($0) })) }
    book.isbn = numbers.first { $0 == wanted } ?? numbers.first
    book.publisher = text(form.publisher)
    book.published = text(form.published).flatMap(Self.day)
    book.pages = text(form.extent).flatMap(Self.pages)
    book.language = text(form.language).flatMap { Language.code(named: $0) }
    let volume = number == nil && part == nil ? nil : SeriesName(name: title, number: number.flatMap(Self.number))
    book.series = (volume ?? series(in: form))?.description
    record.year = book.published?.year
    record.book = book
    return record
  }

  private func credits(in form: MARCForm) -> [Credit] {
    var (credits, others): ([Credit], [String]) = ([], [])
    for field in fields where form.people.contains(field.tag) {
      guard let last = field["a"] else { continue }
      let whole = [last, form.firstName.flatMap { field[$0] }].compactMap(\.self).joined(separator: ", ")
      let name = NamedPerson.all(in: whole, .lastFirst).first?.name ?? whole
      let codes = field.parts.filter { $0.code == "4" }.map(\.text)
      let role =
        codes.lazy.compactMap { form.roles[$0] }.first
        ?? (codes.isEmpty ? field["e"].flatMap(Credit.Role.init(ofBook:)) : nil)
      if let role { credits.append(Credit(name: name, role: role)) } else { others.append(name) }
    }
    // Without an author, the first person without a role counts as the author.
    if !credits.contains(where: { $0.role == .author }), let first = others.first {
      credits.insert(Credit(name: first, role: .author), at: 0)
    }
    return credits.withoutRepeats(by: \.self)
  }

  private func series(in form: MARCForm) -> SeriesName? {
    for place in form.series {
      guard let field = fields.first(where: { place.hasPrefix($0.tag) }), let name = field[place.dropLast().last] else {
        continue
      }
      return SeriesName(name: name, number: field[place.last].flatMap(Self.number))
    }
    return nil
  }

  private static func number(_ text: String) -> String? { SeriesNumber(text)?.text }

  /// `2014`, `[2014]`, `DL 2015`, `Mai 2014`, `2014-05-19`.
  private static func day(_ text: String) -> PartialDate? {
    JSON.text(text).day
      ?? text.split { !$0.isASCII || !$0.isNumber }.lazy.filter { $0.utf8.count == 4 }
      .compactMap { ReleaseYear.parse($0) }.first.flatMap { PartialDate(year: $0) }
  }

  /// `192 Seiten`, `XII, 345 S.`, `1 vol. (186 p.)`, `1 Online-Ressource (240 Seiten)`: the number before the word.
  private static func pages(_ text: String) -> Int? {
    var last: Int?
    for word in text.split(whereSeparator: { !$0.isLetter && !($0.isASCII && $0.isNumber) }) {
      if let number = Int(word) {
        last = number
      } else if let last, word.first.map({ "SsPp".contains($0) }) == true {
        return JSON.integer(Int64(last)).positive
      }
    }
    return nil
  }
}

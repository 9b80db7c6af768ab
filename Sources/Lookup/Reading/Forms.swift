import CatalogModel

// The forms that values have in answers. A value that is missing, null, empty or of another type is nil, and takes
// nothing else with it.
extension JSON {
  /// A text of one line. Some sources send `&amp;` in the titles that they store.
  var line: String? { text.map { PlainText.line(PlainText.withoutReferences($0)) }?.orNilWhenEmpty }

  /// A text with paragraphs.
  var prose: String? { text.map(PlainText.prose)?.orNilWhenEmpty }

  /// A text with paragraphs that may be HTML.
  var html: String? { text.map(PlainText.text(ofHTML:))?.orNilWhenEmpty }

  /// A text with paragraphs that is Markdown.
  var markdown: String? { text.map(PlainText.text(ofMarkdown:))?.orNilWhenEmpty }

  /// A line of text that may contain HTML: highlighting of search terms, character references.
  var htmlLine: String? { html.map(PlainText.line)?.orNilWhenEmpty }

  var lines: [String] { elements.compactMap(\.line) }

  /// A whole number, sent as `12`, `12.0` or `"12"`. Its magnitude is at most 10¹², more than any count we read, so
  /// that sums and products do not overflow.
  var whole: Int? {
    let number: Int? =
      switch self {
      case .integer(let number): Int(exactly: number)
      case .real(let number): Int(exactly: number)
      case .text(let digits): Int(digits)
      default: nil
      }
    return number.flatMap { $0.magnitude <= 1_000_000_000_000 ? $0 : nil }
  }

  /// A whole number above zero: a page count, a playing time.
  var positive: Int? { whole.flatMap { $0 > 0 ? $0 : nil } }

  /// A number, whether it was sent as `12.5` or `"12.5"`.
  var amount: Double? {
    let number: Double? =
      switch self {
      case .integer(let number): Double(number)
      case .real(let number): number
      case .text(let digits): Double(digits)
      default: nil
      }
    return number.flatMap { $0.isFinite ? $0 : nil }
  }

  var flag: Bool? { if case .flag(let flag) = self { flag } else { nil } }

  /// An id, sent as a number or a text: digits, letters, `-` and `_`, so that it is safe in an address.
  var identifier: String? {
    switch self {
    case .integer(let number): number > 0 ? String(number) : nil
    case .real(let number): Int64(exactly: number).flatMap { JSON.integer($0).identifier }
    case .text(let text): text.isIdentifier ? text : nil
    default: nil
    }
  }

  /// The address of a page: HTTP or HTTPS, and nothing that would be anything else to a program that opens it.
  var link: String? { text.flatMap { $0.isLink ? $0 : nil } }

  /// The address of something to fetch: old answers say `http:` where the host has long known better, and we ask no
  /// other computer than this one without HTTPS.
  var resource: String? {
    link.map { $0.hasPrefix("https://") || Request.isAllowed($0) ? $0 : "https://" + $0.dropFirst("http://".count) }
  }

  /// A date, possibly only a year. An impossible year of publication (`9999-12-31`) is rejected.
  var day: PartialDate? {
    text.flatMap { PartialDate(lenient: $0) }.flatMap { ReleaseYear.range.contains($0.year) ? $0 : nil }
  }

  /// The elements of a list; none for any other value.
  var elements: [JSON] { list ?? [] }

  /// The values of an object with arbitrary keys that have a form.
  func values<Value>(_ form: (JSON) -> Value?) -> [String: Value] {
    (object?.members ?? []).reduce(into: [:]) { $0[$1.key] = form($1.value) }
  }

  /// The list that a page of results is: it must be there. It has at most ten times as many elements as anyone asks
  /// for, since each takes a kilobyte as soon as it is read.
  func hits() throws(SourceError) -> [JSON] {
    guard let list, list.count <= 2_000 else { throw .anotherShape }
    return list
  }
}

extension String {
  fileprivate var orNilWhenEmpty: String? { isEmpty ? nil : self }

  /// Whether it can be an id in an address: ``JSON/identifier``.
  var isIdentifier: Bool {
    self != "0" && (1...64).contains(utf8.count) && utf8.allSatisfy(\.isOfIdentifier)
  }

  fileprivate var isLink: Bool {
    (hasPrefix("https://") || hasPrefix("http://")) && utf8.count <= 4096
      && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F && !"\"<>".utf8.contains($0) }
  }
}

extension UInt8 {
  /// Whether it is a letter or digit of ASCII, `-` or `_`.
  var isOfIdentifier: Bool {
    isASCIIDigit || isASCIILetter || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}

extension Page {
  /// The page of candidates made from elements. An element without a candidate counts as unreadable.
  init<Element>(_ elements: [Element], total: Int? = nil, hasMore: Bool, candidate: (Element) -> Candidate?) {
    let candidates = elements.compactMap(candidate)
    // A negative total is ignored.
    self.init(
      candidates: candidates, total: total.flatMap { $0 < 0 ? nil : $0 }, hasMore: hasMore,
      unreadable: elements.count - candidates.count)
  }

  /// The page of a search at a source with at most `most` hits per page, which reports the number of all.
  init<Element>(
    _ elements: [Element], of search: Search, atMost most: Int, total: Int?, candidate: (Element) -> Candidate?
  ) {
    let seen = search.offset(atMost: most) + elements.count
    self.init(elements, total: total, hasMore: !elements.isEmpty && seen < total ?? 0, candidate: candidate)
  }
}

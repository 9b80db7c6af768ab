internal import CatalogModel
internal import Processes

extension Dump {
  /// The National Library of Korea: books with ISBNs, as CSV of the culture data platform; and loans of libraries, by
  /// which they are ranked.
  ///
  /// <https://www.bigdata-culture.kr/>, <https://www.data4library.kr/>
  static let nlk = Dump(
    id: NLKDump.id, name: "국립중앙도서관", kinds: [.book], page: "https://www.bigdata-culture.kr/",
    license: License(words: "Korea Open Government License, type 1: free with attribution", isPersonal: false),
    attribution: "국립중앙도서관 도서 정보 (공공누리 제1유형), 도서관 정보나루",
    files: [
      File(
        name: "books.csv", purpose: "the books", isRequired: true, recordSize: 130, size: 797_000_000,
        recognizes: { NLKDump.hasHeader($0, "ISBN_THIRTEEN_NO") }, read: NLKDump.readBooks),
      File(
        name: "loans.csv", purpose: "loans of libraries, by which books are ranked",
        isRequired: false, recordSize: 1_000, recognizes: { NLKDump.hasHeader($0, "대출건수") }, read: NLKDump.readLoans),
    ],
    ids: IDs(
      id: { id, _ in
        let isbn = (0...9).lazy.compactMap { try? ISBN("\(id.number)\($0)") }.first
        return ExternalID(source: NLKDump.id, value: isbn?.digits13 ?? "")
      },
      key: { id in
        guard id.source == NLKDump.id, let isbn = try? ISBN(id.value) else { return nil }
        return CodeKey.of(isbn) << 1
      }),
    finish: { record, _ in
      record.book.isbn = record.externalIDs.first.flatMap { try? ISBN($0.value) }
      record.book.language = record.book.language ?? "ko"
    })
}

private enum NLKDump {
  static let id = "nlk"

  static func hasHeader(_ beginning: [UInt8], _ column: String) -> Bool {
    String(decoding: beginning.prefix { $0 != 0x0A }, as: UTF8.self).contains(column)
  }

  static func readBooks(_ reading: Dump.Reading) throws {
    let staging = reading.staging
    let columns = ["ISBN_THIRTEEN_NO", "ISBN_NO", "TITLE_NM", "AUTHR_NM", "PUBLISHER_NM", "PBLICTE_DE", "KDC_NM"]
    try reading.forEachRow(isCSV: true, columns) { cells in
      guard let code = CodeKey.isbn(cells[0].text) ?? CodeKey.isbn(cells[1].text) else { return .untitled }
      var title = StagedTitle(number: Int(clamping: code), title: text(cells[2]).withoutSubtitle, kinds: .book)
      guard !title.title.isEmpty else { return .untitled }
      title.codes = [code]
      title.year = cells[5].prefix(4).number.flatMap { (1400...2200).contains($0) ? $0 : nil }
      title.genres = try staging.term(genre(cells[6]))
      title.by = try staging.addName(author(text(cells[3])))
      title.label = try staging.addName(text(cells[4]))
      return try staging.add(title) ? nil : .repeated
    }
  }

  static func readLoans(_ reading: Dump.Reading) throws {
    try reading.forEachRow(isCSV: true, ["ISBN", "대출건수"]) { cells in
      guard let code = CodeKey.isbn(cells[0].text), let loans = cells[1].number else { return .damaged }
      try reading.staging.addPoints(Int(clamping: code), loans)
      return nil
    }
  }

  private static func text(_ cell: Bytes) -> String { DumpText.line(cell.text.replacing("\"\"", with: "\"")) }

  /// The first author of a line: `고희정 글;조승연 그림`, `지은이: 한강`, `김동훈 지음`.
  static func author(_ line: String) -> String {
    var name = line.split { ";,|".contains($0) }.first.map(String.init) ?? ""
    if let colon = name.lastIndex(of: ":") { name = String(name[name.index(after: colon)...]) }
    var words = name.split(separator: " ").map(String.init)
    while words.count > 1, let last = words.last, roles.contains(last.trimmed("[]()")) { words.removeLast() }
    return words.joined(separator: " ").trimmed("[]()")
  }

  private static let roles: Set<String> = [
    "지음", "지은이", "글", "저", "저자", "씀", "엮음", "엮은이", "편", "편저", "편집", "옮김", "역", "그림", "공저", "원작", "글·그림",
    "글그림", "외",
  ]

  /// The main class of a number of the Korean Decimal Classification; empty for another text.
  private static func genre(_ number: Bytes) -> String {
    let classes = ["총류", "철학", "종교", "사회과학", "자연과학", "기술과학", "예술", "언어", "문학", "역사"]
    return number.prefix(1).number.map { classes[$0] } ?? ""
  }
}

extension String {
  fileprivate func trimmed(_ signs: String) -> String {
    var text = self[...]
    while let first = text.first, signs.contains(first) { text.removeFirst() }
    while let last = text.last, signs.contains(last) { text.removeLast() }
    return String(text)
  }

  /// The title without what libraries put behind a blank and a colon: `소년이 온다 :한강 장편소설`.
  fileprivate var withoutSubtitle: String {
    let title = firstRange(of: " :").map { self[..<$0.lowerBound] } ?? self[...]
    return title.isEmpty ? self : String(title)
  }
}

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

  /// Reads the rows of a table. `row` returns the reason to leave one out.
  /// - Parameter columns: the names of the columns that `row` wants, in its order. It gets -1 for one that is missing.
  private static func read(
    _ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading, _ columns: [String],
    _ row: (_ cells: borrowing CSVScanner, _ places: [Int]) throws -> LeftOut?
  ) throws {
    var rows = CSVScanner(ByteWindow(source))
    guard try rows.next() else { throw DumpProblem.cut(reading.path) }
    let names = (0..<rows.count).map { rows[$0].text.filter { $0 != "\u{FEFF}" && $0 != "\"" } }
    let places = columns.map { names.firstIndex(of: $0) ?? -1 }
    guard let first = places.first, first >= 0 else {
      throw DumpProblem(.unknown, "'\(reading.path)' has no column '\(columns[0])'")
    }
    let begin = staging.state.offset
    guard try begin == 0 || rows.skip(to: begin) else { throw DumpProblem.cut(reading.path) }
    var damaged = 0
    while try rows.next() {
      staging.count(.damaged, rows.damaged - damaged)
      damaged = rows.damaged
      try staging.finishRecord(at: rows.offset, leftOut: try row(rows, places))
    }
    staging.count(.damaged, rows.damaged - damaged)
    guard !rows.isCut else { throw DumpProblem.cut(reading.path) }
  }

  static func readBooks(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let (cleaner, other) = (TextCleaner(), TextCleaner())
    let columns = ["ISBN_THIRTEEN_NO", "ISBN_NO", "TITLE_NM", "AUTHR_NM", "PUBLISHER_NM", "PBLICTE_DE", "KDC_NM"]
    try read(source, staging, reading, columns) { cells, places in
      guard let code = CodeKey.isbn(cells[places[0]]) ?? CodeKey.isbn(cells[places[1]]) else { return .untitled }
      var title = StagedTitle()
      title.title = cleaner.line(cells[places[2]], .csv).withoutSubtitle
      guard !title.title.isEmpty else { return .untitled }
      (title.number, title.kinds, title.codes) = (Int(clamping: code), .book, [code])
      title.year = cells[places[5]].count >= 4 ? cells[places[5]].part(0, 4).number : nil
      if let year = title.year, !(1400...2200).contains(year) { title.year = nil }
      title.genres = genre(cells[places[6]]).flatMap { staging.term(other.keep($0)) }
      title.by = try name(author(other.line(cells[places[3]], .csv).text), staging, other)
      title.label = try name(other.line(cells[places[4]], .csv).text, staging, other)
      return try staging.add(title) ? nil : .repeated
    }
  }

  static func readLoans(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    try read(source, staging, reading, ["ISBN", "대출건수"]) { cells, places in
      guard let code = CodeKey.isbn(cells[places[0]]), let loans = cells[places[1]].number else { return .damaged }
      staging.addPoints(Int(clamping: code), loans)
      return nil
    }
  }

  /// The number of a name that has none in the dump.
  private static func name(_ text: String, _ staging: Staging, _ cleaner: TextCleaner) throws -> Int? {
    guard !text.isEmpty else { return nil }
    let bytes = cleaner.keep(text)
    let number = Staging.number(ofName: bytes)
    try staging.addName(number) { bytes }
    return number
  }

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

  /// The main class of a number of the Korean Decimal Classification.
  private static func genre(_ number: Bytes) -> String? {
    guard let first = number.first, (0x30...0x39).contains(first) else { return nil }
    return ["총류", "철학", "종교", "사회과학", "자연과학", "기술과학", "예술", "언어", "문학", "역사"][Int(first - 0x30)]
  }
}

extension String {
  fileprivate func trimmed(_ signs: String) -> String {
    var text = self[...]
    while let first = text.first, signs.contains(first) { text.removeFirst() }
    while let last = text.last, signs.contains(last) { text.removeLast() }
    return String(text)
  }
}

extension Bytes {
  /// The title without what libraries put behind a blank and a colon: `소년이 온다 :한강 장편소설`.
  fileprivate var withoutSubtitle: Bytes {
    var place = 1
    while let colon = index(of: UInt8(ascii: ":"), from: place) {
      if self[colon - 1] == UInt8(ascii: " "), case let title = part(0, colon).trimmed, !title.isEmpty { return title }
      place = colon + 1
    }
    return self
  }
}

import CatalogModel

/// A person in a text with one or several names in any notation. All formats and sources read names with this type.
package struct NamedPerson: Hashable {
  package var name: String
  /// The role in the words of the file; nil if the file gives none.
  package var role: String?

  /// The notation of names in a column.
  package enum Habit: Sendable {
    /// `Jane Roe, Joe Bloggs`: a comma separates people.
    case firstLast
    /// `Roe, Jane`: a comma is part of a name.
    case lastFirst
    /// Either notation, decided for each cell.
    case unknown
  }

  /// Reads `Jane Roe`, `Roe, Jane`, `Jane Roe, Joe Bloggs`, `Roe, Jane & Bloggs, Joe`, `King, Martin Luther, Jr.`,
  /// `Richard Howard (Translator)`, `홍길동 지음, 김철수 옮김`.
  package static func all(in text: String, _ habit: Habit = .unknown) -> [NamedPerson] {
    // Most cells hold one name.
    if isPlainName(text) { return [NamedPerson(name: text, role: nil)] }
    var makers: [NamedPerson] = []
    if text.utf8.first == UInt8(ascii: "["), let list = Names.quoted(text) {
      return list.flatMap { all(in: $0, .firstLast) }
    }
    for segment in segments(withoutCountries(text)) {
      for part in parts(segment, habit) {
        let maker = NamedPerson(part)
        // Years of birth are no names.
        if maker.name.contains(where: \.isLetter) { makers.append(maker) }
      }
    }
    return inheriting(makers)
  }

  /// Reads one name with its role.
  private init(_ text: String) {
    let name = Self.withoutOthers(Names.plain(text))
    for (word, role) in Self.prefixes where name.lowercased().hasPrefix(word) {
      self.init(name: String(name.dropFirst(word.count).trimmed), role: role)
      return
    }
    if let mark = name.firstIndex(where: { ":：／".contains($0) }) {
      let (left, right) = (String(name[..<mark].trimmed), String(name[name.index(after: mark)...].trimmed))
      let isRoleFirst = !right.isEmpty && PartRole.isKnown(left)
      if isRoleFirst || !left.isEmpty && PartRole.isKnown(right) {
        self.init(name: isRoleFirst ? right : left, role: isRoleFirst ? left : right)
        return
      }
    }
    if let last = name.last, last == ")" || last == "]",
      let open = name.lastIndex(of: last == ")" ? "(" : "["), open > name.startIndex,
      case let inside = String(name[name.index(after: open)...].dropLast().trimmed), PartRole.isKnown(inside)
    {
      self.init(name: String(name[..<open].trimmed), role: inside)
    } else if let blank = name.lastIndex(of: " "), case let word = String(name[name.index(after: blank)...]),
      !word.unicodeScalars.contains(where: \.isASCII), PartRole.isKnown(word)
    {
      self.init(name: String(name[..<blank].trimmed), role: word)
    } else {
      self.init(name: name, role: nil)
    }
  }

  package init(name: String, role: String?) { (self.name, self.role) = (name, role) }

  private static let prefixes = [
    ("translated by ", "translator"), ("translator: ", "translator"), ("illustrated by ", "illustrator"),
    ("illustrator: ", "illustrator"), ("edited by ", "editor"), ("editor: ", "editor"), ("written by ", "author"),
    ("directed by ", "director"), ("by ", "author"), ("par ", "author"), ("traduit par ", "translator"),
    ("illustré par ", "illustrator"), ("übersetzt von ", "translator"), ("aus dem englischen von ", "translator"),
    ("illustriert von ", "illustrator"), ("traducido por ", "translator"), ("traduzione di ", "translator"),
  ]

  /// Whether the text is words of Latin letters with capitals at their beginning, and cannot be anything but one name:
  /// `Ursula K. Le Guin`.
  private static func isPlainName(_ text: String) -> Bool {
    var last = UInt8(ascii: " ")
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): break
      // Latin letters with accents: é, ß, ł.
      case 0x80...0xBF, 0xC3...0xC9: break
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "'"), UInt8(ascii: "-"), UInt8(ascii: "."),
        UInt8(ascii: " "):
        if last == UInt8(ascii: " ") { return false }
      default: return false
      }
      last = byte
    }
    return last != UInt8(ascii: " ") && !text.hasPrefix("By ") && !text.hasPrefix("Par ")
  }

  /// `한강` for `한강 외 3명`.
  private static func withoutOthers(_ name: String) -> String {
    var words = name.split(separator: " ")
    if let last = words.last, last.first?.isNumber ?? false, let end = last.last, "명인名人".contains(end) {
      words.removeLast()
      guard words.last.map({ ValueWords.value($0, of: .others) != nil }) ?? false else { return name }
    }
    for count in [2, 1] where words.count > count {
      guard ValueWords.value(words.suffix(count).joined(separator: " "), of: .others) != nil else { continue }
      words.removeLast(count)
      return words.joined(separator: " ")
    }
    return name
  }

  /// The text without the country before a name, and without brackets that hold no letters: `[美] 乔`, `Jane (1952-)`.
  private static func withoutCountries(_ text: String) -> String {
    guard text.contains(where: { "([（［〔【".contains($0) }) else { return text }
    var (plain, inside) = ("", "")
    var isInside = false
    for character in text {
      if !isInside, "([（［〔【".contains(character) {
        (isInside, inside) = (true, String(character))
      } else if isInside {
        inside.append(character)
        guard ")]）］〕】".contains(character) else { continue }
        isInside = false
        let isBegin = plain.trimmed.last.map { ";,，、|".contains($0) } ?? true
        let isCountry = isBegin && inside.count <= 4 && inside.unicodeScalars.contains { $0.value >= 0x2E80 }
        if inside.contains(where: \.isLetter), !isCountry { plain += inside }
      } else {
        plain.append(character)
      }
    }
    return isInside ? plain + inside : plain
  }

  /// In `홍길동, 김철수 지음` both are authors. The first person is an author, regardless of the others' roles.
  private static func inheriting(_ makers: [NamedPerson]) -> [NamedPerson] {
    var makers = makers
    var role: String?
    for place in makers.indices.reversed() {
      if let own = makers[place].role {
        role = own.unicodeScalars.contains(where: \.isASCII) ? nil : own
      } else if let role, place > 0 || PartRole(role) == .author {
        makers[place].role = role
      }
    }
    return makers
  }

  // MARK: Between names

  /// Splits a text at marks that never occur in names.
  private static func segments(_ text: String) -> [String] {
    Names.list(behindYears(text), ";|^；").flatMap { split($0, at: [" / ", " & "]) { _, _ in true } }
      .flatMap { behindRoles($0) }
      .flatMap { split($0, at: [":"]) { left, right in left.contains(",") && right.contains(",") } }
      .flatMap { split($0, at: ["/"]) { left, right in isWhole(left) && isWhole(right) } }
      .flatMap {
        split($0, at: [" and ", " und ", " et ", " y ", " и "]) { left, right in isWhole(left) && isWhole(right) }
      }
      .flatMap { split($0, at: ["·", "・"]) { left, right in isShort(left) && isShort(right) } }
  }

  /// Separates people whose years of life end their names: `Roe,Jane,1971- 佐藤,花子,1964-`.
  private static func behindYears(_ text: String) -> String {
    guard text.utf8.contains(where: { (48...57).contains($0) }) else { return text }
    return text.replacing(/([,、，]\s*[0-9]{4}\s*[-–~]\s*(?:[0-9]{4})?)\s+/) { "\($0.output.1);" }
  }

  /// Splits `山田太郎／監修 佐藤花子／編著` behind each role.
  private static func behindRoles(_ text: String) -> [String] {
    guard text.contains("／") else { return [text] }
    let parts = text.split { $0 == " " || $0 == "　" }
    let haveRoles = parts.allSatisfy { part in
      part.firstIndex(of: "／").map { PartRole.isKnown(String(part[part.index(after: $0)...])) } ?? false
    }
    if haveRoles { return parts.map(String.init) }
    let ends = text.split(separator: "／").map { String($0.trimmed) }
    return ends.count == 2 && PartRole.isKnown(ends[1]) ? [text] : ends
  }

  /// Whether the text ends or begins with a whole Korean or Chinese name of two to four letters: `김영하·한강`. Names of
  /// other countries have points within: `가브리엘·마르케스`.
  private static func isShort(_ text: Substring) -> Bool {
    let name = text.trimmed.prefix { $0 != "·" && $0 != "・" }
    return (2...4).contains(name.count)
      && name.unicodeScalars.allSatisfy { (0xAC00...0xD7A3).contains($0.value) || (0x4E00...0x9FFF).contains($0.value) }
  }

  /// Whether the text can be a full name: several words, or one word in a script such as Hangul.
  private static func isWhole(_ text: Substring) -> Bool {
    let text = text.trimmed
    return text.contains(" ") || text.contains(",") || isOfOneWord(text)
  }

  private static func isOfOneWord(_ text: some StringProtocol) -> Bool {
    text.unicodeScalars.contains { $0.value >= 0x1100 && $0.properties.isAlphabetic }
  }

  private static func split(
    _ text: String, at marks: [String], where isBetween: (Substring, Substring) -> Bool
  ) -> [String] {
    for mark in marks where text.utf8.contains(mark.utf8) {
      for range in text.ranges(of: mark) {
        let (left, right) = (text[..<range.lowerBound], text[range.upperBound...])
        guard !isFirm(right), isBetween(left, right) else { continue }
        return [String(left.trimmed)] + split(String(right.trimmed), at: marks, where: isBetween)
      }
    }
    return [text]
  }

  /// Whether the text after `&` belongs to the name of a company, as in `Roe & Sons`. `Simon & Schuster` is not
  /// detected.
  private static func isFirm(_ text: Substring) -> Bool {
    let word = text.trimmed.prefix { $0.isLetter }.lowercased()
    return ["co", "company", "sons", "son", "brothers", "bros", "inc", "ltd", "associates", "others", "friends"]
      .contains(word)
  }

  // MARK: Commas

  private static func parts(_ segment: String, _ habit: Habit) -> [String] {
    var parts: [String] = []
    for part in outsideOfBrackets(segment) where part.contains(where: \.isLetter) {
      let part = part.lowercased().hasPrefix("and ") ? String(part.dropFirst(4).trimmed) : part
      // A suffix such as `Jr.` is no name.
      if let last = parts.indices.last, isSuffix(part) { parts[last] += ", \(part)" } else { parts.append(part) }
    }
    // Libraries write the last name, the first name and the years: `Roe, Jane, 1952-`, `山田,太郎,1952-`.
    if parts.count == 2, segment.split(separator: ",").last.map({ !$0.contains(where: \.isLetter) }) ?? false {
      return parts.contains(where: isOfOneWord) ? [parts.joined()] : pairs(parts)
    }
    guard parts.count > 1, !parts.contains(where: isOfOneWord) else { return parts }
    switch habit {
    case .firstLast: return parts
    case .lastFirst: return pairs(parts)
    case .unknown:
      if parts.count == 2 { return isTurned(parts[0], parts[1]) ? pairs(parts) : parts }
      // `Roe, Jane, Le Guin, Ursula K.`: single last names, followed by first names of which some have several words.
      let (last, first) = (stride(from: 0, to: parts.count, by: 2), stride(from: 1, to: parts.count, by: 2))
      let arePairs =
        parts.count.isMultiple(of: 2) && last.allSatisfy { words(parts[$0]) == 1 || hasParticle(parts[$0]) }
        && first.contains { words(parts[$0]) > 1 || parts[$0].hasSuffix(".") }
      return arePairs ? pairs(parts) : parts
    }
  }

  private static func pairs(_ parts: [String]) -> [String] {
    stride(from: 0, to: parts.count, by: 2).map { place in
      place + 1 < parts.count ? turned(last: parts[place], first: parts[place + 1]) : parts[place]
    }
  }

  /// Returns `Martin Luther King, Jr.` for `King` and `Martin Luther, Jr.`.
  private static func turned(last: String, first: String) -> String {
    let parts = first.split(separator: ",", maxSplits: 1).map(\.trimmed)
    guard parts.count == 2, isSuffix(String(parts[1])) else { return "\(first) \(last)" }
    return "\(parts[0]) \(last), \(parts[1])"
  }

  /// Whether two parts are a last and a first name. Two people would have two words each.
  private static func isTurned(_ left: String, _ right: String) -> Bool {
    words(left) == 1 || hasParticle(left) || words(right) == 1
  }

  private static func words(_ text: String) -> Int { text.split(separator: " ").count }

  private static func hasParticle(_ text: String) -> Bool {
    let words = text.split(separator: " ")
    return words.count > 1 && words.first.map { isParticle(String($0)) } ?? false
  }

  /// Whether a word can begin a last name of several words.
  package static func isParticle(_ word: String) -> Bool {
    [
      "le", "la", "de", "del", "della", "der", "den", "van", "von", "zu", "di", "da", "do", "dos", "du", "al", "el",
      "ter",
      "ten", "st.", "saint", "san", "bin", "ibn", "mac",
    ].contains(word.lowercased())
  }

  package static func isSuffix(_ text: String) -> Bool {
    isSuffixOfPerson(text)
      || ["inc", "ltd", "llc", "gmbh", "co", "corp"].contains(text.lowercased().filter { $0 != "." })
  }

  package static func isSuffixOfPerson(_ text: String) -> Bool {
    ["jr", "sr", "ii", "iii", "iv", "phd", "ph d", "md", "esq", "junior"].contains(
      text.lowercased().filter { $0 != "." })
  }

  /// Splits a text at commas outside brackets.
  private static func outsideOfBrackets(_ text: String) -> [String] {
    guard text.contains(where: { ",、，".contains($0) }) else { return [text] }
    var (parts, part, depth) = ([String](), "", 0)
    for character in text {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth = max(0, depth - 1) }
      if depth == 0, ",、，".contains(character) {
        parts.append(String(part.trimmed))
        part = ""
      } else {
        part.append(character)
      }
    }
    return (parts + [String(part.trimmed)]).filter { !$0.isEmpty }
  }
}

/// The role of a person in a book or film, as files name it.
package enum PartRole: Equatable {
  case author, translator, director
  /// A role that the catalog does not store.
  case other

  package init(_ text: String) {
    let words = Self.words(text)
    // A person who writes and draws is an author.
    self = words.compactMap { Self.known[$0] }.first { $0 != .other } ?? .other
  }

  package static func isKnown(_ text: String) -> Bool {
    let words = words(text)
    return !words.isEmpty && words.allSatisfy { known[$0] != nil }
  }

  private static func words(_ text: String) -> [String] {
    text.lowercased().split { "/,·・&+;".contains($0) }.map { word in
      String(word.trimmed.drop { $0 == "." }.prefix { $0 != "." })
    }.filter { !$0.isEmpty }
  }

  private static let known: [String: PartRole] = {
    var known: [String: PartRole] = [:]
    func add(_ role: PartRole, _ words: String) {
      for word in words.split(separator: ",") { known[String(word)] = role }
    }
    add(.author, "author,writer,auteur,autor,autorin,verfasser,autore")
    add(.author, "지은이,지음,저,저자,글,글쓴이,글그림,쓴이,원작,원작자,공저,편저,작가,著,作,原作,文,著者,作者,監修")
    add(.author, "编著,編著")
    add(
      .translator,
      "translator,translation,translated by,trans,transl,tr,übersetzer,übersetzerin,übersetzung,traducteur,traductrice")
    add(.translator, "traductor,traductora,traduttore,vertaler,옮긴이,옮김,역,역자,번역,공역,역주,訳,譯,译,翻訳,翻译,訳者,译者")
    add(.director, "director,directed by,regie,réalisateur,regista,감독,연출")
    add(
      .other,
      "illustrator,illustrations,editor,ed,eds,foreword,introduction,afterword,preface,narrator,contributor,photographer"
    )
    add(
      .other,
      "cover artist,reader,compiler,adapter,colorist,letterer,inker,penciller,artist,cover,producer,herausgeber,hrsg")
    add(.other, "illustrateur,éditeur,그림,그린이,엮음,엮은이,엮은 이,편,편집,편역,감수,사진,해설,추천,낭독,기획,구성")
    add(.other, "삽화,만화,編,编,絵,画,作画,写真,イラスト,解説,绘,图,主编")
    return known
  }()
}

/// Reads names of people and bands in the notations of other programs.
package enum Names {
  /// Returns a name without the numbers of Discogs for equal names, `Human Records (2)`, and without the star for a
  /// variant spelling. The text may have several names: `Prince (2) & The Revolution (3)`.
  package static func plain(_ text: String) -> String {
    let name = PlainText.line(text)
    guard name.contains("*") || name.contains("(") else { return name }
    var (result, rest) = ("", name[...])
    while let mark = rest.firstIndex(where: { $0 == "*" || $0 == "(" }) {
      let inside = rest[mark...].dropFirst().prefix(while: { $0.isASCII && $0.isNumber })
      let isNumber =
        rest[mark] == "(" && (1...3).contains(inside.count) && inside.endIndex < rest.endIndex
        && rest[inside.endIndex] == ")" && rest[..<mark].last == " "
      let end = rest[mark] == "*" ? rest.index(after: mark) : isNumber ? rest.index(after: inside.endIndex) : nil
      if let end, mark > rest.startIndex || !result.isEmpty, isEndOfName(rest[end...]) {
        result += rest[..<mark]
        if isNumber { result = String(result.trimmed) }
        rest = rest[end...]
      } else {
        result += rest[...mark]
        rest = rest[mark...].dropFirst()
      }
    }
    return String((result + rest).trimmed)
  }

  /// Whether a name ends before this text: it is empty, or another name follows.
  private static func isEndOfName(_ rest: Substring) -> Bool {
    guard let first = rest.first else { return true }
    if ",;/".contains(first) { return true }
    guard first == " " else { return first == "*" || first == "(" }
    let word = rest.dropFirst().prefix { $0 != " " }.lowercased()
    return [
      "&", "/", "+", "-", "and", "feat.", "feat", "featuring", "ft.", "vs", "vs.", "with", "x", "meets", "und", "et",
      "y", "con",
      "presents",
    ].contains(word) || word.hasPrefix("(")
  }

  /// Splits a text at these marks and at line ends; a list as Python and JSON write it by its quotes.
  package static func list(_ text: String, _ marks: String) -> [String] {
    if text.utf8.first == UInt8(ascii: "["), let list = quoted(text) { return list }
    func isBetween(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
      default: marks.unicodeScalars.contains(scalar)
      }
    }
    // Most texts have one value only.
    guard text.unicodeScalars.contains(where: isBetween) else { return [String(text.trimmed)].filter { !$0.isEmpty } }
    return text.unicodeScalars.split(whereSeparator: isBetween).map { Substring($0).trimmed }.filter { !$0.isEmpty }
      .map(String.init)
  }

  /// The texts of `['Jane Roe', "Joe O'Neil"]`; nil for any other text.
  package static func quoted(_ text: String) -> [String]? {
    guard text.hasPrefix("["), text.hasSuffix("]") else { return nil }
    var rest = text.dropFirst().dropLast().trimmed
    var list: [String] = []
    while let quote = rest.first {
      guard quote == "'" || quote == "\"" else { return nil }
      var (item, isEscaped, isClosed) = ("", false, false)
      rest = rest.dropFirst()
      while let character = rest.first, !isClosed {
        rest = rest.dropFirst()
        switch character {
        case "\\" where !isEscaped: isEscaped = true
        case quote where !isEscaped: isClosed = true
        default:
          item.append(character)
          isEscaped = false
        }
      }
      rest = rest.trimmed
      guard isClosed, rest.isEmpty || rest.first == "," else { return nil }
      if !item.trimmed.isEmpty { list.append(String(item.trimmed)) }
      rest = rest.dropFirst().trimmed
    }
    return list
  }

  /// Returns `Lee Eclov` for `Eclov, Lee`. A name without a comma, or with several, is unchanged.
  package static func firstLast(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, case let (last, first) = (parts[0].trimmed, parts[1].trimmed), !first.isEmpty, !last.isEmpty
    else { return text }
    return "\(first) \(last)"
  }

  /// Splits `The Hobbit (The Lord of the Rings, #0)` into title, series and number.
  package static func series(in title: String) -> (title: String, series: String, number: String)? {
    guard title.hasSuffix(")"), let hash = title.lastIndex(of: "#"), let open = title[..<hash].lastIndex(of: "(") else {
      return nil
    }
    let series = SeriesName(String(title[title.index(after: open)...].dropLast()))
    let rest = title[..<open].trimmed
    guard !rest.isEmpty, let number = series.number else { return nil }
    return (String(rest), series.name, number)
  }
}

extension StringProtocol {
  fileprivate var trimmed: Substring { Substring(trimmingBlanks) }
}

extension Unicode.Scalar {
  fileprivate var isASCII: Bool { value < 0x80 }
}

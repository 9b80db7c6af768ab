internal import CatalogModel

/// A person in a cell with one or several names in any notation. All formats read names with this type.
struct Maker: Hashable {
  var name: String
  /// The role in the words of the file; nil if the file gives none.
  var role: String?

  /// The notation of names in a column.
  enum Habit: Sendable {
    /// `Jane Roe, Joe Bloggs`: a comma separates people.
    case firstLast
    /// `Roe, Jane`: a comma is part of a name.
    case lastFirst
    /// Either notation, decided for each cell.
    case unknown
  }

  /// Reads `Jane Roe`, `Roe, Jane`, `Jane Roe, Joe Bloggs`, `Roe, Jane & Bloggs, Joe`, `King, Martin Luther, Jr.`,
  /// `Richard Howard (Translator)`, `홍길동 지음, 김철수 옮김`.
  static func all(in text: String, _ habit: Habit = .unknown) -> [Maker] {
    var makers: [Maker] = []
    for segment in segments(text) {
      for part in parts(segment, habit) {
        let maker = Maker(part)
        if !maker.name.isEmpty { makers.append(maker) }
      }
    }
    return inheriting(makers)
  }

  /// Reads one name with its role.
  private init(_ text: String) {
    var name = Names.plain(text)
    for (word, role) in Self.prefixes where name.lowercased().hasPrefix(word) {
      name = String(name.dropFirst(word.count).trimmed)
      self.init(name: name, role: role)
      return
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

  init(name: String, role: String?) { (self.name, self.role) = (name, role) }

  private static let prefixes = [
    ("translated by ", "translator"), ("translator: ", "translator"), ("illustrated by ", "illustrator"),
    ("illustrator: ", "illustrator"), ("edited by ", "editor"), ("editor: ", "editor"), ("written by ", "author"),
    ("directed by ", "director"), ("by ", "author"), ("지은이: ", "지은이"), ("지은이 : ", "지은이"), ("저자: ", "저자"),
    ("저자 : ", "저자"), ("옮긴이: ", "옮긴이"), ("옮긴이 : ", "옮긴이"), ("역자: ", "역자"), ("역자 : ", "역자"),
  ]

  /// In `홍길동, 김철수 지음` both are authors. The first person is an author, regardless of the others' roles.
  private static func inheriting(_ makers: [Maker]) -> [Maker] {
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
    Names.list(text, ";|").flatMap { split($0, at: [" / ", " & "]) { _, _ in true } }
      .flatMap { split($0, at: ["/"]) { left, right in isWhole(left) && isWhole(right) } }
      .flatMap { split($0, at: [" and ", " und ", " et "]) { left, right in isWhole(left) && isWhole(right) } }
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
    for part in outsideOfBrackets(segment) {
      let part = part.lowercased().hasPrefix("and ") ? String(part.dropFirst(4).trimmed) : part
      // A suffix such as `Jr.` is no name.
      if let last = parts.indices.last, isSuffix(part) { parts[last] += ", \(part)" } else { parts.append(part) }
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
  static func isParticle(_ word: String) -> Bool {
    [
      "le", "la", "de", "del", "della", "der", "den", "van", "von", "zu", "di", "da", "do", "dos", "du", "al", "el",
      "ter",
      "ten", "st.", "saint", "san", "bin", "ibn", "mac",
    ].contains(word.lowercased())
  }

  /// Whether the text is a suffix of a name.
  static func isSuffix(_ text: String) -> Bool {
    isSuffixOfPerson(text)
      || ["inc", "ltd", "llc", "gmbh", "co", "corp"].contains(text.lowercased().filter { $0 != "." })
  }

  static func isSuffixOfPerson(_ text: String) -> Bool {
    ["jr", "sr", "ii", "iii", "iv", "phd", "ph d", "md", "esq", "junior"].contains(
      text.lowercased().filter { $0 != "." })
  }

  /// Splits a text at commas outside brackets.
  private static func outsideOfBrackets(_ text: String) -> [String] {
    guard text.utf8.contains(UInt8(ascii: ",")) || text.contains("、") else { return [text] }
    var (parts, part, depth) = ([String](), "", 0)
    for character in text {
      if "([".contains(character) { depth += 1 }
      if ")]".contains(character) { depth = max(0, depth - 1) }
      if depth == 0, ",、，".contains(character) {
        parts.append(part.trimmed)
        part = ""
      } else {
        part.append(character)
      }
    }
    return (parts + [part.trimmed]).filter { !$0.isEmpty }
  }

  /// The evidence of a column's cells for last names first.
  struct Evidence {
    private var (turned, plain) = (0, 0)

    mutating func add(_ text: String) {
      guard text.utf8.count <= 60, !isOfOneWord(text) else { return }
      let parts = outsideOfBrackets(text).filter { !isSuffix($0) }
      if parts.count == 2, words(parts[0]) == 1 {
        turned += 1
      } else if parts.count == 1, words(parts[0]) > 1 {
        plain += 1
      }
    }

    var isLastFirst: Bool { turned >= 3 && turned > plain }
  }
}

/// The role of a person in a book or film, as files name it.
enum PartRole: Equatable {
  case author, translator, director
  /// A role that the catalog does not store.
  case other

  init(_ text: String) {
    let words = Self.words(text)
    // A person who writes and draws is an author.
    self = words.compactMap { Self.known[$0] }.first { $0 != .other } ?? .other
  }

  static func isKnown(_ text: String) -> Bool {
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
    add(.author, "author,writer,auteur,autor,autorin,verfasser,autore,지은이,지음,저,저자,글,글쓴이,글그림,쓴이,원작,원작자,공저,편저,작가,著")
    add(
      .translator,
      "translator,translation,translated by,trans,transl,tr,übersetzer,übersetzerin,übersetzung,traducteur,traductrice")
    add(.translator, "traductor,traductora,traduttore,vertaler,옮긴이,옮김,역,역자,번역,공역,역주,訳")
    add(.director, "director,directed by,regie,réalisateur,regista,감독,연출")
    add(
      .other,
      "illustrator,illustrations,editor,ed,eds,foreword,introduction,afterword,preface,narrator,contributor,photographer"
    )
    add(
      .other,
      "cover artist,reader,compiler,adapter,colorist,letterer,inker,penciller,artist,cover,producer,herausgeber,hrsg")
    add(.other, "illustrateur,éditeur,그림,그린이,엮음,엮은이,엮은 이,편,편집,편역,감수,사진,해설,추천,낭독,기획,구성,삽화,만화")
    return known
  }()
}

extension Unicode.Scalar {
  fileprivate var isASCII: Bool { value < 0x80 }
}

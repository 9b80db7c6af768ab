internal import CatalogModel
internal import Lookup

/// Reads numbers in the notations of other programs.
enum Numbers {
  /// Reads the number at the beginning: `349`, `349 `, `1,044`, `288.0`, `192 pages`.
  static func count(_ text: String) -> Int? {
    var digits = ""
    for character in text.trimmed {
      if character.isASCII, character.isNumber {
        digits.append(character)
      } else if character != "," || digits.isEmpty {
        break
      }
      if digits.utf8.count > 9 { return nil }
    }
    return Int(digits)
  }

  /// Reads `1979`, `-50`, `1925.0`, `1920's`, `50 BC`. Nil for 0 and other texts.
  static func year(_ text: String) -> Int? {
    var text = text.trimmed
    if text.hasSuffix(".0") { text.removeLast(2) }
    if let year = ReleaseYear.parse(text) { return year }
    let upper = text.uppercased()
    for end in ["BCE", "BC"] where upper.hasSuffix(end) {
      return ReleaseYear.parse("-" + String(text.dropLast(end.count)).trimmed)
    }
    // A day before Christ, such as `-0044-03-15`, keeps its year.
    if text.hasPrefix("-") { return ReleaseYear.parse(text.prefix { $0 == "-" || $0.isNumber }.prefix(5)) }
    return Dates.read(text).flatMap { ReleaseYear.range.contains($0.year) ? $0.year : nil }
  }

  /// Reads an ISBN, including one that a spreadsheet turned into a number, without leading zeros or with a final `.0`.
  /// The check digit confirms it.
  static func isbn(_ text: String, _ facts: inout RowFacts) -> ISBN? {
    if let isbn = try? ISBN(text) { return isbn }
    return padded(text, to: [10], atLeast: 7, &facts) { try? ISBN($0) }
  }

  /// Reads a barcode, including one that a spreadsheet turned into a number.
  static func barcode(_ text: String, _ facts: inout RowFacts) -> Barcode? {
    if let code = try? Barcode(text) { return code }
    return padded(text, to: [12, 13], atLeast: 9, &facts) { try? Barcode($0) }
  }

  private static func padded<Code>(
    _ text: String, to lengths: [Int], atLeast least: Int, _ facts: inout RowFacts, _ read: (String) -> Code?
  ) -> Code? {
    let digits = text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    guard digits.utf8.count >= least, digits.utf8.allSatisfy({ (48...57).contains($0) || $0 | 0x20 == 0x78 }) else {
      return nil
    }
    if digits != text, let code = read(digits) { return code }
    for length in lengths where digits.utf8.count < length {
      if let code = read(String(repeating: "0", count: length - digits.utf8.count) + digits) {
        facts.remark(Entry.Remark("zeros that a spreadsheet removed from a code are restored"))
        return code
      }
    }
    return nil
  }

  /// Reads `136`, `97 mins`, `1:37`, `2h 5m`.
  static func minutes(_ text: String) -> Int? {
    let numbers = text.split { !($0.isASCII && $0.isNumber) }.compactMap { Int($0) }
    let hasHours = text.contains(":") || text.lowercased().contains("h") || text.contains("시간")
    let minutes: Int? =
      switch (numbers.count, hasHours) {
      case (1..., false): numbers[0]
      case (2..., true): numbers[0] < 1_000 && numbers[1] < 60 ? numbers[0] * 60 + numbers[1] : nil
      case (1, true): numbers[0] < 1_000 ? numbers[0] * 60 : nil
      default: nil
      }
    return minutes.flatMap { (1...100_000).contains($0) ? $0 : nil }
  }

  /// Whether the text stands for an unknown value.
  static func isNothing(_ text: String) -> Bool {
    ["", "0", "0.0", "-", "–", "n/a", "na", "none", "null", "unknown", "nan"].contains(text.lowercased())
      || (text.count >= 4 && text.allSatisfy { "0/-.".contains($0) })
  }
}

/// Reads yes and no in the words of other programs.
enum Flags {
  static func read(_ text: String) -> Bool? {
    switch Folding.fold(text) {
    case "yes", "true", "1", "y", "x", "ja", "oui", "si", "sim", "✓", "✔", "예", "네", "o", "on": true
    case "no", "false", "0", "n", "nein", "non", "nao", "아니요", "off", "": false
    default: nil
    }
  }
}

/// Reads reading and watching statuses in the words of other programs.
enum Statuses {
  enum Meaning: Equatable {
    case known(RowFacts.Status)
    /// Begun and paused.
    case paused
    case owned
    /// Not begun.
    case untouched
  }

  static func read(_ text: String) -> Meaning? { words[Folding.labelKey(text)] }

  private static let words: [String: Meaning] = {
    var words: [String: Meaning] = [:]
    func add(_ meaning: Meaning, _ list: String) {
      for word in list.split(separator: ",") { words[Folding.labelKey(String(word))] = meaning }
    }
    add(
      .known(.done),
      "read,finished,done,completed,complete,watched,seen,listened,played,heard,viewed,gelesen,gesehen,gehört")
    add(.known(.done), "lu,vu,leído,leido,visto,읽음,다 읽음,완독,봄,봤음,관람,완료,読了,seen it")
    add(.known(.done), "읽었어요,읽었음,읽었다,다 읽었어요,읽은 책,봤어요,다 봤어요,본 영화,시청 완료,시청함,관람함,감상함,감상 완료,들었어요,들음")
    add(
      .known(.ongoing),
      "currently reading,reading,in progress,progress,watching,currently watching,ongoing,started,lese")
    add(.known(.ongoing), "lese gerade,en cours,leyendo,읽는 중,읽는중,보는 중,보는중,읽고 있어요,listening")
    add(.known(.ongoing), "읽는 중이에요,읽고 있는 책,보고 있어요,보는 중이에요,시청 중,감상 중,독서 중,now reading,reading now")
    add(.known(.dropped), "did not finish,dnf,dropped,abandoned,stopped,stopped reading,gave up,unfinished,abgebrochen")
    add(.known(.dropped), "abandonné,중단,하차,abandonado,포기,읽다 맘,그만 읽음,중도 포기,given up")
    add(.paused, "paused,on hold,onhold,hold,on pause,en pause,pausiert,보류,잠시 멈춤,멈춤,쉬는 중")
    add(
      .known(.wish),
      "to read,want to read,toread,wishlist,wish,wish list,want,wanted,want to watch,watchlist,plan to read")
    add(.known(.wish), "planning,plan to watch,for later,forlater,will lesen,à lire,a lire,por leer,읽고 싶음,읽고 싶어요,보고 싶음")
    add(.known(.wish), "보고 싶어요,위시,위시리스트,찜,planned,tbr,backlog,to watch,wunschliste,want to listen")
    add(.known(.wish), "읽을 예정,볼 예정,읽을 책,볼 영화,읽고 싶은 책,보고 싶은 영화,예정,관심")
    add(.owned, "owned,own,in collection,have,collection,besitz,소장,보유,소유,소장중,소장 중,보유중,보유 중,소장함,있음")
    add(.untouched, "unread,not read,not started,unwatched,unseen,not watched,ungelesen,non lu,안 읽음,미독,읽지 않음,안 봄,미감상")
    return words
  }()
}

/// Reads kinds in the words of other programs.
enum Kinds {
  static func read(_ text: String) -> Kind? {
    if let kind = Kind(word: text) { return kind.isShelved ? kind : kind == .music ? .vinyl : nil }
    return words[Folding.labelKey(text)]
  }

  /// The kind of item on a medium: a film for a DVD or tape, a record for vinyl or a music CD. Nil if the medium is
  /// ambiguous, and for paper.
  static func read(media text: String) -> Kind? {
    let key = Folding.labelKey(text)
    if ["dvd", "bluray", "vhs", "videotape", "laserdisc", "videocassette", "uhd", "film", "movie", "video"]
      .contains(where: key.contains)
    {
      return .movie
    }
    let isSpoken = ["audiobook", "spoken", "book"].contains(where: key.contains)
    guard !isSpoken else { return nil }
    return ["vinyl", "musiccd", "audiocd", "lprecord", "phonograph", "soundrecording", "musicrecording", "78rpm"]
      .contains(where: key.contains) || ["lp", "cd", "sacd", "record"].contains(key) ? .vinyl : nil
  }

  /// Whether the catalog does not keep items of this kind.
  static func isOther(_ text: String) -> Bool {
    [
      "tv", "tvshow", "tvseries", "series", "show", "season", "episode", "anime", "game", "videogame", "boardgame",
      "podcast",
      "serie", "드라마", "시리즈", "게임",
    ].contains(Folding.labelKey(text))
  }

  private static let words: [String: Kind] = [
    "movie": .movie, "feature": .movie, "video": .movie, "dvd": .movie, "bluray": .movie, "영화": .movie,
    "pelicula": .movie,
    "spielfilm": .movie, "filme": .movie, "novel": .book, "ebook": .book, "buch": .book, "livre": .book, "libro": .book,
    "책": .book, "도서": .book, "comic": .book, "manga": .book, "audiobook": .book, "album": .vinyl, "lp": .vinyl,
    "cd": .vinyl, "schallplatte": .vinyl, "음반": .vinyl, "앨범": .vinyl, "disque": .vinyl, "disco": .vinyl,
  ]
}

enum Codes {
  /// The ISO 3166 code of a country by its code of two or three letters or its name.
  static func country(_ text: String) -> String? {
    Country.code(named: text) ?? Country.code(named: text.uppercased()) ?? countries[text.uppercased()]
  }

  /// The three-letter codes. <https://www.iso.org/iso-3166-country-codes.html>
  private static let countries = [
    "ARG": "AR", "AUS": "AU", "AUT": "AT", "BEL": "BE", "BGR": "BG", "BRA": "BR", "CAN": "CA", "CHE": "CH", "CHL": "CL",
    "CHN": "CN", "COL": "CO", "CUB": "CU", "CZE": "CZ", "DEU": "DE", "DNK": "DK", "EGY": "EG", "ESP": "ES", "EST": "EE",
    "FIN": "FI", "FRA": "FR", "GBR": "GB", "GEO": "GE", "GHA": "GH", "GRC": "GR", "HKG": "HK", "HRV": "HR", "HUN": "HU",
    "IDN": "ID", "IND": "IN", "IRL": "IE", "IRN": "IR", "ISL": "IS", "ISR": "IL", "ITA": "IT", "JAM": "JM", "JPN": "JP",
    "KEN": "KE", "KOR": "KR", "LTU": "LT", "LUX": "LU", "LVA": "LV", "MEX": "MX", "MYS": "MY", "NGA": "NG", "NLD": "NL",
    "NOR": "NO", "NZL": "NZ", "PER": "PE", "PHL": "PH", "POL": "PL", "PRT": "PT", "ROU": "RO", "RUS": "RU", "SGP": "SG",
    "SRB": "RS", "SVK": "SK", "SVN": "SI", "SWE": "SE", "THA": "TH", "TUR": "TR", "TWN": "TW", "UKR": "UA", "USA": "US",
    "VNM": "VN", "ZAF": "ZA",
  ]

  /// The ISO 639-1 code of a language by its code of two or three letters or its name.
  static func language(_ text: String) -> String? {
    let word = text.trimmed
    let short = word.lowercased().prefix { $0 != "-" && $0 != "_" }
    if short.count == 2, short.allSatisfy({ $0.isASCII && $0.isLetter }), Language.name(String(short)) != short {
      return String(short)
    }
    return Language.code(named: short.count == 3 ? String(short) : word)
      ?? Language.code(named: word.prefix(1).uppercased() + word.dropFirst().lowercased())
  }
}

/// Reads names of people and bands in the notations of other programs.
enum Names {
  /// Returns a name without the numbers of Discogs for equal names, `Human Records (2)`, and without the star for a
  /// variant spelling. The text may have several names: `Prince (2) & The Revolution (3)`.
  static func plain(_ text: String) -> String {
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
        if isNumber { result = result.trimmed }
        rest = rest[end...]
      } else {
        result += rest[...mark]
        rest = rest[mark...].dropFirst()
      }
    }
    return (result + rest).trimmed
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

  /// Splits a text at these marks and at line ends.
  static func list(_ text: String, _ marks: String) -> [String] {
    func isBetween(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
      default: marks.unicodeScalars.contains(scalar)
      }
    }
    // Most texts have one value only.
    guard text.unicodeScalars.contains(where: isBetween) else { return [text.trimmed].filter { !$0.isEmpty } }
    return text.unicodeScalars.split(whereSeparator: isBetween).map { Substring($0).trimmed }.filter { !$0.isEmpty }
      .map(String.init)
  }

  /// Returns `Lee Eclov` for `Eclov, Lee`. A name without a comma, or with several, is unchanged.
  static func firstLast(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, case let (last, first) = (parts[0].trimmed, parts[1].trimmed), !first.isEmpty, !last.isEmpty
    else { return text }
    return "\(first) \(last)"
  }

  /// Splits `The Hobbit (The Lord of the Rings, #0)` into title, series and number.
  static func series(in title: String) -> (title: String, series: String, number: String)? {
    guard title.hasSuffix(")"), let hash = title.lastIndex(of: "#"), let open = title[..<hash].lastIndex(of: "(") else {
      return nil
    }
    let series = SeriesName(String(title[title.index(after: open)...].dropLast()))
    let rest = title[..<open].trimmed
    guard !rest.isEmpty, let number = series.number else { return nil }
    return (String(rest), series.name, number)
  }
}

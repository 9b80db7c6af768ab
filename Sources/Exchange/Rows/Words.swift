internal import CatalogModel
internal import Lookup

/// Numbers as other programs write them.
enum Numbers {
  /// `349`, `349 `, `1,044`, `288.0`, `192 pages`: the number at the beginning.
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

  /// `1979`, `-50`, `1925.0`, `1920's`, `50 BC`; nil for 0 and what is no year.
  static func year(_ text: String) -> Int? {
    var text = text.trimmed
    if text.hasSuffix(".0") { text.removeLast(2) }
    if let year = ReleaseYear.parse(text) { return year }
    let upper = text.uppercased()
    for end in ["BCE", "BC"] where upper.hasSuffix(end) {
      return ReleaseYear.parse("-" + String(text.dropLast(end.count)).trimmed)
    }
    return Dates.read(text).flatMap { ReleaseYear.range.contains($0.year) ? $0.year : nil }
  }

  /// `136`, `97 mins`, `1:37`, `2h 5m`.
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

  /// What programs write where nothing is known.
  static func isNothing(_ text: String) -> Bool {
    ["", "0", "0.0", "-", "–", "n/a", "na", "none", "null", "unknown", "nan"].contains(text.lowercased())
      || (text.count >= 4 && text.allSatisfy { "0/-.".contains($0) })
  }
}

/// Yes and no in the words of other programs.
enum Flags {
  static func read(_ text: String) -> Bool? {
    switch Folding.fold(text) {
    case "yes", "true", "1", "y", "x", "ja", "oui", "si", "sim", "✓", "✔", "예", "네", "o", "on": true
    case "no", "false", "0", "n", "nein", "non", "nao", "아니요", "off", "": false
    default: nil
    }
  }
}

/// What was done with a thing, in the words of other programs.
enum Statuses {
  enum Meaning: Equatable { case known(RowFacts.Status), owned }

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
    add(
      .known(.ongoing),
      "currently reading,reading,in progress,progress,watching,currently watching,ongoing,started,lese")
    add(.known(.ongoing), "lese gerade,en cours,leyendo,읽는 중,읽는중,보는 중,보는중,읽고 있어요,listening")
    add(.known(.dropped), "did not finish,dnf,dropped,abandoned,stopped,stopped reading,gave up,unfinished,abgebrochen")
    add(.known(.dropped), "abandonné,중단,하차,abandonado,paused")
    add(
      .known(.wish),
      "to read,want to read,toread,wishlist,wish,wish list,want,wanted,want to watch,watchlist,plan to read")
    add(.known(.wish), "planning,plan to watch,for later,forlater,will lesen,à lire,a lire,por leer,읽고 싶음,읽고 싶어요,보고 싶음")
    add(.known(.wish), "보고 싶어요,위시,위시리스트,찜,planned,tbr,backlog,to watch,wunschliste,want to listen")
    add(.owned, "owned,own,in collection,have,collection,besitz,소장,보유,소유")
    return words
  }()
}

/// What a thing is, in the words of other programs.
enum Kinds {
  static func read(_ text: String) -> Kind? {
    if let kind = Kind(word: text) { return kind.isShelved ? kind : kind == .music ? .vinyl : nil }
    return words[Folding.labelKey(text)]
  }

  /// Whether it is something that the catalog does not keep.
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

/// Names of people and bands as other programs write them.
enum Names {
  /// A name without the number that Discogs sets behind those that several have: `Human Records (2)`, and the star that says
  /// that it is spelled otherwise on this release.
  static func plain(_ text: String) -> String {
    var name = PlainText.line(text)
    if name.hasSuffix("*") { name.removeLast() }
    if name.hasSuffix(")"), let open = name.lastIndex(of: "(") {
      let inside = name[name.index(after: open)...].dropLast()
      if (1...3).contains(inside.count), inside.allSatisfy({ $0.isASCII && $0.isNumber }) {
        name = String(name[..<open]).trimmed
      }
    }
    return name
  }

  /// What stands between these marks.
  static func list(_ text: String, _ marks: String) -> [String] {
    func isBetween(_ scalar: Unicode.Scalar) -> Bool {
      switch scalar {
      case "\n"..."\r", "\u{85}", "\u{2028}", "\u{2029}": true
      default: marks.unicodeScalars.contains(scalar)
      }
    }
    // Most have one alone.
    guard text.unicodeScalars.contains(where: isBetween) else { return [text.trimmed].filter { !$0.isEmpty } }
    return text.unicodeScalars.split(whereSeparator: isBetween).map { Substring($0).trimmed }.filter { !$0.isEmpty }
      .map(String.init)
  }

  /// `Eclov, Lee` as `Lee Eclov`; a name without a comma, or with two, stays.
  static func firstLast(_ text: String) -> String {
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, case let (last, first) = (parts[0].trimmed, parts[1].trimmed), !first.isEmpty, !last.isEmpty
    else { return text }
    return "\(first) \(last)"
  }

  /// `The Hobbit (The Lord of the Rings, #0)` parted into title, series and number.
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

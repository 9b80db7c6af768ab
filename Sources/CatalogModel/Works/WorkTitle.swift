/// A title in the form in which works are compared: by hashes of its folded words, so that thousands fit in memory.
///
/// `Prozess, Der` and `Der Prozess`, `Rocky III` and `Rocky 3`, `Le Rouge & le Noir` and `Le Rouge et le noir` are
/// equal. docs/editions.md has the rule.
public struct WorkTitle: Sendable, Hashable {
  /// The relation of two titles, the closest first.
  public enum Relation: Int, Comparable, Sendable {
    case equal
    /// One lacks an article of another language than English, which may be a word: *Die Hard*.
    case article
    /// One has a second name: `X, or Y`.
    case or
    /// One names an edition in brackets: `(Deluxe Edition)`.
    case edition
    /// One is another performance: `(Live)`.
    case performed
    /// One has something else in brackets.
    case bracket
    /// One has a part before or behind a colon.
    case subtitle
    /// They are spelled nearly alike. Only ``EntryIndex`` looks for those.
    case near
    case none

    public static func < (one: Relation, other: Relation) -> Bool { one.rawValue < other.rawValue }

    /// Whether the titles name one work, unless a maker, year or code contradicts.
    public var isEqual: Bool { self <= .or }
  }

  /// All words, without the article.
  private let whole: UInt32
  /// The words without those in brackets and without a second name.
  private let joined: UInt32
  /// The part before a colon, and the one behind it; 0 without a colon.
  private let (main, sub): (UInt32, UInt32)
  /// The second name, 0 for none.
  private let or: UInt32
  /// The last brackets, 0 for none.
  private let bracket: UInt32
  /// The foreign article, 0 for none.
  private let article: UInt32
  private let sort: Sort
  /// Whether it is about a work rather than one: a guide, a comic of a novel.
  private let isAbout: Bool

  private enum Sort: UInt8 { case none, edition, performed, other }

  /// - Parameter language: the code of the title's language, if that is known.
  public init(_ title: String, of kind: Kind, in language: String? = nil) {
    let parts = TitleParts(title, of: kind, in: language)
    let words = parts.words
    whole = Self.hash(words + parts.bracketWords)
    joined = Self.hash(words)
    (main, sub) = parts.border.map { (Self.hash(words[..<$0]), Self.hash(words[$0...])) } ?? (0, 0)
    or = Self.hash(parts.or)
    bracket = Self.hash(parts.bracketWords)
    article = parts.article.map { FNV1a($0).folded } ?? 0
    sort = bracket == 0 ? .none : Self.sort(of: parts.bracketWords)
    isAbout = (parts.border.map { words[$0...] } ?? [])[...].contains { Self.about.contains($0) }
  }

  /// One for all spellings of the whole title.
  public var key: UInt32 { whole }

  /// The keys of the whole title, and of its parts beside a colon. Whatever is no ``Relation/none`` to it shares one.
  public var keys: [UInt32] { [whole, joined, or].filter { $0 != 0 } }
  public var partKeys: [UInt32] { [main, sub].filter { $0 != 0 } }

  /// Whether it is nothing but signs.
  var isEmpty: Bool { whole == 0 }

  public func relation(to other: WorkTitle) -> Relation {
    guard !isEmpty, !other.isEmpty else { return .none }
    let equal: Relation = article == other.article ? .equal : .article
    if whole == other.whole, or == other.or { return equal }
    if joined == other.joined {
      if bracket == other.bracket { return or == other.or ? equal : or == 0 || other.or == 0 ? .or : .none }
      if bracket != 0, other.bracket != 0 { return sort == .edition && other.sort == .edition ? .edition : .none }
      switch bracket == 0 ? other.sort : sort {
      case .edition: return .edition
      case .performed: return .performed
      case .none, .other: return .bracket
      }
    }
    if or != 0 && or == other.joined || other.or != 0 && other.or == joined { return .or }
    if sub != 0, other.sub == 0, !isAbout, main == other.joined || sub == other.joined { return .subtitle }
    if other.sub != 0, sub == 0, !other.isAbout, other.main == joined || other.sub == joined { return .subtitle }
    return .none
  }

  // MARK: Words

  private static let about: Set = ["graphic", "comic", "comics", "guide", "companion", "summary", "workbook"]
  private static let editions: Set = [
    "edition", "editions", "deluxe", "remaster", "remastered", "reissue", "anniversary", "cut", "mix", "mono", "stereo",
    "expanded", "special", "collector", "collectors", "classic", "classics", "penguin", "vintage", "paperback",
    "hardcover", "hardback", "ebook", "kindle", "illustrated", "unabridged", "abridged", "legacy", "version", "lp",
    "vinyl", "cd", "edicion", "edizione", "edicao", "editie", "utgave", "ausgabe", "taschenbuch", "poche", "양장", "양장본",
    "개정판", "특별판", "한정판", "리커버", "반양장", "세트",
  ]
  private static let performances: Set = [
    "live", "demo", "demos", "remix", "remixes", "soundtrack", "cover", "covers", "acoustic", "unplugged", "karaoke",
    "instrumental", "instrumentals", "tribute", "from",
  ]

  /// Words for several works in one.
  private static let collections: Set = ["complete", "box", "boxed", "set", "trilogy", "omnibus", "other"]

  private static func sort(of words: some Sequence<String>) -> Sort {
    var sort = Sort.other
    for word in words {
      if performances.contains(word) { return .performed }
      if collections.contains(word) { return .other }
      if editions.contains(word) || word.hasSuffix("ausgabe") { sort = .edition }
    }
    return sort
  }

  /// A hash of words as one run of letters; of two numbers side by side, with a point between them. 0 for no words.
  private static func hash(_ words: some Sequence<String>) -> UInt32 {
    var hash = FNV1a()
    var (isEmpty, wasNumber) = (true, false)
    for word in words {
      let isNumber = word.utf8.allSatisfy { (0x30...0x39).contains($0) }
      if wasNumber, isNumber { hash.add(UInt8(ascii: ".")) }
      hash.add(word)
      (isEmpty, wasNumber) = (false, isNumber)
    }
    return isEmpty ? 0 : hash.folded
  }
}

extension FNV1a {
  /// The value in 32 bits, never 0.
  var folded: UInt32 { max(1, UInt32(truncatingIfNeeded: value ^ value >> 32)) }
}

/// The parts of a title, folded. They are read by scalars: none of the signs between them has a mark of its own.
private struct TitleParts {
  private typealias Text = Substring.UnicodeScalarView

  /// The words without article, brackets and second name.
  var words: [String] = []
  /// The place of the first word behind the colon.
  var border: Int?
  var bracketWords: [String] = []
  var or: [String] = []
  var article: String?

  init(_ title: String, of kind: Kind, in language: String?) {
    var rest = Folding.fold(title)[...].unicodeScalars
    takeBrackets(&rest, of: kind)
    takeSecondName(&rest)
    var pieces = Self.pieces(of: rest)
    if let first = pieces.first, let (article, core) = Self.articleBehind(first) {
      pieces[0] = core
      self.article = article
    }
    for (place, piece) in pieces.enumerated() {
      var found = Self.words(of: piece)
      if place == 0, article == nil, let split = Self.articleBefore(found, in: piece) { (article, found) = split }
      if place == 1 {
        border = words.count
        found = Self.withoutArticle(found)
      }
      words += found
    }
    if border == 0 || border == words.count { border = nil }
    Self.readNumbers(&words, border: &border)
    if let own = article, Articles.of(language).contains(own) { article = nil }
  }

  // MARK: Parts

  /// Takes brackets off the end. Those of a series or year say nothing.
  private mutating func takeBrackets(_ rest: inout Text, of kind: Kind) {
    while let last = rest.last, last == ")" || last == "]",
      let open = rest.lastIndex(of: last == ")" ? "(" : "["), open > rest.startIndex
    {
      let inside = rest[rest.index(after: open)...].dropLast()
      let before = rest[..<open].trimmingTail
      guard !before.isEmpty else { return }
      rest = before
      if before.suffix(3).elementsEqual(" or".unicodeScalars) {
        rest = before.dropLast(3).trimmingTail
        or = Self.withoutArticle(Self.words(of: inside), among: Articles.all)
        continue
      }
      let words = Self.words(of: inside)
      let isSeries = kind == .book && inside.contains("#")
      let isYear =
        words.count == 1 && words[0].utf8.count == 4 && words[0].utf8.allSatisfy { (0x30...0x39).contains($0) }
      guard bracketWords.isEmpty, !isSeries, !isYear else { continue }
      // Numbers are read as behind a title.
      var (behind, border) = ([""] + words, Int?.none)
      Self.readNumbers(&behind, border: &border)
      bracketWords = Array(behind.dropFirst())
    }
  }

  /// The signs and words between a title and its second name.
  private static let ors = [
    ", or ", "; or ", "; or, ", ": or ", ": or, ", " or: ", ", oder ", "; oder ", " oder: ", ", ou ", "; ou ", " ou: ",
    ", eller ",
  ].map { Array($0.unicodeScalars) }

  private mutating func takeSecondName(_ rest: inout Text) {
    guard rest.contains(where: \.isBorder) else { return }
    for place in rest.indices.dropFirst() where rest[place] == " " || rest[place].isBorder {
      guard let word = Self.ors.first(where: { rest[place...].starts(with: $0) }) else { continue }
      let name = rest[place...].dropFirst(word.count).drop { $0 == " " || $0.isBorder }
      guard !name.isEmpty else { continue }
      or = Self.withoutArticle(Self.words(of: name), among: Articles.all)
      rest = rest[..<place]
      return
    }
  }

  /// The part before the first colon or dash between words, and the one behind it.
  private static func pieces(of text: Text) -> [Text] {
    var previous: Unicode.Scalar?
    for place in text.indices {
      let sign = text[place]
      defer { previous = sign }
      let behind = text.index(after: place)
      let next = behind < text.endIndex ? text[behind] : nil
      let isBorder =
        switch sign {
        // Not that of a time: 2:22.
        case ":": next == nil || previous?.properties.numericType == nil || next?.properties.numericType == nil
        case "-", "–", "—": previous == " " && next == " "
        default: false
        }
      if isBorder, place > text.startIndex, next != nil { return [text[..<place], text[behind...]] }
    }
    return [text]
  }

  /// The article behind the last comma, and the rest: `Prozess, Der`.
  private static func articleBehind(_ text: Text) -> (String, Text)? {
    guard let comma = text.lastIndex(of: ","), comma > text.startIndex else { return nil }
    let article = String(text[text.index(after: comma)...].drop { $0 == " " }.trimmingTail)
    return Articles.all.contains(article) ? (article, text[..<comma]) : nil
  }

  /// The article before the other words.
  private static func articleBefore(_ words: [String], in text: Text) -> (String, [String])? {
    guard let first = words.first else { return nil }
    let start = text.drop { $0 == " " }
    if first == "t", words.count > 1, start.first?.isApostrophe == true {
      return ("'t", Array(words.dropFirst()))
    }
    if let sign = start.prefix(3).firstIndex(where: \.isApostrophe), sign > start.startIndex {
      // `l'étranger` has an article, though it is one word.
      let elided = String(start[..<sign]) + "'"
      if Articles.all.contains(elided), first.utf8.count >= elided.utf8.count {
        return (elided, [String(first.dropFirst(elided.count - 1))] + words.dropFirst())
      }
    }
    return words.count > 1 && Articles.all.contains(first) ? (first, Array(words.dropFirst())) : nil
  }

  /// The words without the article before them.
  private static func withoutArticle(_ words: [String], among articles: Set<String> = Articles.usual) -> [String] {
    guard words.count > 1, let first = words.first, articles.contains(first) else { return words }
    return Array(words.dropFirst())
  }

  // MARK: Words

  private static let ands: Set = ["and", "et", "und", "y", "e", "ed", "og", "och", "en"]

  /// The words of a text: runs of letters and digits, which an apostrophe joins; `and` for `&`, and for the word in
  /// other languages between two words.
  private static func words(of text: Text) -> [String] {
    var words: [String] = []
    var word = String.UnicodeScalarView()
    func end() {
      if !word.isEmpty { words.append(String(word)) }
      word = String.UnicodeScalarView()
    }
    // Letters with a point behind each are one word: `E.T.`
    var dots = 0
    for scalar in text {
      if scalar.isLetterOrDigit {
        if dots > 0, dots < word.count { end() }
        if word.isEmpty { dots = 0 }
        word.append(scalar)
      } else if scalar == "&" || scalar == "+" {
        end()
        words.append("and")
      } else if scalar == ".", word.count == dots + 1 {
        dots += 1
      } else if !scalar.isApostrophe {
        end()
        dots = 0
      }
    }
    end()
    // Signs alone are the title: `???`, `+`.
    if words.isEmpty || words == ["and"] {
      let signs = String(text).trimmingBlanks
      return signs.isEmpty ? [] : [signs]
    }
    for place in words.indices.dropFirst().dropLast() where ands.contains(words[place]) { words[place] = "and" }
    return words
  }

  private static let designators: Set = [
    "vol", "volume", "v", "bd", "band", "tome", "tom", "tomo", "deel", "del", "part", "pt", "parte", "partie", "teil",
    "book", "buch", "livre", "libro", "chapter", "kapitel", "episode", "ep", "issue", "no", "nr",
  ]
  private static let numberWords = [
    "one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9",
    "ten": "10", "eins": "1", "zwei": "2", "drei": "3", "un": "1", "deux": "2", "trois": "3", "uno": "1", "dos": "2",
    "tres": "3",
  ]

  /// Makes numbers of one form: Roman ones behind the first word, words behind a word such as *Volume*, which goes;
  /// `제3권` and `3巻`.
  private static func readNumbers(_ words: inout [String], border: inout Int?) {
    guard words.count > 1 else {
      return
    }
    var read = [words[0]]
    var place = 1
    while place < words.count {
      let word = words[place]
      let next = place + 1 < words.count ? words[place + 1] : nil
      if border == place { border = read.count }
      if designators.contains(word), let next,
        let number = numberWords[next] ?? roman(next) ?? (isNumber(next) ? withoutZeros(next) : nil)
      {
        read.append(number)
        place += 2
        continue
      }
      if isNumber(word) {
        read.append(withoutZeros(word))
      } else if word != "i" || next == nil, let number = roman(word) {
        read.append(number)
      } else {
        read.append(counted(word) ?? word)
      }
      place += 1
    }
    if let end = border, end >= read.count { border = nil }
    words = read
  }

  private static func isNumber(_ word: String) -> Bool { word.utf8.allSatisfy { (0x30...0x39).contains($0) } }

  private static func withoutZeros(_ number: String) -> String {
    guard number.first == "0" else { return number }
    let rest = number.drop { $0 == "0" }
    return rest.isEmpty ? "0" : String(rest)
  }

  /// `3` of `제3권`, `3편`, `第3巻`.
  private static func counted(_ word: String) -> String? {
    guard let last = word.unicodeScalars.last, !last.isASCII, "권편巻卷".unicodeScalars.contains(last) else { return nil }
    let number = word.dropLast().drop { "제第".contains($0) }
    return number.isEmpty || !isNumber(String(number)) ? nil : withoutZeros(String(number))
  }

  private static let romans: [String: String] = {
    let ones = ["", "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix"]
    var romans: [String: String] = [:]
    for number in 1..<40 { romans[String(repeating: "x", count: number / 10) + ones[number % 10]] = "\(number)" }
    return romans
  }()

  /// The number of a Roman numeral below forty.
  private static func roman(_ word: String) -> String? { word.utf8.count <= 6 ? romans[word] : nil }
}

extension Substring.UnicodeScalarView {
  /// The text without blanks at its end.
  fileprivate var trimmingTail: Self {
    var text = self
    while let last = text.last, last.properties.isWhitespace { text.removeLast() }
    return text
  }
}

extension Unicode.Scalar {
  /// Whether a second name or a part of a title may stand behind it.
  fileprivate var isBorder: Bool { self == "," || self == ";" || self == ":" }
}

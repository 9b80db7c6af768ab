/// A name of a person or band in the form in which names are compared: its words in any order.
///
/// `Miles Davis` agrees with `Davis, Miles` and `Miles Davis Quintet`, `Beatles, The` with `The Beatles (2)`, and
/// `봉준호` with `Bong Joon-ho`.
public struct Maker: Sendable, Hashable {
  /// The agreement of two lists of names.
  public enum Agreement: Hashable, Sendable {
    /// At least one name is in both.
    case some
    /// A name is spelled nearly as one of the other list.
    case near
    /// No name is in both.
    case none
    /// The names are in different scripts, so they cannot be compared.
    case unreadable
    /// One of them is empty.
    case unknown
  }

  /// Its words, folded, in alphabetical order and without common ones.
  private let words: [String]
  /// Its letters and digits in their order.
  private let letters: String
  /// One for all spellings with these words.
  public let key: String
  /// The bits of the scripts in which it is known.
  private var scripts: UInt32
  /// Its words as they are written, where the others are those of its name in Latin letters.
  private var writtenWords: [String] = []

  private static let common: Set<String> = ["the", "and", "a", "an", "of"]
  /// Names that say nothing.
  private static let unknown: Set<String> = [
    "various artists", "various", "anonymous", "unknown", "unknown artist", "va",
  ].reduce(into: []) {
    $0.insert($1.split(separator: " ").sorted().joined())
  }

  public init(_ name: String) {
    let name = Self.withoutNumber(name)
    let written = Folding.fold(name)
    scripts = Self.script(of: written)
    guard let latin = PersonNames.inLatin(name).map(Folding.fold) else {
      (words, letters, key) = Self.words(of: written)
      return
    }
    (words, letters, key) = Self.words(of: latin)
    writtenWords = Self.words(of: written).words
    scripts |= Self.script(of: latin)
  }

  private static func words(of folded: String) -> (words: [String], letters: String, key: String) {
    let words = folded.unicodeScalars.split { !$0.isLetterOrDigit && !$0.isApostrophe }
      .map { String(String.UnicodeScalarView($0.filter { !$0.isApostrophe })) }.filter { !$0.isEmpty }
    let core = words.filter { !common.contains($0) }
    let sorted = (core.isEmpty ? words : core).sorted()
    return (sorted, words.joined(), sorted.isEmpty ? folded : sorted.joined())
  }

  /// The bit of Latin, Hangul or another script.
  private static func script(of folded: String) -> UInt32 {
    if folded.utf8.contains(where: { (0x61...0x7A).contains($0) }) { return 1 }
    return folded.unicodeScalars.contains { (0xAC00...0xD7A3).contains($0.value) } ? 2 : 4
  }

  /// The name without the number by which a source tells people of one name apart: `Weezer (2)`.
  private static func withoutNumber(_ name: String) -> String {
    guard name.last == ")", let open = name.lastIndex(of: "("), open > name.startIndex,
      name[name.index(after: open)...].dropLast().allSatisfy(\.isASCIIDigit)
    else { return name }
    return String(name[..<open])
  }

  /// Whether it names anybody.
  var isKnown: Bool { !Self.unknown.contains(words.joined()) && !key.isEmpty }

  func agrees(with other: Maker) -> Bool {
    if key == other.key || !letters.isEmpty && letters == other.letters { return true }
    let (few, many) = words.count <= other.words.count ? (words, other.words) : (other.words, words)
    if few.isEmpty { return false }
    if few.allSatisfy(many.contains) { return true }
    // `J. R. R. Tolkien` and `John Ronald Reuel Tolkien`: a shared word, and initials for all others.
    guard few.contains(where: { $0.utf8.count > 1 && many.contains($0) }) else { return false }
    return few.allSatisfy { word in
      many.contains(word)
        || many.contains { (word.count == 1 || $0.count == 1) && $0.first == word.first }
    }
  }

  /// Whether the names share a word of four letters and begin alike in the others, or are spelled nearly alike.
  private func isNear(_ other: Maker) -> Bool {
    let shared = words.filter { $0.count >= 4 && other.words.contains($0) }
    if !shared.isEmpty, words.count == other.words.count {
      let (rest, others) = (words.filter { !shared.contains($0) }, other.words.filter { !shared.contains($0) })
      if zip(rest, others).allSatisfy({ $0.first == $1.first }) { return true }
    }
    guard key.count >= 7, words.first?.count ?? 0 > 1, key.prefix(2) == other.key.prefix(2) else { return false }
    return key.isWithin(2, editsOf: other.key)
  }

  /// Whether the names differ by so few letters that one is probably a slip: one of ten, two of fifteen.
  public func isMisspelling(of other: Maker) -> Bool {
    let length = min(key.count, other.key.count)
    return key != other.key && length >= 10 && words.count == other.words.count
      && key.isWithin(length < 15 ? 1 : 2, editsOf: other.key)
  }

  public static func agreement(_ some: [Maker], _ others: [Maker]) -> Agreement {
    let (some, others) = (some.filter(\.isKnown), others.filter(\.isKnown))
    guard !some.isEmpty, !others.isEmpty else { return .unknown }
    func anyPair(_ holds: (Maker, Maker) -> Bool) -> Bool {
      some.contains { one in others.contains { holds(one, $0) } }
    }
    if anyPair({ $0.agrees(with: $1) }) { return .some }
    // A name in Latin letters may equal one in Hangul.
    guard anyPair({ $0.scripts & $1.scripts != 0 }) else { return .unreadable }
    return anyPair({ $0.isNear($1) }) ? .near : .none
  }
}

extension Maker {
  /// A summary of names that distinguishes most of them, in 40 bits.
  public struct Filter: Sendable {
    /// A bit for the first two letters of each word, and in the last three bits one for each script. 0 for no name.
    public private(set) var bits: UInt32 = 0

    private static let scripts: UInt32 = 7 << 29

    public init(_ makers: [Maker]) {
      for maker in makers where maker.isKnown {
        bits |= maker.scripts << 29
        let long = (maker.words + maker.writtenWords).filter { $0.count > 1 }
        for word in long.isEmpty ? [maker.key] : long {
          bits |= 1 << UInt32(truncatingIfNeeded: FNV1a(String(word.prefix(2))).value % 29)
        }
      }
    }

    public init(bits: UInt32) { self.bits = bits }

    /// Whether ``Maker/agreement(_:_:)`` is certainly `none`. It may be `none` if this is false.
    public func areSurelyOthers(than other: Filter) -> Bool {
      bits & other.bits & Self.scripts != 0 && bits & other.bits & ~Self.scripts == 0
    }

    /// Whether ``Maker/agreement(_:_:)`` is certainly `unreadable`. It may be `unreadable` if this is false.
    public func areSurelyUnreadable(in other: Filter) -> Bool {
      bits != 0 && other.bits != 0 && bits & other.bits == 0
    }
  }
}

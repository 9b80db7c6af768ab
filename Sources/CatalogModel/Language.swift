internal import CResources

/// Names of languages: Data/languages.txt.
public enum Language {
  private static let list = NameList { catalog_languages() }
  private static let codes = list.codes

  package static var all: [String] { Set(codes.values).sorted() }

  /// The English name of a language by its ISO 639-1 code; the code itself when it is not known.
  public static func name(_ code: String) -> String {
    code.utf8.count == 2 ? list.name(of: code.lowercased()) ?? code : code
  }

  /// The ISO 639-1 code of a language by its code of two or three letters, `en-US`, or one of its names, in any
  /// language.
  public static func code(named name: String) -> String? {
    if let code = codes[Folding.nameKey(name)] { return code }
    let short = name.prefix { $0 != "-" && $0 != "_" }
    return short.utf8.count < name.utf8.count && (2...3).contains(short.utf8.count) ? codes[short.lowercased()] : nil
  }

  /// The languages that a text may be in by its letters, the likeliest first; empty for one in Latin letters.
  public static func written(in text: String) -> [String] {
    scripts.first { _, letters in text.unicodeScalars.contains { scalar in letters.contains { $0 ~= scalar.value } } }?
      .languages ?? []
  }

  /// Whether a language is written in other letters than Latin.
  public static func hasOwnLetters(_ code: String) -> Bool { scripts.contains { $0.languages.contains(code) } }

  /// The letters of each script. Chinese signs are last, because Korean and Japanese texts have them, too.
  private static let scripts: [(languages: [String], letters: [ClosedRange<UInt32>])] = [
    (["ko"], [0x1100...0x11FF, 0x3130...0x318F, 0xA960...0xA97F, 0xAC00...0xD7FF]),
    (["ja"], [0x3041...0x3096, 0x309D...0x309F, 0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9D]),
    (["ru", "uk", "bg", "sr", "be", "mk", "kk"], [0x400...0x52F]), (["el"], [0x370...0x3FF, 0x1F00...0x1FFF]),
    (["he", "yi"], [0x590...0x5FF]), (["ar", "fa", "ur"], [0x600...0x6FF, 0x750...0x77F]),
    (["hi", "mr", "ne"], [0x900...0x97F]), (["bn"], [0x980...0x9FF]), (["ta"], [0xB80...0xBFF]),
    (["th"], [0xE00...0xE7F]), (["ka"], [0x10A0...0x10FF]), (["hy"], [0x530...0x58F]),
    (["zh", "ja"], [0x3400...0x4DBF, 0x4E00...0x9FFF, 0x20000...0x3134F]),
  ]
}

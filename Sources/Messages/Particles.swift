/// The two forms of a Korean particle, chosen by the word before it: `을/를`, `이/가`, `은/는`, `과/와`, `으로/로`. The first form
/// follows a final consonant.
struct Particles {
  private let behindConsonant: String
  private let behindVowel: String

  /// Reads `{을/를}` from the beginning of a text, which goes on behind it.
  init?(at text: inout Substring) {
    guard text.first == "{", let end = text.firstIndex(of: "}") else { return nil }
    let forms = text[..<end].dropFirst().split(separator: "/", omittingEmptySubsequences: false)
    guard forms.count == 2 else { return nil }
    (behindConsonant, behindVowel) = (String(forms[0]), String(forms[1]))
    text = text[end...].dropFirst()
  }

  /// The particle that fits after a text; both forms when its pronunciation is unknown.
  func fitting(_ text: String) -> String {
    switch Ending(of: text) {
    case .vowel: behindVowel
    // 로 also follows ㄹ.
    case .l: behindConsonant == "으로" ? behindVowel : behindConsonant
    case .consonant: behindConsonant
    case nil: "\(behindConsonant)(\(behindVowel))"
    }
  }

  /// The final sound of a word when read aloud in Korean.
  private enum Ending {
    case vowel, l, consonant

    init?(of text: String) {
      guard let (last, word) = Ending.lastWord(of: text) else { return nil }
      switch last.value {
      case 0xAC00...0xD7A3:
        switch (last.value - 0xAC00) % 28 {
        case 0: self = .vowel
        case 8: self = .l
        default: self = .consonant
        }
      // 일, 칠, 팔; 영, 삼, 육.
      case 0x31, 0x37, 0x38: self = .l
      case 0x30, 0x33, 0x36: self = .consonant
      case 0x32, 0x34, 0x35, 0x39: self = .vowel
      case 0x41...0x5A, 0x61...0x7A: self.init(latin: word)
      case 0x3093, 0x30F3: self = .consonant
      case 0x3041...0x30FA: self = .vowel
      default: return nil
      }
    }

    /// The last letter or digit, and the Latin word that it ends. Text in brackets and colors are ignored.
    private static func lastWord(of text: String) -> (last: Unicode.Scalar, word: Substring)? {
      var text = text[...]
      while let last = text.unicodeScalars.last {
        if last.properties.isAlphabetic || last.properties.numericType == .decimal {
          if last == "m", let escape = text.lastIndex(of: "\u{1B}"),
            text[escape...].dropFirst().allSatisfy({ $0.isASCII && ($0.isNumber || "[;m".contains($0)) })
          {
            text = text[..<escape]
            continue
          }
          let word = text.reversed().prefix { $0.isASCII && $0.isLetter }.count
          return (last, text.suffix(word))
        }
        if last == ")", let open = text.lastIndex(of: "("), open > text.startIndex {
          text = text[..<open]
        } else {
          text = text.dropLast()
        }
      }
      return nil
    }

    /// English words as they are usually read. Capitals are spelt: TMDB, URL.
    private init(latin word: Substring) {
      let vowels: Set<Character> = ["a", "e", "i", "o", "u"]
      if word.allSatisfy(\.isUppercase) {
        self =
          switch word.last {
          case "L", "R": .l
          case "M", "N": .consonant
          default: .vowel
          }
        return
      }
      let word = word.lowercased()
      if word.hasSuffix("l") || word.hasSuffix("le") {
        self = .l
      } else if ["m", "n", "ng", "me", "ne", "ck"].contains(where: word.hasSuffix) {
        self = .consonant
      } else if let last = word.last, "bckpt".contains(last), let before = word.dropLast().last, vowels.contains(before)
      {
        self = .consonant
      } else {
        self = .vowel
      }
    }
  }
}

internal import Lookup
internal import Processes

/// An encoding in which a file may have its text.
public struct TextEncoding: Sendable, Hashable {
  /// The name for the user: `Windows-1251`.
  public let name: String
  /// The name for the program `iconv`.
  let id: String
  private let others: [String]
  /// The logarithm of its likelihood beside others of equal letters; nil for Unicode, which bytes show.
  let prior: Double?
  /// The pairs of bytes of East Asia.
  let pairs: Pairs?

  private init(_ name: String, _ id: String, _ others: [String] = [], prior: Double? = nil, pairs: Pairs? = nil) {
    (self.name, self.id, self.others, self.prior, self.pairs) = (name, id, others, prior, pairs)
  }

  static let utf8 = TextEncoding("UTF-8", "UTF-8")
  static let utf16 = TextEncoding("UTF-16", "UTF-16")
  static let windows1252 = TextEncoding("Windows-1252", "CP1252", ["latin-1", "iso-8859-1"], prior: 0)

  public static let all = [
    utf8, utf16, windows1252,
    TextEncoding("Windows-1250", "CP1250", prior: -1.5), TextEncoding("Windows-1251", "CP1251", prior: -1),
    TextEncoding("Windows-1253", "CP1253", prior: -2.5),
    TextEncoding("Windows-1254", "CP1254", ["iso-8859-9"], prior: -2.5),
    TextEncoding("ISO-8859-2", "ISO-8859-2", ["latin-2"], prior: -3.5),
    TextEncoding("KOI8-U", "KOI8-U", ["koi8-r", "koi8"], prior: -4),
    TextEncoding("MacRoman", "MACINTOSH", prior: -3),
    TextEncoding("CP949", "CP949", ["euc-kr", "uhc"], prior: -0.5, pairs: .korean),
    TextEncoding("GBK", "GBK", ["gb2312", "gb18030", "cp936"], prior: -1.5, pairs: .simplified),
    TextEncoding("Big5", "BIG5-HKSCS", ["cp950"], prior: -1.5, pairs: .traditional),
    TextEncoding("Shift_JIS", "CP932", ["sjis"], prior: -1.5, pairs: .shiftJIS),
    TextEncoding("EUC-JP", "EUC-JP", prior: -2.5, pairs: .japanese),
  ]

  /// The encoding with a name in any spelling: `windows-1251`, `CP1251`, `latin 2`.
  public init?(_ name: String) {
    func key(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
    let typed = key(name)
    guard let known = Self.all.first(where: { ([$0.name, $0.id] + $0.others).contains { key($0) == typed } }) else {
      return nil
    }
    self = known
  }

  /// Returns bytes as text; without those that mean nothing. Nil where the program `iconv` is missing.
  func text(of bytes: [UInt8]) -> [UInt8]? {
    if self == .windows1252 { return Windows1252.utf8(bytes) }
    if let letters = Self.letters[id] {
      var text = String.UnicodeScalarView()
      for byte in bytes {
        if let scalar = byte < 0x80 ? Unicode.Scalar(byte) : letters[Int(byte) - 0x80] { text.append(scalar) }
      }
      return Array(String(text).utf8)
    }
    let run = try? Spawn.capture(
      words, environment: .adding(["LC_ALL": "C.UTF-8"]), input: .file(bytes), error: .null, limit: 256 << 20)
    // It fails without bytes that it left out, too.
    guard let run, let status = run.status, status.isSuccess || !run.output.isEmpty || bytes.isEmpty else { return nil }
    return run.output
  }

  /// The characters of the bytes from 0x80 on, by the encodings in which each byte is one.
  private static let letters: [String: [Unicode.Scalar?]] = {
    var all: [String: [Unicode.Scalar?]] = [:]
    for encoding in Self.all where encoding.prior != nil && encoding.pairs == nil && encoding != .windows1252 {
      // A line each: a byte that means nothing is left out.
      let bytes: [UInt8] = (UInt8(0x80)...0xFF).flatMap { [$0, 0x0A] as [UInt8] }
      let run = try? Spawn.capture(
        encoding.words, environment: .adding(["LC_ALL": "C.UTF-8"]), input: .file(bytes), error: .null)
      let lines = (run?.output ?? []).split(separator: 0x0A, omittingEmptySubsequences: false)
      guard lines.count == 129 else { continue }
      all[encoding.id] = lines.dropLast().map { String(decoding: $0, as: UTF8.self).unicodeScalars.first }
    }
    return all
  }()

  /// The command that turns its input into UTF-8 and skips bytes that mean nothing.
  var words: [String] { ["iconv", "-c", "-f", id, "-t", "UTF-8"] }
}

extension TextEncoding {
  /// Pairs of bytes of which each is a character.
  enum Pairs: Hashable {
    case korean, simplified, traditional, shiftJIS, japanese

    /// The logarithm of the likelihood of a common character, and of any other of the first level.
    var likelihoods: (common: Double, other: Double) {
      switch self {
      case .korean: (-5.3, -7.6)
      case .simplified: (-6.4, -8.3)
      case .traditional: (-6.4, -8.6)
      case .shiftJIS, .japanese: (-6.4, -8)
      }
    }

    /// The logarithm of the likelihood of a pair, by its level; nil if it is none.
    func likelihood(of lead: UInt8, _ trail: UInt8) -> Double? {
      let first = likelihoods.other
      let (isUpper, second) = (trail >= 0xA1 && trail <= 0xFE, -11.5)
      switch self {
      case .korean:
        guard (0x81...0xFE).contains(lead), (0x41...0xFE).contains(trail), !(0x5B...0x60).contains(trail),
          !(0x7B...0x80).contains(trail)
        else { return nil }
        guard isUpper else { return -12 }
        return switch lead {
        case 0xB0...0xC8: first
        case 0xA1...0xA3: -8
        case 0xCA...: second
        default: -12
        }
      case .simplified:
        guard (0x81...0xFE).contains(lead), (0x40...0xFE).contains(trail), trail != 0x7F else { return nil }
        guard isUpper else { return -12.5 }
        return switch lead {
        case 0xB0...0xD7: first
        case 0xA1, 0xA3: -6.5
        case 0xD8...0xF7: second
        case 0xA4, 0xA5: -10
        default: -12.5
        }
      case .traditional:
        guard (0x81...0xFE).contains(lead), (0x40...0x7E).contains(trail) || isUpper else { return nil }
        return switch lead {
        case 0xA4...0xC6: first
        case 0xA1...0xA3: -7
        case 0xC9...0xF9: second
        default: -13
        }
      case .shiftJIS:
        guard (0x81...0x9F).contains(lead) || (0xE0...0xFC).contains(lead), (0x40...0xFC).contains(trail), trail != 0x7F
        else { return nil }
        return switch lead {
        case 0x81: -6
        case 0x82: trail >= 0x9F ? -5.2 : -7.5
        case 0x83: trail <= 0x96 ? -5.6 : -11
        case 0x88...0x97: first
        case 0x98...0x9F, 0xE0...0xEA: second
        default: -13
        }
      case .japanese:
        guard isUpper, lead == 0x8E || (0xA1...0xFE).contains(lead) else { return nil }
        return switch lead {
        case 0x8E: -9
        case 0xA1: -6
        case 0xA3: -7.5
        case 0xA4: -5.2
        case 0xA5: -5.6
        case 0xB0...0xCF: first
        case 0xD0...0xF4: second
        default: -13
        }
      }
    }

    /// Calls `body` with the likelihood of each character that is not ASCII, nil for a byte that is none, and its line.
    func forEach(in bytes: [UInt8], line: inout Int, _ body: (_ likelihood: Double?, _ line: Int) -> Void) {
      var (place, isBehindLetter) = (0, false)
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        if byte == 0x0A { line += 1 }
        if byte < 0x80 {
          isBehindLetter = (97...122).contains(byte | 0x20)
          continue
        }
        // Words of these scripts do not mix with ASCII.
        let mixed = isBehindLetter ? -3.5 : 0
        isBehindLetter = false
        // Katakana of half width.
        if self == .shiftJIS, (0xA1...0xDF).contains(byte) {
          body(-7 + mixed, line)
        } else if place < bytes.count, let likelihood = likelihood(of: byte, bytes[place]) {
          place += 1
          body(likelihood + mixed, line)
        } else {
          body(nil, line)
        }
      }
    }
  }
}

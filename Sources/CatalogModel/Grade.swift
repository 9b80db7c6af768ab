/// The condition of a record or its sleeve, in Goldmine's terms, as sellers and Discogs use them.
public enum Grade: String, CaseIterable, Sendable, Hashable {
  case mint = "M"
  case nearMint = "NM"
  case excellent = "EX"
  case veryGoodPlus = "VG+"
  case veryGood = "VG"
  case goodPlus = "G+"
  case good = "G"
  case fair = "F"
  case poor = "P"
  case generic = "Generic"
  /// An ungraded sleeve.
  case notGraded = "Not Graded"
  /// No sleeve at all.
  case noCover = "No Cover"

  /// The grades in order, the worst first. The values for sleeves alone are left out.
  public static let ordered: [Grade] = [
    .poor, .fair, .good, .goodPlus, .veryGood, .veryGoodPlus, .excellent, .nearMint, .mint,
  ]

  /// The index in ``ordered``; nil for values of sleeves alone.
  public var rank: Int? { Self.ordered.firstIndex(of: self) }

  /// Whether a record itself can be so.
  public var isOfMedia: Bool { rank != nil }

  /// Parses `VG+`, `vg plus`, `Very Good Plus`, `Very Good Plus (VG+)`, `NM or M-`, `near-mint`, in any case. Nil for
  /// anything else, also when the words and the text in brackets are different grades.
  public init?(typed text: some StringProtocol) {
    let parts = text.lowercased().split { "()".contains($0) }.map { Self.key($0) }.filter { !$0.isEmpty }
    let grades = parts.map { key in Self.allCases.first { $0.keys.contains(key) } }
    guard (1...2).contains(grades.count), let grade = grades[0], grades.allSatisfy({ $0 == grade }) else { return nil }
    self = grade
  }

  /// The text without variations of spelling: spaces, and hyphens between words.
  private static func key(_ text: Substring) -> String {
    let words = text.split { $0.isWhitespace || $0 == "." || $0 == "_" }
    let letters = words.joined().replacing("plus", with: "+").replacing("minus", with: "-")
    let isMinus = letters.hasSuffix("-")
    return letters.filter { $0 != "-" && $0 != "/" } + (isMinus ? "-" : "")
  }

  /// The accepted spellings, without spaces.
  private var keys: [String] {
    switch self {
    case .mint: ["m", "mint"]
    case .nearMint: ["nm", "nearmint", "m-", "mint-", "nmorm-", "nmm-"]
    case .excellent: ["ex", "e", "excellent"]
    case .veryGoodPlus: ["vg+", "verygood+"]
    case .veryGood: ["vg", "verygood"]
    case .goodPlus: ["g+", "good+"]
    case .good: ["g", "good"]
    case .fair: ["f", "fair"]
    case .poor: ["p", "poor"]
    case .generic: ["generic", "genericsleeve"]
    case .notGraded: ["notgraded", "ungraded"]
    case .noCover: ["nocover", "nosleeve"]
    }
  }
}

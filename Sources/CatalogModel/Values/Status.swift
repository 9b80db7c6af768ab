/// A status of reading, watching or listening, in the words of people and other programs.
public enum Status: String, CaseIterable, Sendable {
  case planned, ongoing, done, dropped
  /// Begun and paused.
  case paused
  /// Owned, whatever was done with it.
  case owned
  /// Not begun.
  case unread

  /// Nil for an unknown word.
  public init?(_ word: some StringProtocol) {
    guard let status = ValueWords.value(word, of: .status).flatMap(Self.init(rawValue:)) else { return nil }
    self = status
  }

  /// The one of the four that queries know and that an item of this status has; nil for none.
  public var kept: Status? {
    switch self {
    case .planned, .ongoing, .done, .dropped: self
    case .paused: .ongoing
    case .unread: .planned
    case .owned: nil
    }
  }
}

/// Yes and no, in any language.
public enum Flag {
  public static func read(_ word: some StringProtocol) -> Bool? {
    ValueWords.value(word, of: .flag).map { $0 == "yes" }
  }
}

/// Words about whether there is a value.
public enum Presence: String, Sendable {
  case any, none

  public init?(_ word: some StringProtocol) {
    guard let presence = ValueWords.value(word, of: .presence).flatMap(Self.init(rawValue:)) else { return nil }
    self = presence
  }

  /// Whether a file's cell stands for an unknown value: `n/a`, `없음`, `0`, `0000-00-00`.
  public static func isNothing(_ cell: String) -> Bool {
    cell.isEmpty || cell == "0" || cell == "0.0" || ValueWords.value(cell, of: .nothing) != nil
      || (cell.utf8.count >= 4 && cell.utf8.allSatisfy { "0/-.".utf8.contains($0) })
  }
}

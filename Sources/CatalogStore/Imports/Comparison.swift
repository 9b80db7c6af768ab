internal import CatalogModel

/// The result of comparing a row of a file with a row above, an item or an entry of the pack. ``verdict(of:)`` and
/// ``isCertain(_:)`` are the only rules that decide whether the two are the same.
public struct Comparison: Sendable, Hashable {
  /// The kind of id, ISBN or other code that the two share.
  public enum Code: Sendable, Hashable {
    case none
    /// A code of a work, which may have several editions.
    case work
    /// A code of one edition: an ISBN, a release, a film.
    case edition
  }
  public enum Title: Sendable, Hashable {
    case equal
    /// One title has a subtitle, or a part in brackets, that the other lacks.
    case within
    /// The titles differ in one or two letters.
    case near
    /// The titles plainly differ.
    case other
  }
  public enum Year: Sendable, Hashable {
    case equal
    /// The years are one apart, as for a festival and the cinemas.
    case near
    case other
    case unknown
  }
  public enum Makers: Sendable, Hashable {
    case some, none, unknown
    /// Only one of the names is in Latin letters.
    case unreadable
  }

  public var code = Code.none
  public var title: Title
  public var year: Year
  public var makers: Makers
  /// Whether they are different volumes with the same title.
  public var isOtherVolume = false
  /// Whether their codes of one type or their ids of one source differ.
  public var isToldApart = false

  /// The score, 0 … 100, which sorts candidate matches.
  public var score: Int {
    if code == .edition { return title == .other || isOtherVolume ? 60 : 100 }
    return points(of: title) + points(of: year) + points(of: makers)
  }

  private func points(of title: Title) -> Int {
    switch title {
    case .equal: 50
    case .within: 35
    case .near: 25
    case .other: 0
    }
  }

  private func points(of year: Year) -> Int {
    switch year {
    case .equal: 25
    case .near: 15
    case .unknown: 10
    case .other: 0
    }
  }

  private func points(of makers: Makers) -> Int {
    switch makers {
    case .some: 24
    case .unreadable: 12
    case .unknown: 10
    case .none: 0
    }
  }
}

extension Comparison {
  /// The relation of a row to a candidate match.
  enum Verdict: Hashable {
    case same
    /// Another edition, which is an item of its own.
    case edition
    /// Possibly the same: the user has to decide.
    case perhaps
    case other
  }

  /// The relation of a row to a candidate with which it shares a code.
  func verdict(of kind: Kind) -> Verdict {
    switch code {
    case .edition: isContradicted(kind) ? .perhaps : .same
    case .work where isOtherVolume: .other
    // Editions of one work, except films, differ by codes, year or language.
    case .work: isToldApart || title == .other || year == .other ? .edition : .same
    case .none: .other
    }
  }

  /// Whether the titles contradict a shared code. Publishers reuse ISBNs, and people mistype them. A film has other
  /// titles in other countries, so maker or year may confirm the code.
  private func isContradicted(_ kind: Kind) -> Bool {
    if isOtherVolume { return true }
    guard title == .other else { return false }
    let agrees = makers == .some || (year == .equal || year == .near) && makers != .none
    return kind != .movie || !agrees
  }

  /// Compares a row with a candidate.
  /// - Parameter title: the comparison of the titles.
  init(_ row: IdentityKeys, _ other: IdentityKeys, title: Title) {
    let year: Year =
      switch (row.year, other.year) {
      case (let one?, let two?): one == two ? .equal : abs(one - two) == 1 ? .near : .other
      default: .unknown
      }
    let makers: Makers =
      switch Name.agreement(row.makers, other.makers) {
      case .some: .some
      case .none: .none
      case .unknown: .unknown
      case .unreadable: .unreadable
      }
    self.init(title: title, year: year, makers: makers)
  }

  /// Whether the two can be the same at all. Many films share a title; books and records are reissued in any year.
  func isPossible(_ row: IdentityKeys) -> Bool {
    switch row.kind {
    case .movie: year != .other && !(makers == .none && (year != .equal || title != .equal))
    default: makers != .none
    }
  }

  /// Whether the match needs no confirmation, unless another candidate is as good.
  func isCertain(_ row: IdentityKeys) -> Bool {
    guard title == .equal else { return false }
    switch row.kind {
    case .movie:
      switch makers {
      case .some: return year != .other
      case .unknown, .unreadable: return year == .equal
      case .none: return false
      }
    case .vinyl:
      // Many bands have several self-titled albums.
      let isSelfTitled = row.makers.contains { row.titles.whole.contains($0.key) }
      return makers == .some && (!isSelfTitled || year == .equal) || makers == .unreadable && year == .equal
    default: return makers == .some || makers == .unreadable && year == .equal
    }
  }
}

internal import CatalogModel

/// How two things compare, of which one is told of by a row of a file. ``verdict(of:)`` and ``isCertain(_:)`` are the one rule by which
/// a row is a row above it, something on the shelf, or an entry of the pack.
public struct Comparison: Sendable, Hashable {
  /// What they share that sources, shops and publishers call them.
  public enum Code: Sendable, Hashable {
    case none
    /// It names a work, of which there may be several editions.
    case work
    /// It names one edition: an ISBN, a release, a film.
    case edition
  }
  public enum Title: Sendable, Hashable {
    case equal
    /// One has a subtitle, or something in brackets, that the other lacks.
    case within
    /// A letter or two are other ones.
    case near
    /// Plainly another.
    case other
  }
  public enum Year: Sendable, Hashable {
    case equal
    /// One apart, as at a festival and in the cinemas.
    case near
    case other
    case unknown
  }
  public enum Makers: Sendable, Hashable {
    case some, none, unknown
    /// One is written in Latin letters, the other is not.
    case unreadable
  }

  public var code = Code.none
  public var title: Title
  public var year: Year
  public var makers: Makers
  /// Whether they are two volumes of something whose title says no more.
  public var isOtherVolume = false
  /// Whether they have two codes of one sort, or one source has a name for each.
  public var isToldApart = false

  /// 0 … 100, to put those that come near in an order.
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
  /// What a row is to a thing.
  enum Verdict: Hashable {
    case same
    /// Another edition of it, and a thing of its own.
    case edition
    /// A person may say that it is the same.
    case perhaps
    case other
  }

  /// What a row is to a thing with which it shares a code.
  func verdict(of kind: Kind) -> Verdict {
    switch code {
    case .edition: isContradicted(kind) ? .perhaps : .same
    case .work where isOtherVolume: .other
    // What is of one work and no film is told apart by its codes, its year, or its language.
    case .work: isToldApart || title == .other || year == .other ? .edition : .same
    case .none: .other
    }
  }

  /// Whether a code alone says that the two are one. Publishers use an ISBN twice, and people type that of another book; of films, which
  /// are called otherwise in every country, nothing else may agree either.
  private func isContradicted(_ kind: Kind) -> Bool {
    if isOtherVolume { return true }
    guard title == .other else { return false }
    let agrees = makers == .some || (year == .equal || year == .near) && makers != .none
    return kind != .movie || !agrees
  }

  /// Compares a thing with what a row tells of.
  /// - Parameter title: how the titles compare.
  init(_ row: WorkSigns, _ other: WorkSigns, title: Title) {
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

  /// Whether it may be the same at all. Films of one title are many; a book and a record come out again in any year.
  func isPossible(_ row: WorkSigns) -> Bool {
    switch row.kind {
    case .movie: year != .other && !(makers == .none && (year != .equal || title != .equal))
    default: makers != .none
    }
  }

  /// Whether nobody need be asked, unless something else comes near.
  func isCertain(_ row: WorkSigns) -> Bool {
    guard title == .equal else { return false }
    switch row.kind {
    case .movie:
      switch makers {
      case .some: return year != .other
      case .unknown, .unreadable: return year == .equal
      case .none: return false
      }
    case .vinyl:
      // Bands call several of their albums like themselves.
      let isSelfTitled = row.makers.contains { row.titles.whole.contains($0.key) }
      return makers == .some && (!isSelfTitled || year == .equal) || makers == .unreadable && year == .equal
    default: return makers == .some || makers == .unreadable && year == .equal
    }
  }
}

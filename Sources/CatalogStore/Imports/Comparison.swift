internal import CatalogModel

/// How two things compare, of which one is told of by a row of a file.
public struct Comparison: Sendable, Hashable {
  public enum Title: Sendable, Hashable {
    case equal
    /// One has a subtitle, or something in brackets, that the other lacks.
    case within
    /// A letter or two are other ones.
    case near
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

  /// Whether an id of a source or an ISBN is the same, which leaves nothing to compare.
  public var isSameCode = false
  public var title: Title
  public var year: Year
  public var makers: Makers

  /// 0 … 100, to put those that come near in an order.
  public var score: Int {
    if isSameCode { return 100 }
    return points(of: title) + points(of: year) + points(of: makers)
  }

  private func points(of title: Title) -> Int {
    switch title {
    case .equal: 50
    case .within: 35
    case .near: 25
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

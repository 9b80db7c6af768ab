public import CatalogModel
public import Lookup
internal import Processes
internal import SQLite

/// The works of a copy that have something in common, the best known first.
public struct CopiedWorks: Sendable {
  public var candidates: [Candidate] = []
  /// Whether there may be more.
  public var hasMore = false

  public init() {}
}

extension SourceCopy {
  private static let patience = Duration.seconds(2)

  /// The works by a creator of exactly this name, but for case and accents.
  /// - Parameter most: the number after which no further one is looked for.
  public func works(by creator: String, as kind: Kind, most: Int) throws -> CopiedWorks {
    let key = Folding.nameKey(creator)
    var works = CopiedWorks()
    guard let wanted = CopiedKinds(kind),
      let words = SearchText.expression(for: SearchText.words(creator), begun: .none)
    else { return works }
    try gather(into: &works) { works in
      try forEachMatch(of: words, kind: kind, most: .max) { rank in
        guard let title = try title(rank), title.kinds.contains(wanted),
          title.creators.contains(where: { Folding.nameKey($0) == key })
        else { return true }
        return add(title, to: &works, as: kind, most: most)
      }
    }
    return works
  }

  /// The works that a label or publisher of this name published.
  public func works(ofLabel label: String, as kind: Kind, most: Int) throws -> CopiedWorks {
    var works = CopiedWorks()
    guard let wanted = CopiedKinds(kind) else { return works }
    try gather(into: &works) { works in
      // Names have no index: a copy is small for its titles. All are read once.
      let names = try db.values("SELECT id FROM name WHERE text = \(label) COLLATE NOCASE", as: Int64.self)
      guard !names.isEmpty else { return }
      try db.forEach("SELECT id FROM title WHERE label IN (\(list: names)) ORDER BY id") { row in
        guard let title = try title(Int(row.integer(0))), title.kinds.contains(wanted) else { return true }
        return add(title, to: &works, as: kind, most: most)
      }
    }
    return works
  }

  /// The best known titles, as long as `each` returns true.
  public func forEachBestKnown(as kind: Kind, _ each: (Candidate) throws -> Bool) throws {
    guard let wanted = CopiedKinds(kind) else { return }
    for rank in stride(from: 1, through: about.titles, by: 1) {
      guard let title = try title(rank), title.kinds.contains(wanted) else { continue }
      if try !each(candidate(of: title, as: kind)) { return }
    }
  }

  private func gather(into works: inout CopiedWorks, _ body: (inout CopiedWorks) throws -> Void) throws {
    do {
      try deadline.within(Self.patience) { try body(&works) }
    } catch let error as SQLiteError where error.isInterrupted {
      try Interrupt.check()
      works.hasMore = true
    }
  }

  private func add(_ title: CopiedTitle, to works: inout CopiedWorks, as kind: Kind, most: Int) -> Bool {
    guard works.candidates.count < most else {
      works.hasMore = true
      return false
    }
    works.candidates.append(candidate(of: title, as: kind))
    return true
  }
}

public import CatalogModel
public import Lookup
internal import Processes
internal import SQLite

/// A copy of a source on this computer, made from its published dump. It answers searches while a person types, codes
/// and ids without a network.
///
///     let copy = try SourceCopy(path: "imdb.db")
///     let page = try copy.suggest(Search(words: "godfat", kind: .movie))
///
/// One thread owns it. The file is never changed: a new build replaces it, and a process that has the old one open goes
/// on reading it.
public final class SourceCopy {
  public let dump: Dump
  public let about: About
  let db: Connection
  /// Whether any title has other titles, or several creators.
  let (hasOthers, hasMore): (Bool, Bool)
  /// Whether many titles are of a kind, by its bits, once that was asked.
  var frequentKinds: [Int: Bool] = [:]
  /// The number of tiers whose titles are well known.
  var wellKnown = CopySchema.wellKnown
  /// The moment after which a search returns what it has.
  let deadline = Deadline()

  /// The facts about a copy.
  public struct About: Hashable, Sendable {
    /// The date of the dump, `2026-10-01`; nil when neither its files nor their names say it.
    public var date: PartialDate?
    public var titles: Int
    public var editions: Int
    /// The size of the copy in bytes.
    public var bytes: Int
    /// The names of the files that it was made of.
    public var files: [String]
    /// The absolute paths of the folders that they lay in.
    public var folders: [String]
    /// Their names, sizes and times.
    var builtOf: [String]
    /// The options of the build, in words.
    public var options: String
    public var attribution: String
    /// The numbers of records that were left out, by reason.
    public var leftOut: [LeftOut: Int]
  }

  /// Opens a copy.
  /// - Throws: ``DumpProblem`` when the file is none, or one of a newer version of the program.
  public init(path: String) throws {
    do {
      let deadline = deadline
      db = try Connection.ofOthers(path, mode: .immutable) { Interrupt.isRequested || deadline.isOver }
      let id = try db.value("PRAGMA application_id", as: Int.self)
      guard id == CopySchema.applicationID else {
        throw DumpProblem(.version, "'\(path)' is not a copy of a source")
      }
      var facts: [String: String] = [:]
      // More than a copy has of them.
      try db.forEach("SELECT name, value FROM about LIMIT 100") { row in
        facts[row.text(0)] = row.text(1)
        return true
      }
      guard let dump = facts["source"].flatMap(Dump.named) else {
        throw DumpProblem(.version, "'\(path)' is a copy of an unknown source")
      }
      guard try db.value("PRAGMA user_version", as: Int.self) == CopySchema.version else {
        throw DumpProblem(
          .version,
          "'\(path)' was built by another version of catalog; build it again: catalog source build \(dump.id) FOLDER")
      }
      self.dump = dump
      about = About(
        date: facts["date"].flatMap { PartialDate($0) }, titles: facts["titles"].flatMap { Int($0) } ?? 0,
        editions: facts["editions"].flatMap { Int($0) } ?? 0,
        bytes: try db.value("SELECT page_count * page_size FROM pragma_page_count, pragma_page_size", as: Int.self)
          ?? 0,
        files: facts["files"]?.split(separator: "; ").map(String.init) ?? [],
        folders: facts["folders"]?.split(separator: "\n").map(String.init) ?? [],
        builtOf: facts["built of"]?.split(separator: "\n").map(String.init) ?? [],
        options: facts["options"] ?? "", attribution: facts["attribution"] ?? "",
        leftOut: LeftOut.counts(facts["left out"] ?? ""))
      hasOthers = try db.value("SELECT EXISTS (SELECT 1 FROM other_title)", as: Bool.self) ?? false
      hasMore = try db.value("SELECT EXISTS (SELECT 1 FROM more_by)", as: Bool.self) ?? false
    } catch let error as SQLiteError {
      switch true {
      case error.isInterrupted: throw error
      case error.obstacle != nil: throw DumpProblem(.missing, "'\(path)' is not a regular file")
      case error.cannotOpen, error.isOfDisk: throw DumpProblem(.missing, "'\(path)' cannot be opened")
      default: throw DumpProblem(.version, "'\(path)' is not a copy of a source")
      }
    }
  }

  // MARK: Exact look-ups

  /// Returns the titles and editions under a key, the best known first.
  func targets(_ space: KeySpace, _ key: UInt64) throws -> [KeyTarget] {
    var targets: [KeyTarget] = []
    try db.forEach(
      "SELECT title, edition FROM key WHERE key = \(space.key(key)) LIMIT \(KeySpace.mostOfOneKey)"
    ) { row in
      targets.append(KeyTarget(rank: Int(row.integer(0)), edition: Int(row.integer(1))))
      return true
    }
    return targets
  }

  /// Returns the result with an id of the source; nil when the copy does not have it.
  public func candidate(_ id: ExternalID, as kind: Kind? = nil) throws -> Candidate? {
    guard id.source == dump.id, let key = dump.ids.key(id) else { return nil }
    return try targets(.id, key).lazy.compactMap { try self.candidate($0, as: kind) }.first { $0.id == id }
  }

  /// Returns the record with an id of the source; nil when the copy does not have it.
  public func record(_ id: ExternalID, as kind: Kind? = nil) throws -> Record? { try candidate(id, as: kind)?.record }

  /// Returns the record with a rank, from 1, the best known.
  public func record(at rank: Int, as kind: Kind? = nil) throws -> Record? {
    try candidate(KeyTarget(rank: rank), as: kind)?.record
  }

  /// Returns the works with an ISBN or a barcode, the best known first.
  public func lookUp(_ code: Code, as kind: Kind? = nil) throws -> [Candidate] {
    let key =
      switch code {
      case .isbn(let isbn): CodeKey.of(isbn)
      case .barcode(let barcode): CodeKey.of(barcode)
      }
    return try targets(.code, key).prefix(25).compactMap { target in
      guard var found = try candidate(target, as: kind) else { return nil }
      switch (code, found.record.kind) {
      case (.isbn(let isbn), .book): found.record.book.isbn = isbn
      case (.barcode(let barcode), .vinyl): found.record.vinyl.barcode = barcode.digits
      default: break
      }
      return found
    }
  }

  /// The record of a row, as the wanted kind or the first kind that it is of. Nil where it is of another kind.
  func candidate(_ target: KeyTarget, as kind: Kind?) throws -> Candidate? {
    guard let title = try title(target.rank, edition: target.edition), let kind = kind ?? firstKind(of: title) else {
      return nil
    }
    guard let wanted = CopiedKinds(kind), title.kinds.contains(wanted) else { return nil }
    return candidate(of: title, as: kind)
  }

  private func firstKind(of title: CopiedTitle) -> Kind? {
    dump.kinds.first { kind in CopiedKinds(kind).map(title.kinds.contains) ?? false }
  }

  /// Returns the records that may be the same work as another program's, by code or title and creator, the most likely
  /// first.
  public func like(_ record: Record, most: Int = 5) throws -> [Record] {
    var found: [KeyTarget] = []
    func add(_ targets: [KeyTarget]) { for target in targets where !found.contains(target) { found.append(target) } }
    if let isbn = record.book.isbn { add(try targets(.code, CodeKey.of(isbn))) }
    if let barcode = record.vinyl.barcode.flatMap({ try? Barcode($0) }) {
      add(try targets(.code, CodeKey.of(barcode)))
    }
    if !found.isEmpty {
      return try found.prefix(most).compactMap { try candidate($0, as: record.kind)?.record }
    }
    let makers = Set(record.creators.map(Folding.nameKey))
    let titles = [record.title] + [record.originalTitle].compactMap(\.self) + record.otherTitles
    for title in titles { add(try targets(.title, TitleKey.of(title))) }
    var near = try self.near(found.map(\.rank), titles: titles, makers: makers, kind: record.kind)
    if near.isEmpty {
      // The two longest words, with the longest of the creator's, find a title with a slip in another word.
      let words = SearchText.words(record.title).sorted { $0.utf8.count > $1.utf8.count }.prefix(2)
      let maker = SearchText.words(record.creators.first ?? "").max { $0.utf8.count < $1.utf8.count }
      if let expression = SearchText.expression(for: words + [maker].compactMap(\.self), begun: .none) {
        var ranks: [Int] = []
        try forEachMatch(of: expression, kind: record.kind, most: 50) { rank in
          ranks.append(rank)
          return true
        }
        near = try self.near(ranks, titles: [], makers: makers, kind: record.kind)
      }
    }
    return Array(near.prefix(most))
  }

  /// The records of ranks that share a creator, where any is known, and have one of the titles, where any is given.
  private func near(_ ranks: [Int], titles: [String], makers: Set<String>, kind: Kind) throws -> [Record] {
    let keys = Set(titles.map { TitleKey.of($0) })
    var records: [Record] = []
    for rank in ranks where records.count < Self.mostNear {
      guard let title = try title(rank), let wanted = CopiedKinds(kind), title.kinds.contains(wanted) else { continue }
      let names = title.creators
      guard makers.isEmpty || names.isEmpty || names.contains(where: { makers.contains(Folding.nameKey($0)) }),
        keys.isEmpty || ([title.title] + title.others.map(\.text)).contains(where: { keys.contains(TitleKey.of($0)) })
      else { continue }
      records.append(candidate(of: title, as: kind).record)
    }
    return records
  }

  /// The most records that are compared with another program's.
  private static let mostNear = 20
}

@available(*, unavailable) extension SourceCopy: Sendable {}

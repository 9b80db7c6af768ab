public import CatalogModel
internal import SQLite

/// What came from another device: so much that it is read in parts, and never held as a whole.
public struct Arrival {
  /// The files that are otherwise than here.
  public var paths: [TreePath] = []
  /// Reads what some of these files say now, in the order of the paths; nil for one that is not there. Where there are many, a file is asked
  /// for more than once.
  public var joined: (_ paths: [TreePath]) throws -> [Result<Document, DocumentProblem>?] = { $0.map { _ in nil } }
  /// Reads what was said here in a file when it left; nil when nothing was, or when nobody can read it.
  public var ours: (TreePath) throws -> Document? = { _ in nil }
  /// Reads what the two versions come from that were joined said in a file; nil when none were, or when there was no such file.
  public var base: (TreePath) throws -> Document? = { _ in nil }
  /// Reads what each of these versions said in a file, in their order; nil for one in which there is no such file.
  public var versions: (TreePath) throws -> [Document?] = { _ in [] }
  /// What this catalog said when it left.
  public var left: Fingerprints = [:]
  /// The commit that all of it is of.
  public var commit: String
  /// What was said differently, with the file it is about.
  public var remarks: [(path: TreePath, remark: JoinRemark)] = []
  /// Who the others are, for ``remarks``.
  public var device: String?
  /// Writes a document as JSON, in a line.
  public var json: (Document) -> [UInt8]
  /// The bytes of the cover that goes by a digest, with the ending that its type has; nil when nobody has them, which removes no cover.
  public var cover: (_ digest: String, _ ending: String) throws -> [UInt8]? = { _, _ in nil }
  /// Called with how many of all items were taken; returning false ends it, and nothing was taken.
  public var progress: (_ done: Int, _ of: Int) -> Bool = { _, _ in true }

  public init(commit: String, json: @escaping (Document) -> [UInt8]) { (self.commit, self.json) = (commit, json) }
}

/// What became of it.
public struct Arrived: Sendable {
  public var added = 0
  public var changed = 0
  public var removed = 0
  /// What was said differently; also what was changed here while the others were asked.
  public var remarks: [(path: TreePath, remark: JoinRemark)] = []
  /// What the catalog cannot hold, in words; it stays in the tree as it is, and here as it was.
  public var refused: [(path: TreePath, reason: Wording)] = []
  /// What cannot be read.
  public var unreadable: [(path: TreePath, problem: DocumentProblem)] = []

  public init() {}
}

extension Store {
  /// Takes what came from other devices, in one transaction, as one step.
  ///
  /// What was changed here since it left is joined once more, inside the write.
  /// - Throws: ``Stopped``, ``DocumentProblem`` when it does not hold together, and what the arrival's readers throw.
  public func arrive(_ arrival: Arrival, now: Timestamp) throws -> Arrived {
    try write {
      try db.run("PRAGMA defer_foreign_keys = ON")
      var arriving = try Arriving(self, now: now, cover: arrival.cover)
      try arriving.take(arrival)
      if db.hasLooseEnds {
        let names = try db.values("SELECT \"table\" || ' of ' || parent FROM pragma_foreign_key_check", as: String.self)
        throw DocumentProblem("something in it belongs to what is not in it: \(names.first ?? "")")
      }
      return arriving.arrived
    }
  }
}

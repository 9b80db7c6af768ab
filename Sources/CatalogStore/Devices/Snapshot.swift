/// The documents of the tree at one commit. They are read on demand; the last ones are kept, so that few are parsed
/// twice.
public final class Snapshot {
  private let read: ([TreePath]) throws -> [Result<Document, DocumentProblem>?]
  private var kept: [TreePath: Result<Document, DocumentProblem>?] = [:]

  /// The maximum number of documents that are kept.
  static let mostKept = 200

  /// - Parameter read: reads some files, in the order of the paths; nil for a file that does not exist.
  public init(_ read: @escaping ([TreePath]) throws -> [Result<Document, DocumentProblem>?]) { self.read = read }

  /// A tree without files.
  public convenience init() { self.init { $0.map { _ in nil } } }

  /// The documents of some files, in the order of the paths; nil for a file that does not exist.
  public func documents(_ paths: [TreePath]) throws -> [Result<Document, DocumentProblem>?] {
    var missing = paths.filter { kept[$0] == nil }
    if !missing.isEmpty {
      if kept.count + missing.count > Self.mostKept {
        kept.removeAll(keepingCapacity: true)
        missing = paths
      }
      let found = try read(missing)
      // More than can be kept.
      if missing.count > Self.mostKept { return found }
      for (path, document) in zip(missing, found) { kept[path] = .some(document) }
    }
    return paths.map { kept[$0] ?? nil }
  }

  /// The document of a file; nil if there is none or it is unreadable.
  public func document(_ path: TreePath) throws -> Document? {
    try documents([path]).first.flatMap { try? $0?.get() }
  }
}

internal import CatalogModel
internal import Glibc
internal import Lookup
internal import SourceCopies

// Copies of sources on this computer (docs/source-copies.md).
extension Context {
  /// The path of the copy of a source; nil when there is none.
  func copyPath(of source: String) -> String? {
    guard let path = places.copies.map({ "\($0)/\(source).db" }), access(path, R_OK) == 0 else { return nil }
    return path
  }

  /// The source as it is asked: by its copy where it has one that is asked first, or where it has nothing else.
  func asked(_ source: Source) throws -> Source {
    guard Dump.named(source.id) != nil, let path = copyPath(of: source.id),
      try source.isCopied || asksCopyFirst(of: source.id)
    else { return source }
    return source.answered(by: .copy(at: path))
  }

  /// The sources of a chain as they are asked. A source that has only a copy comes first when that is asked first.
  func asked(_ chain: [Source], for kind: Kind) throws -> [Source] {
    let first = try Source.copied.filter { source in
      try source.kinds.contains(kind) && copyPath(of: source.id) != nil && asksCopyFirst(of: source.id)
    }
    return try (first + chain).map(asked)
  }

  /// Whether the copy of a source is asked before the network.
  func asksCopyFirst(of source: String) throws -> Bool {
    try configuration()["sources.\(source).copy"] == "first"
  }

  /// The copies that know a kind, those of the given sources first.
  func copies(for kind: Kind, first sources: [Source] = []) -> [(source: Source, path: String)] {
    let dumps = Dump.all.filter { $0.kinds.contains(kind) }.map(\.id)
    let ids = (sources.map(\.id).filter(dumps.contains) + dumps).withoutRepeats(by: \.self)
    return ids.compactMap { id in
      guard let source = Source.offered.first(where: { $0.id == id }), let path = copyPath(of: id) else { return nil }
      return (source.answered(by: .copy(at: path)), path)
    }
  }

  /// The result with an id in the copy of its source, for which nothing is to be fetched; nil when there is none.
  func copiedCandidate(of id: ExternalID) -> Candidate? {
    copyPath(of: id.source).flatMap { BuiltIn.copy(at: $0).record(id) }
      .map { Candidate(id: id, record: $0, partialFailures: []) }
  }

  /// The results for a code in the copies, from the first that knows it. A copy that cannot be read is warned of.
  /// - Parameter areFirst: whether only those are asked that come before the network.
  func copiedCandidates(
    of code: Code, first sources: [Source], areFirst: Bool
  ) throws -> (source: Source, found: [Candidate])? {
    let kind: Kind = code.isISBN ? .book : .vinyl
    for (source, path) in copies(for: kind, first: sources) where try !areFirst || asksCopyFirst(of: source.id) {
      do {
        var found = try SourceCopy(path: path).lookUp(code, as: kind)
        for place in found.indices { found[place].partialFailures = [] }
        if !found.isEmpty { return (source, found) }
      } catch let problem as DumpProblem {
        note(Failure(.badCopy(problem.message), named: source.name))
      }
    }
    return nil
  }
}

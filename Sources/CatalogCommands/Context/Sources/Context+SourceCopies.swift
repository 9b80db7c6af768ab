internal import CatalogModel
internal import CatalogStore
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
      guard let source = Source.offered(id), let path = copyPath(of: id) else { return nil }
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

  /// The results for a typed ISBN, barcode or catalog number in the copies: a code may lack a digit at either end. Empty
  /// for other words.
  func copiedCandidates(ofTypedCode typed: String) throws -> [Candidate] {
    let known = [(try? ISBN(typed)).map(Code.isbn), (try? Barcode(typed)).map(Code.barcode)].compactMap(\.self)
    for code in known {
      if let found = try copiedCandidates(of: code, first: [], areFirst: false)?.found { return Array(found.prefix(3)) }
    }
    guard known.isEmpty else { return [] }
    // One digit was not readable: those codes that have the right check digit.
    let near = Store.codes(near: typed).compactMap { digits -> Code? in
      (try? ISBN(digits)).map(Code.isbn) ?? (try? Barcode(digits)).map(Code.barcode)
    }
    let copies = CopiesAtHand(in: self)
    var found: [Candidate] = []
    for (_, copy) in try copies.copies(for: .book) + copies.copies(for: .vinyl) {
      for code in near where found.count < 3 { found += try copy.lookUp(code, as: code.isISBN ? .book : .vinyl) }
    }
    if found.isEmpty, typed.contains(where: \.isNumber) {
      for (_, copy) in try copies.copies(for: .vinyl) {
        let search = Search(words: typed, kind: .vinyl, pageSize: 3, scope: .field(.catalogNumber))
        found += try copy.search(search).candidates
      }
    }
    return found.withoutRepeats(by: \.id).prefix(3).map { Candidate(id: $0.id, record: $0.record, partialFailures: []) }
  }
}

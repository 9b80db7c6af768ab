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

  /// The sources of a chain, with the copies in their places.
  func order(_ chain: [Source] = [], for kind: Kind) throws -> [Source] {
    let copies = copiedSources(for: kind)
    return chain.order(with: copies, first: Set(try copies.map(\.id).filter(asksCopyFirst)))
  }

  /// The same for a search. A source that was named is alone, by its copy where that comes first or is all it has.
  func order(at only: Source?, for kind: Kind, words: String, country: String? = nil) throws -> [Source] {
    guard let only else { return try order(chain(for: kind, words: words, country: country), for: kind) }
    let isByCopy = try only.isCopied || asksCopyFirst(of: only.id)
    return [copiedSources(for: kind).first { isByCopy && $0.id == only.id } ?? only]
  }

  /// Whether the copy of a source is asked before the network.
  func asksCopyFirst(of source: String) throws -> Bool {
    try configuration()["sources.\(source).copy"] == "first"
  }

  /// The sources with a copy that know a kind, answered by it.
  func copiedSources(for kind: Kind) -> [Source] {
    Dump.all.filter { $0.kinds.contains(kind) }.compactMap { dump in
      copyPath(of: dump.id).flatMap { Source.offered(dump.id)?.answered(by: .copy(at: $0)) }
    }
  }

  /// The result with an id in the copy of its source, for which nothing is to be fetched; nil when there is none.
  func copiedCandidate(of id: ExternalID) throws -> Candidate? {
    try source(of: id).flatMap { try CopiesAtHand(in: self).ask($0) { try $0.candidate(id) } }
  }

  /// The results for a typed ISBN, barcode or catalog number in the copies, at most three: a code may lack a digit at
  /// either end. Empty for other words.
  func copiedCandidates(ofTypedCode typed: String) throws -> [Candidate] {
    // If one digit was not readable, the codes with a right check digit.
    let codes = Store.codes(near: typed).compactMap { digits -> Code? in
      (try? ISBN(digits)).map(Code.isbn) ?? (try? Barcode(digits)).map(Code.barcode)
    }
    let copies = CopiesAtHand(in: self)
    var found = try [Kind.book, .vinyl].flatMap { kind in
      try copies.ask(for: kind) { _, copy in
        try codes.filter { $0.isISBN == (kind == .book) }.flatMap { try copy.lookUp($0, as: kind) }
      }.flatMap(\.self)
    }
    if found.isEmpty, typed.contains(where: \.isNumber) {
      let search = Search(words: typed, kind: .vinyl, pageSize: 3, scope: .field(.catalogNumber))
      found = try copies.ask(for: .vinyl) { _, copy in try copy.search(search).candidates }.flatMap(\.self)
    }
    return Array(found.withoutRepeats(by: \.id).prefix(3))
  }
}

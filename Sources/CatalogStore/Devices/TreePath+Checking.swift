public import CatalogModel

extension Document {
  /// Whether a newer version of the program wrote it: the head of an export, or `catalog.json` of a tree.
  public var isOfNewerFormat: Bool {
    switch self["catalog"] {
    case .integer(let version)?: version > Store.documentVersion
    case .real(let version)?: version > Double(Store.documentVersion)
    default: false
    }
  }

  /// Checks that it is the head of an export that this version knows.
  /// - Throws: ``DocumentProblem`` for any other document, and for an export of a newer version.
  public func checkHead(line: Int) throws(DocumentProblem) {
    if isOfNewerFormat { throw DocumentProblem("it was written by a newer version of catalog", line: line) }
    guard self["catalog"]?.integer != nil else { throw .noHead }
  }

  /// The same for bytes, even of a file that is cut short or half-merged.
  public static func isOfNewerFormat(_ bytes: [UInt8]) -> Bool {
    if let document = try? Document(parsing: bytes) { return document.isOfNewerFormat }
    var rest = bytes[...]
    while let key = rest.firstRange(of: #""catalog""#.utf8) {
      rest = rest[key.upperBound...]
      let digits = rest.drop { [UInt8(ascii: ":"), 0x09, 0x0A, 0x0D, 0x20].contains($0) }
        .prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard !digits.isEmpty else { continue }
      if Int64(String(decoding: digits, as: UTF8.self)).map({ $0 > Store.documentVersion }) ?? true { return true }
    }
    return false
  }
}

extension DocumentProblem {
  static let noHead = DocumentProblem("it does not begin like an export of a catalog", line: 1)
}

// Every reader of tree files uses these checks: sync, clone, restore, merge and edits by hand.
extension TreePath {
  /// Parses the document of the file.
  /// - Throws: ``DocumentProblem`` if it is damaged, half-merged or of another file.
  public func document(_ bytes: [UInt8]) throws(DocumentProblem) -> Document {
    let document = try Document(parsing: bytes)
    try check(document)
    return document
  }

  /// Checks the bytes of a file, also of a cover.
  /// - Throws: ``DocumentProblem`` if they cannot be this file.
  public func check(_ bytes: [UInt8]) throws(DocumentProblem) {
    guard case .cover(let digest, _) = self else {
      _ = try document(bytes)
      return
    }
    guard SHA256.hexadecimal(of: bytes) == digest else { throw Self.isAnotherPicture }
  }

  public static let isAnotherPicture = DocumentProblem("its name and its content are of different pictures")

  /// Checks that a document has the form of this file.
  func check(_ document: Document) throws(DocumentProblem) {
    for member in document.members where !member.hasItsForm {
      throw DocumentProblem("'\(member.key)' has an invalid value")
    }
    for table in TableSchema.identified where table.isOwnable {
      for row in document.rows(of: table.name) where row[TableSchema.uid]?.text.map(UUIDv7.isOne) != true {
        throw DocumentProblem("a '\(table.name)' has no uid")
      }
    }
    switch self {
    case .item(let uid):
      if document.isGone { return }
      guard document.uid == uid else { throw DocumentProblem("its name and its content are of different items") }
      guard let kind = document.kind, Kind.shelved.map(\.rawValue).contains(kind),
        document.rows(of: kind).count == 1
      else { throw DocumentProblem("it does not name its kind") }
    case .pile:
      if document.isGone { return }
      guard let name = document.rows(of: "pile").first?["name"]?.text, !name.trimmingBlanks.isEmpty else {
        throw DocumentProblem("the pile has no name")
      }
      guard Self.pile(key: Folding.nameKey(name)) == self else { throw Self.isOfAnotherFile }
    case .catalog:
      guard document["catalog"]?.integer != nil else { throw DocumentProblem("it does not name its format") }
    case .genres: try check(document, has: "genre", and: ["genre_label"])
    case .tags: try check(document, has: "tag")
    case .queries: try check(document, has: "saved_query")
    case .wishes: try check(document, has: "wish")
    case .cover: throw Self.isOfAnotherFile
    }
  }

  private static let isOfAnotherFile = DocumentProblem("its name and its content are of different files")

  private func check(
    _ document: Document, has table: String, and others: Set<String> = []
  ) throws(DocumentProblem) {
    let foreign = document.members.map(\.key).filter { $0 != table && !others.contains($0) }
    guard document[table] != nil, !foreign.contains(where: { $0 == "catalog" || TableSchema.named($0) != nil }) else {
      throw Self.isOfAnotherFile
    }
    for row in document.rows(of: table) where table != "wish" && row["name"]?.text?.trimmingBlanks.isEmpty ?? true {
      throw DocumentProblem("a '\(table)' has no name")
    }
  }
}

extension JSON.Member {
  /// Whether rows are rows and names are names. Members of newer versions may have any form.
  fileprivate var hasItsForm: Bool {
    switch key {
    case PortableDocuments.aliases, "items": value.list?.allSatisfy { $0.text != nil } ?? false
    case PortableDocuments.removed, PortableDocuments.same, "representative": value.text != nil
    default:
      switch value {
      case .object: true
      case .list(let rows): rows.allSatisfy { $0.object != nil } || TableSchema.named(key) == nil
      default: TableSchema.named(key) == nil
      }
    }
  }
}

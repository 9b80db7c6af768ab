internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Git

extension SyncTree {
  /// Fails where a newer version of the program wrote a commit of the tree. Nothing of it is taken or written
  /// over.
  /// - Parameter commit: a commit, or a reference, which need not exist.
  /// - Throws: ``Failure`` whose cause is ``NewerFormat``.
  func requireKnownFormat(of commit: String, by reader: ObjectReader? = nil) throws {
    let reader = reader ?? ObjectReader(repository)
    guard case .bytes(let bytes) = try reader.object("\(commit):\(TreePath.catalog.text)"),
      Document.isOfNewerFormat(bytes)
    else { return }
    throw NewerFormat.failure(path)
  }
}

/// The cause of a refusal: a tree of a newer version of the program.
struct NewerFormat: Error {
  static func failure(_ path: String) -> Failure {
    var failure = Failure(
      "\(path.quoted) was written by a newer version of catalog, and is left unchanged",
      hint: "install that version on this device: catalog --version shows this one")
    failure.cause = NewerFormat()
    return failure
  }
}

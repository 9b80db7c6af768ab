internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Processes
internal import SQLite

extension Context {
  /// Calls `body` with the catalog of someone else: a copy of a database, or what they exported, read into memory.
  /// - Throws: ``Failure`` with the name of the file.
  func withOtherCatalog<Result>(_ path: String, _ body: (Store) throws -> Result) throws -> Result {
    guard path != "-" else {
      throw UsageError("a catalog to compare with is no stream", hint: "write it into a file first, and name that")
    }
    let hint: Message = "what someone exported: catalog export jsonl > friend.jsonl"
    guard !Self.isMissing(path) else { throw Failure("there is no file \(path.quoted)", hint: hint) }
    do {
      let store: Store
      if Connection.isDatabase(path) {
        store = try Store.ofOthers(at: path, called: path) { Interrupt.isRequested }
      } else if let export = try CatalogExport(path: path) {
        store = try Store.inMemory()
        var documents = try export.documents()
        let restored = try store.restore(progress: { _ in !Interrupt.isRequested }, { try documents.next() })
        for name in restored.unknown { warn("\(name.quoted) is unknown here, and was left out") }
      } else {
        throw Failure("\(path.quoted) is no catalog", hint: hint)
      }
      store.localTime = localTime
      return try body(store)
    } catch let problem as ImportProblem {
      throw Failure(problem)
    } catch let problem as DocumentProblem {
      throw Failure("'\(path)' cannot be read: \(Failure(problem).message)", hint: hint)
    } catch let error where !(error is Interrupted || error is Store.Stopped) {
      throw Failure(error, catalog: path)
    }
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Processes
internal import SQLite

extension Context {
  /// Opens the catalog of someone else: a database, or a file that they exported, which is read into memory.
  func otherCatalog(_ path: String) throws -> Store {
    guard path != "-" else {
      throw UsageError("a catalog to compare with is no stream", hint: "write it into a file first, and name that")
    }
    guard !Self.isMissing(path) else {
      throw Failure(
        "there is no file \(path.quoted)", hint: "what someone exported: catalog export jsonl > friend.jsonl")
    }
    let isCatalog = Store.isCatalog(at: path)
    let store = try isCatalog ? Store.open(at: path, for: .reading) : Store.inMemory()
    store.localTime = localTime
    if isCatalog {
      store.db.interrupt { Interrupt.isRequested }
      return store
    }
    var inner = self
    inner.openStore = { _ in store }
    inner.hasCatalog = { true }
    (inner.output, inner.errors) = (.memory(), .memory())
    (inner.listener, inner.changes, inner.recording, inner.heldNotes) = (nil, nil, nil, HeldNotes())
    inner.globals.saysYes = true
    inner.globals.isOffline = true
    inner.globals.isDryRun = false
    var command = ImportCommand()
    command.files = [path]
    command.looksNothingUp = true
    do { try command.run(in: inner) } catch let failure as Failure where failure.status == .rowsLeft {
      // The readable part of it is compared.
      warn(failure.message)
    }
    return store
  }
}

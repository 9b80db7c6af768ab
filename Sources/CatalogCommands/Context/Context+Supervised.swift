internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Processes
internal import SQLite

extension Context {
  /// The same context for a command that runs: the catalog tells of every commit, a question to it that lasts ends at
  /// Ctrl-C, and a catalog that was named and is not there is no empty one.
  /// - Parameter mayBegin: whether the command may be the first to write to a catalog.
  func supervised(mayBegin: Bool) -> Context {
    var context = self
    let named = globals.database
    context.openStore = { [openStore, commits] purpose in
      let missing = named.flatMap { Self.isMissing($0) ? $0 : nil }
      if let missing, !mayBegin {
        throw Failure(
          "there is no catalog \(missing.quoted)",
          hint: "check the name; 'catalog --db \(missing.shellWord) add …' makes a new one")
      }
      let store = try openStore(purpose)
      if let missing, purpose == .writing {
        warn("\(missing.quoted) is a new catalog")
      }
      // That something was viewed is no change.
      if purpose == .writing { store.db.commits = commits }
      store.db.interrupt { Interrupt.isRequested }
      return store
    }
    return context
  }

  /// Whether nothing is at a path. What cannot be told is for whoever opens it.
  private static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && errno == ENOENT
  }
}

internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Processes
internal import SQLite

extension Context {
  /// The context of a command that runs. Its catalog logs every commit, and a long query ends at Ctrl-C. A named
  /// catalog or profile that does not exist is an error, not an empty catalog.
  /// - Parameter mayBegin: whether the command may create a catalog.
  func supervised(mayBegin: Bool) -> Context {
    var context = self
    let named = globals.database
    context.openStore = { [openStore, commits, places] purpose in
      if let problem = places.problem, places.catalog == nil { throw problem }
      // A mistyped name creates no profile, whatever the command.
      if let profile = places.profile, profile != .first, let path = places.catalog, Self.isMissing(path) {
        throw Failure(unknown: profile, in: places)
      }
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
      // The record of a view is not a change.
      if purpose == .writing { store.db.commits = commits }
      store.db.interrupt { Interrupt.isRequested }
      return store
    }
    return context
  }

  /// Whether nothing exists at a path. Any other error is left to the code that opens it.
  static func isMissing(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) != 0 && errno == ENOENT
  }
}

extension Failure {
  /// The error for an unknown profile.
  init(unknown profile: Profile, in places: Places) {
    let guess = Suggestion.phrase(for: profile.name, among: ((try? places.profiles()) ?? []).map(\.name))
    self.init(
      "there is no profile \(profile.name.quoted)\(guess)",
      hint: "see them all: catalog profile list; a new one: catalog profile use --new \(profile.name.shellWord)")
  }
}

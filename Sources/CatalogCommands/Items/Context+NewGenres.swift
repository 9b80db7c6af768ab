internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Context {
  /// Tells which genres other words are taken for, and asks about each unknown genre before it is created at the root
  /// of the tree. `--yes` answers.
  /// - Throws: ``Failure`` without a terminal, ``SilentFailure`` when the answer is no.
  func agree(toNewGenres names: [String], in store: Store) throws {
    var unknown: [String] = []
    for name in names.withoutRepeats(by: { Folding.nameKey($0) }) {
      let meant = try store.genres(named: name)
      if meant.isEmpty {
        unknown.append(name)
      } else if !(meant + meant.map(genreName)).map(Folding.nameKey).contains(Folding.nameKey(name)) {
        note("\(name.quoted) taken for \(meant.map(genreName).joined(separator: ", "))")
      }
    }
    guard !globals.saysYes, !globals.isDryRun, !unknown.isEmpty else { return }
    let known = try store.genreNames()
    let words = known + known.map { Store.genreName($0, in: "ko") }
    for name in unknown {
      let near = Suggestion.phrase(for: name, among: words)
      guard terminal.isInputTerminal else {
        var failure = Failure(
          "there is no genre \(name.quoted)\(near)",
          hint: "--yes creates it; see the existing genres: catalog genre list --all")
        failure.cause = NeedsAnswer(option: "--yes", question: "There is no genre \(name.quoted)\(near). Create it?")
        throw failure
      }
      note("There is no genre \(name.quoted)\(near)")
      guard try confirm("Create it?") else {
        warn("nothing was changed")
        throw SilentFailure(status: .failed)
      }
    }
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension Context {
  /// Asks about each unknown genre before it is created at the root of the tree. `--yes` answers.
  /// - Throws: ``Failure`` without a terminal, ``SilentFailure`` when the answer is no.
  func agree(toNewGenres names: [String], in store: Store) throws {
    guard !globals.saysYes, !globals.isDryRun, !names.isEmpty else { return }
    let unknown = try names.filter { try store.genres(named: $0).isEmpty }
    guard !unknown.isEmpty else { return }
    let known = try store.genreNames()
    let words = known + known.map { Store.genreName($0, in: "ko") }
    for name in unknown.withoutRepeats(by: { Folding.labelKey($0) }) {
      let near = Suggestion.phrase(for: name, among: words)
      guard terminal.isInputTerminal else {
        throw Failure(
          "there is no genre \(name.quoted)\(near)",
          hint: "--yes creates it; see the existing genres: catalog genre list --all")
      }
      note("There is no genre \(name.quoted)\(near)")
      guard try confirm("Create it?") else {
        warn("nothing was changed")
        throw SilentFailure(status: .failed)
      }
    }
  }
}

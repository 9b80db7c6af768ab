internal import CatalogModel
internal import CatalogStore
public import CommandLineKit
internal import FoundationEssentials
internal import Lookup

/// The program: its commands under their headings, and one run from words to exit status.
public enum CatalogProgram {
  public static let version = "0.1.0"

  static let program = Program<Globals, Context>(
    name: "catalog", version: version, summary: "A catalog of your movies, books and records, in one file.",
    examples: [
      Example("catalog search dune", "Looks a title up; then catalog add r1 keeps the first result."),
      Example("catalog list genre:jazz year:1955..1965", "What you have."),
    ],
    default: AnyCommand(HomeCommand.self),
    sections: [
      CommandSection("Find", [.command(SearchCommand.self), .command(ShowCommand.self)]),
      CommandSection("Keep", [.command(AddCommand.self)]),
      CommandSection("Set up", [.completion, .manual, .help]),
    ])
}

internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import SourceCopies

/// `catalog source update [NAME…]`: builds copies anew where there are newer files.
struct SourceUpdateCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "update", summary: "Build copies of sources anew from newer files.",
    discussion: """
      Looks into the folders that the files of a copy came from, for other files or newer ones. Where there are some, the \
      copy is built anew with the same options, and replaces the old one at the end. Nothing is downloaded: \
      'catalog source build NAME' says where the files are.
      """,
    examples: [
      Example("catalog source update", "All copies."),
      Example("catalog source update imdb --dry-run", "Whether there are newer files of IMDb, and what they have."),
    ],
    arguments: [
      .positional("source", \.names, isRequired: false, help: "discogs, imdb, musicbrainz, nlk or openlibrary.")
    ])

  var names: [DumpName] = []
  var result = ResultOptions()
  var isAboutMany: Bool { names.count != 1 }

  func run(in context: Context) throws {
    for name in names where context.copyPath(of: name.id) == nil {
      throw Failure("there is no copy of \(name.id)", hint: "build one: catalog source build \(name.id)")
    }
    let wanted = names.isEmpty ? Dump.all.map(\.id) : names.map(\.id).withoutRepeats(by: \.self)
    var (count, failures): (Int, [Failure]) = (0, [])
    for id in wanted {
      guard let dump = Dump.named(id), let path = context.copyPath(of: id) else { continue }
      count += 1
      do {
        let about = try SourceCopy(path: path).about
        guard let files = try CopyBuild.newer(than: about, of: dump) else {
          context.changes?.append(Change(.already, [("source", id)]))
          try context.print("the copy of \(dump.name) is up to date")
          continue
        }
        try SourceCopyBuilder(dump, in: context).build(files, SourceCopyOptions(words: about.options))
      } catch {
        try Interrupt.check()
        let failure = (error as? DumpProblem).map { Failure($0) } ?? Failure(error)
        context.note(failure)
        failures.append(failure)
      }
    }
    guard count > 0 else {
      throw Failure("there is no copy of a source", hint: "build one: catalog source build imdb")
    }
    if let failure = failures.first { throw SilentFailure(status: failure.status) }
  }
}

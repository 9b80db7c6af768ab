internal import CatalogModel
internal import CommandLineKit
internal import Glibc
internal import Processes
internal import SourceCopies

/// `catalog source copy …`: the copies of sources on this computer.
enum SourceCopyCommands {
  static let group = CommandGroup<Context>(
    "copy", summary: "List and remove the copies of sources on this computer.",
    examples: [Example("catalog source copy list", "Each copy, its date, its titles and its size.")],
    default: AnyCommand(SourceCopyListCommand.self),
    [.command(SourceCopyListCommand.self), .command(SourceCopyRemoveCommand.self)])
}

/// `catalog source copy list`: lists the copies.
struct SourceCopyListCommand: Command {
  static let info = CommandInfo<Self>(
    "list", aliases: ["ls"], summary: "List the copies of sources on this computer.",
    examples: [Example("catalog source copy list", "Each copy, its date, its titles and its size.")],
    arguments: TableOptions.arguments.lifted(\.table))

  var table = TableOptions()

  func run(in context: Context) throws {
    let copies = try Dump.all.compactMap { dump -> (dump: Dump, path: String, about: SourceCopy.About)? in
      guard let path = context.copyPath(of: dump.id) else { return nil }
      do { return (dump, path, try SourceCopy(path: path).about) } catch let problem as DumpProblem {
        context.note(Failure(problem.message, hint: problem.hint))
        return nil
      }
    }
    let table = try Table(
      copies,
      [
        .init("source", "Source", importance: 9, style: .bold, \.dump.id),
        .init("name", "Name", isFlexible: true, importance: 5, \.dump.name),
        .init("made_on", "Date", importance: 7, \.about.date, shown: { $0.about.date.map { context.text($0.words) } }),
        .init("titles", "Titles", alignment: .right, importance: 8, \.about.titles),
        .init("editions", "Editions", alignment: .right, importance: 4, \.about.editions),
        .init("bytes", "Size", alignment: .right, importance: 6, \.about.bytes, shown: \.about.bytes.size),
        .init("asked", "Asked", importance: 6) { copy in
          let isFirst = try context.asksCopyFirst(of: copy.dump.id)
          return Table.Cell(
            value: .text(isFirst ? "first" : "last"),
            shown: context.text(isFirst ? "before the network" : "without a network"))
        },
        .hidden("options", \.about.options), .hidden("files", \.about.files),
        .hidden("attribution", \.about.attribution), .hidden("file", \.path),
      ])
    try context.write(table, self.table)
    guard !table.rows.isEmpty else {
      throw Failure("there is no copy of a source", hint: "build one: catalog source build imdb")
    }
    guard self.table.format(on: context.terminal) == .fitted else { return }
    try context.print("")
    for copy in copies {
      try context.print(verbatim: context.styled(verbatim: context.safe(copy.about.attribution), .dim))
    }
  }
}

/// `catalog source copy remove NAME`: removes a copy.
struct SourceCopyRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm"], summary: "Remove the copy of a source.",
    discussion: "Items that were added from it stay.",
    examples: [Example("catalog source copy remove imdb", "Removes its file, after a question.")],
    arguments: [.positional("source", \.name, help: "discogs, imdb, musicbrainz, nlk or openlibrary.")])

  var name = DumpName()
  var result = ResultOptions()

  func run(in context: Context) throws {
    guard let dump = Dump.named(name.id), let path = context.copyPath(of: dump.id) else {
      return context.already(
        "there is no copy of \(name.id) on this computer", Change(.done, [("source", name.id)]))
    }
    guard FileKind(of: path) != .folder else {
      throw Failure("\(path.quoted) is a folder, and no copy", hint: "look what is in it: ls -la \(path.shellWord)")
    }
    let bytes = FileKind.size(of: path)
    let change = Change(.done, [("source", dump.id), ("file", path), ("bytes", bytes)])
    if context.globals.isDryRun {
      return try context.would("would remove the copy of \(dump.name), \(bytes.size)", change)
    }
    guard try context.confirm("Remove the copy of \(dump.name), \(bytes.size)?") else {
      throw Failure("nothing was removed")
    }
    guard unlink(path) == 0 else { throw SystemError(errno, "remove \(path.quoted)") }
    try context.did("removed the copy of \(dump.name), \(bytes.size)", change)
  }
}

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
    var table = Table(columns: [
      .init("source", "Source", importance: 9), .init("name", "Name", isFlexible: true, importance: 5),
      .init("made_on", "Date", importance: 7), .init("titles", "Titles", alignment: .right, importance: 8),
      .init("editions", "Editions", alignment: .right, importance: 4),
      .init("bytes", "Size", alignment: .right, importance: 6), .init("asked", "Asked", importance: 6),
      .init("options", isHidden: true), .init("files", isHidden: true), .init("attribution", isHidden: true),
      .init("file", isHidden: true),
    ])
    var attributions: [String] = []
    for dump in Dump.all {
      guard let path = context.copyPath(of: dump.id) else { continue }
      let about: SourceCopy.About
      do { about = try SourceCopy(path: path).about } catch let problem as DumpProblem {
        context.note(Failure(problem.message, hint: problem.hint))
        continue
      }
      let isFirst = try context.asksCopyFirst(of: dump.id)
      table.rows.append([
        .init(dump.id, style: .bold), .init(dump.name),
        .init(
          value: about.date.map { .text($0.description) } ?? .none, shown: about.date.map { context.text($0.words) }),
        .init(about.titles), .init(about.editions), .init(about.bytes, shown: about.bytes.size),
        .init(
          value: .text(isFirst ? "first" : "last"),
          shown: context.text(isFirst ? "before the network" : "without a network")),
        .init(about.options), .init(about.files), .init(about.attribution), .init(path),
      ])
      attributions.append(about.attribution)
    }
    try context.write(table, self.table)
    guard !table.rows.isEmpty else {
      throw Failure("there is no copy of a source", hint: "build one: catalog source build imdb")
    }
    guard self.table.format(on: context.terminal) == .fitted else { return }
    try context.print("")
    for line in attributions { try context.print(verbatim: context.styled(verbatim: line, .dim)) }
  }
}

/// `catalog source copy remove NAME`: removes a copy.
struct SourceCopyRemoveCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "remove", aliases: ["rm"], summary: "Remove the copy of a source.",
    discussion: "Items that were added from it stay.",
    examples: [Example("catalog source copy remove imdb", "Removes its file, after a question.")],
    arguments: [.positional("source", \.name, help: "discogs, imdb, musicbrainz, nlk or openlibrary.")]
      + ResultOptions.arguments.lifted(\.result))

  var name = DumpName()
  var result = ResultOptions()

  func run(in context: Context) throws {
    guard let dump = Dump.named(name.id), let path = context.copyPath(of: dump.id) else {
      return context.already(
        "there is no copy of \(name.id) on this computer", Change(.done, [("source", .text(name.id))]))
    }
    guard FileKind(of: path) != .folder else {
      throw Failure("\(path.quoted) is a folder, and no copy", hint: "look what is in it: ls -la \(path.shellWord)")
    }
    let bytes = FileKind.size(of: path)
    let change = Change(.done, [("source", .text(dump.id)), ("file", .text(path)), ("bytes", .integer(Int64(bytes)))])
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

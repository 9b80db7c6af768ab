internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Processes
internal import SourceCopies

/// `catalog source build NAME [FILE…]`: builds a copy of a source from its published files.
struct SourceBuildCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "build", summary: "Build a copy of a source, to search it without a network.",
    discussion: """
      Some sources publish all that they know as files. A copy of them answers searches, codes and ids on this \
      computer: without a key, a limit or a network. Download the files, and name them or their folder; without a file, \
      the command lists them. They are unpacked while they are read, and are not needed afterwards. A build that is \
      stopped goes on when the same command is given again.
      """,
    examples: [
      Example("catalog source build imdb", "Lists the files of IMDb, and where they are."),
      Example("catalog source build imdb ~/Downloads", "Builds a copy of all films from the files there."),
      Example("catalog source build discogs masters.xml.gz", "All albums; with releases.xml.gz all pressings, too."),
    ],
    arguments: [
      .positional("source", \.name, help: "discogs, imdb, musicbrainz, nlk or openlibrary."),
      .positional("file", \.files, isRequired: false, completion: .files, help: "The files, or a folder with them."),
      .option(
        "kinds", \.kinds, separator: ",",
        help: "Keep only these kinds: vinyl, music; the source's usual ones by default."),
      .option(
        "languages", \.languages, separator: ",", value: "CODES",
        help: "Keep titles in these languages, and those that everyone knows: ko,en."),
      .option(
        "types", \.types, separator: ",", value: "TYPES",
        help: "Keep these types of IMDb's titles: movie,tvMovie by default; also short, video, tvSpecial."),
      .option("most", \.most, value: "N", help: "Keep at most so many titles, the best known."),
    ])

  var name = DumpName()
  var files: [String] = []
  var kinds: [Kinds] = []
  var languages: [String] = []
  var types: [String] = []
  var most: Count?

  func run(in context: Context) throws {
    guard let dump = Dump.named(name.id) else { throw Failure("there is no dump of \(name.id.quoted)") }
    guard !files.isEmpty else { return try list(dump, in: context) }
    guard let folder = context.places.copies else {
      throw Failure("there is no place for the copy: HOME is not set")
    }
    var options = SourceCopyOptions()
    if !kinds.isEmpty { options.kinds = kinds.flatMap(\.kinds) }
    if !languages.isEmpty {
      options.languages = languages
    } else if !options.languages.contains(context.language) {
      options.languages.append(context.language)
    }
    if !types.isEmpty { options.types = types }
    options.most = most?.number
    do {
      if !context.globals.isDryRun {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      }
      let build = try CopyBuild(dump, files: files, folder: folder, options: options)
      for file in build.missing { context.warn("\(file.name) is missing: \(file.purpose)") }
      if context.globals.isDryRun {
        let names = build.inputs.map { $0.name.quoted }.joined(separator: ", ")
        return try context.print(
          "would build a copy of \(dump.name) from \(context.safe(names)), with about \(build.expectedBytes.size) of room"
        )
      }
      try agree(to: dump, in: context)
      try report(run(build, in: context), of: dump, in: context)
    } catch let problem as DumpProblem {
      throw Failure(problem.message, hint: problem.hint, status: problem.reason == .unknown ? .misused : .failed)
    }
  }

  /// Lists the files, their page and their terms.
  private func list(_ dump: Dump, in context: Context) throws {
    try context.print("\(dump.name) publishes these files at \(dump.page):")
    try context.print("")
    let table = Table(
      columns: [
        .init("file", "File", importance: 9), .init("needed", "Needed", importance: 7),
        .init("purpose", "For", isFlexible: true, importance: 8),
      ],
      rows: dump.files.map { file in
        [
          .init(file.name, style: .bold), .init(context.text(file.isRequired ? "yes" : "no")),
          .init(context.text(file.purpose)),
        ]
      })
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    try context.print("")
    try context.print("Terms: \(dump.license.words)")
    context.note("Type 'catalog source build \(dump.id) FOLDER' when they are in a folder.")
  }

  /// Asks for the agreement to personal terms, once.
  private func agree(to dump: Dump, in context: Context) throws {
    guard dump.license.isPersonal, context.copyPath(of: dump.id) == nil else { return }
    context.note("\(dump.name) gives its files \(dump.license.words).")
    guard try context.confirm("Do you agree?") else { throw Failure("nothing was built") }
  }

  private func run(_ build: CopyBuild, in context: Context) throws -> CopyBuild.Summary {
    let line = BuildLine(in: context)
    defer { line.clear() }
    return try build.run { progress in
      try Interrupt.check()
      line.show(progress)
    }
  }

  private func report(_ summary: CopyBuild.Summary, of dump: Dump, in context: Context) throws {
    let titles = summary.titles.counted("title", "titles")
    try context.print("built a copy of \(dump.name): \(titles), \(summary.bytes.size)")
    for (file, counts) in summary.leftOut.sorted(by: { $0.key < $1.key }) {
      let parts = LeftOut.allCases.compactMap { reason in
        counts[reason].flatMap { $0 > 0 ? "\($0) \(reason.words)" as Message : nil }
      }
      if !parts.isEmpty { try context.print("left out of \(context.safe(file)): \(parts.joined(separator: ", "))") }
    }
    try context.print(verbatim: dump.attribution)
    context.hint("to ask it before the network: catalog config set sources.\(dump.id).copy first")
  }
}

/// The line with the progress of a build: on a terminal at once, elsewhere every minute.
private final class BuildLine {
  private let context: Context
  private var last: Duration?

  init(in context: Context) { self.context = context }

  private var isTerminal: Bool { context.terminal.isErrorTerminal && context.listener == nil }

  func show(_ progress: CopyBuild.Progress) {
    let now = context.uptime()
    if let last, now - last < (isTerminal ? .milliseconds(200) : .seconds(60)) { return }
    // The first minute of a pipe is silent.
    defer { last = now }
    guard isTerminal else { return last == nil ? () : context.note(words(progress)) }
    let line = context.text(words(progress))
    try? context.errors.append("\r" + line.truncated(to: context.terminal.width - 1) + "\u{1B}[K")
    context.errors.flushIgnoringErrors()
  }

  func clear() {
    guard isTerminal, last != nil else { return }
    try? context.errors.append("\r\u{1B}[K")
    context.errors.flushIgnoringErrors()
  }

  /// `title.basics.tsv.gz: 41 %, 7900000 read, 3100000 kept, 51000/s, 4 min to go`.
  private func words(_ progress: CopyBuild.Progress) -> Message {
    let share = progress.total > 0 ? Int(clamping: Int64(progress.done) * 100 / Int64(progress.total)) : 0
    var parts: [Message] = ["\(min(share, 100)) %"]
    let subject: Message
    switch progress.phase {
    case .reading(let name):
      subject = Message(verbatim: context.safe(name))
      parts += ["\(progress.rows) read", "\(progress.kept) kept"]
    case .ranking: (subject, parts) = ("sorting by fame", [])
    case .writing: subject = "writing"
    case .checking: (subject, parts) = ("checking", [])
    }
    if progress.rate > 0 { parts.append(Message(verbatim: "\(Int(clamping: progress.rate))/s")) }
    if let left = progress.secondsLeft {
      parts.append(
        left < 60 ? "\(Int(clamping: left.rounded(.up))) s to go" : "\((Int(clamping: left) / 60 + 1).duration) to go")
    }
    return parts.isEmpty ? subject : "\(subject): \(parts.joined(separator: ", "))"
  }
}

extension LeftOut {
  /// The reason behind a number of records.
  fileprivate var words: Message {
    switch self {
    case .damaged: "damaged"
    case .tooLong: "longer than 16 MiB"
    case .untitled: "without a title"
    case .repeated: "repeated"
    case .otherKind: "of another kind"
    case .adult: "for adults"
    case .orphan: "of no kept title"
    case .tooManyTerms: "with too many genres or formats"
    case .strayBytes: "or more bytes that are not Korean text"
    }
  }
}

/// The name of a source that publishes its records as files.
struct DumpName: ArgumentValue {
  var id = ""

  init() {}

  init(argument word: String) throws {
    guard let dump = Dump.named(word.lowercased()) else {
      throw UsageError.unknown("dump", word, among: Dump.all.map(\.id))
    }
    id = dump.id
  }

  static var valueName: String? { "SOURCE" }
  static var completion: CompletionKind { .values(Dump.all.map(\.id)) }
}

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
      .init("date", "Date", importance: 7), .init("titles", "Titles", alignment: .right, importance: 8),
      .init("editions", "Editions", alignment: .right, importance: 4),
      .init("bytes", "Size", alignment: .right, importance: 6), .init("asked", "Asked", importance: 6),
      .init("options", isHidden: true), .init("files", isHidden: true), .init("attribution", isHidden: true),
      .init("path", isHidden: true),
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
    arguments: [.positional("source", \.name, help: "discogs, imdb, musicbrainz, nlk or openlibrary.")])

  var name = DumpName()

  func run(in context: Context) throws {
    guard let dump = Dump.named(name.id), let path = context.copyPath(of: dump.id) else {
      throw Failure("there is no copy of \(name.id)", hint: "see them: catalog source copy list")
    }
    let bytes = (try? SourceCopy(path: path))?.about.bytes ?? 0
    if context.globals.isDryRun { return try context.print("would remove the copy of \(dump.name), \(bytes.size)") }
    guard try context.confirm("Remove the copy of \(dump.name), \(bytes.size)?") else {
      throw Failure("nothing was removed")
    }
    try FileManager.default.removeItem(atPath: path)
    try context.print("removed the copy of \(dump.name), \(bytes.size)")
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Lookup
internal import Processes
internal import SQLite

/// The program: its commands in sections, and one run from arguments to exit status.
public enum CatalogProgram {
  /// Commands to suggest for the words of other programs.
  private static let synonyms = [
    "stats": "report", "statistics": "report", "like": "favorite", "heart": "favorite", "watched": "log",
    "watch": "log",
    "seen": "log", "finish": "log", "finished": "log", "watchlist": "wishes", "wishlist": "wishes", "want": "wish",
    "deck": "card deck", "cards": "card list", "review": "card add", "comment": "card add", "note": "card add",
    "price": "copies", "prices": "copies", "places": "copies", "grade": "copy edit", "place": "copy edit",
    "move": "copy edit",
    "poster": "report year", "wall": "shelf", "collection": "shelf", "library": "shelf", "find": "search",
    "lookup": "search", "borrow": "lend", "borrowed": "loans", "overdue": "loans", "update": "refresh",
    "random": "pick",
    "sell": "copy remove",
  ]

  // Arguments and topics are made on demand. Swift looks conformances up at run time, and the first look-up of each
  // kind reads every conformance of the program: the cost of a start must not grow with the program.
  static let program = Program<Globals, Context>(
    name: "catalog", version: Release.version, summary: "A catalog of your movies, books and records, in one file.",
    discussion: "-n shows what would change, -y answers yes/no questions, --json is for scripts.",
    examples: [
      Example("catalog search dune", "Searches for a title; then catalog add r1 keeps the first result."),
      Example("catalog list genre:jazz year:1955..1965", "Your catalog at a glance."),
    ],
    default: AnyCommand(HomeCommand.self),
    firstSteps: [
      FirstSteps(
        "Start",
        [
          .init("search", "Search for a title", "catalog search kind of blue"),
          .init("add", "Add a result, a title or a code", "catalog add r1"),
          .init("import", "Import what you keep elsewhere", "catalog import FILE"),
        ]),
      FirstSteps(
        "Look",
        [
          .init("list", "List items", "catalog list jazz year:1955..1965"),
          .init("show", "Show all that is known of one", "catalog show kind of blue"),
          .init("own", "Check whether you own it", "catalog own CL1355"),
          .init("genres", "Analyse your taste", "catalog genres"),
        ]),
      FirstSteps(
        "Remember",
        [
          .init("log", "Watched, read or played", "catalog log heat --stars 4"),
          .init("rate", "Rate, without a date", "catalog rate heat 4.5"),
          .init("wish", "Put on the wish list", "catalog wish r1"),
        ]),
      FirstSteps(
        "Correct",
        [
          .init("edit", "Change fields", "catalog edit 42 year=1959"),
          .init("undo", "Undo the last command", "catalog undo"),
        ]),
    ],
    sections: [
      CommandSection(
        "Find",
        [
          .command(SearchCommand.self), .command(BrowseCommand.self), .command(ShowCommand.self),
          .command(TrendingCommand.self), .command(SeasonsCommand.self), CoverCommands.group,
          .command(PreviewCommand.self), .command(OpenCommand.self), .command(OwnCommand.self),
        ]),
      CommandSection(
        "Keep",
        [
          .command(AddCommand.self), .command(ListCommand.self), .command(MoviesCommand.self),
          .command(BooksCommand.self), .command(VinylCommand.self), ShelfCommands.group, .command(EditCommand.self),
          .command(RefreshCommand.self), .command(RemoveCommand.self), .command(MergeCommand.self),
          EditionCommands.group,
        ]),
      CommandSection(
        "Collect",
        [
          CopyCommands.group, .command(RepresentCommand.self), .command(LendCommand.self), .command(ReturnCommand.self),
          .command(LoansCommand.self), .command(WishCommand.self), WishesCommands.group, TagCommands.group,
          PileCommands.group, .command(PickCommand.self),
        ]),
      CommandSection(
        "Remember",
        [
          .command(FavoriteCommand.self), .command(UnfavoriteCommand.self), .command(FavoritesCommand.self),
          RecentCommands.group,
          .group(
            CommandGroup(
              "card", aliases: ["cards"], summary: "Write and read comment cards: your stars and words.",
              examples: [Example("catalog card add 42 --stars 4.5 \"again!\"", "Writes a card.")],
              default: AnyCommand(CardListCommand.self), takingWords: true,
              [
                .command(CardAddCommand.self), .command(CardListCommand.self), .command(CardShowCommand.self),
                .command(CardEditCommand.self), .command(CardRemoveCommand.self), .command(CardDeckCommand.self),
              ])),
          .command(LogCommand.self), DiaryCommands.group, .command(RateCommand.self),
        ]),
      CommandSection(
        "Understand",
        [
          .command(GenresCommand.self), .command(LevelCommand.self), .command(CompleteCommand.self),
          ReportCommands.group, GenreCommands.group,
        ]),
      CommandSection("Import and export", [ImportCommands.group, .command(ExportCommand.self)]),
      CommandSection("Devices", [SyncCommands.group, ServeCommands.group]),
      CommandSection(
        "Undo and backup",
        [
          .command(UndoCommand.self), .command(RedoCommand.self), .command(HistoryCommand.self),
          .command(BackupCommand.self), .command(RestoreCommand.self), .command(DoctorCommand.self),
        ]),
      CommandSection(
        "Set up",
        [
          ProfileCommands.group, .group(SourceCommands.group), .group(ConfigCommands.group),
          .group(CacheCommands.group), .completion, .manual, .help,
        ]),
    ], topics: HelpTopic.all, synonyms: synonyms)

  /// Runs the program with the arguments of the process.
  ///
  /// - Returns: the exit status.
  public static func main() -> Int32 {
    StandardStreams.holdClosed()
    BrokenPipe.ignoreSignal()
    SystemError.ignoreSizeSignal()
    let (environment, unreadable) = CommandLine.environment
    // Only this program asks sources: git with its hooks, editors and pagers get no keys.
    for name in environment.keys where KeyRequirement.isVariable(name) { unsetenv(name) }
    let words: [String]
    do {
      // One of the program's own that cannot be read is not as one that is not set.
      if let name = unreadable.first(where: {
        $0.hasPrefix("CATALOG_") || $0.hasPrefix("XDG_") && $0.hasSuffix("_HOME")
      }) {
        throw UsageError("the value of \(name) is not valid UTF-8")
      }
      words = try CommandLine.words()
    } catch {
      return end(with: error, .live(Globals(), environment: environment))
    }
    return run(words, ownsProcess: true) { .live($0, environment: environment) }
  }

  /// Parses the arguments, runs the command and prints its error.
  ///
  /// - Parameter ownsProcess: whether no other code in this process uses SQLite. SQLite then works without mutexes
  ///   where it can, and without memory statistics.
  /// - Parameter onStart: called before the command runs, with its context.
  /// - Returns: the exit status.
  static func run(
    _ words: [String], ownsProcess: Bool = false, onStart: (Context) -> Void = { _ in },
    _ makeContext: (Globals) -> Context
  ) -> Int32 {
    let invocation: Invocation<Globals, Context>
    do {
      invocation = try program.parse(words)
    } catch {
      return end(with: error, makeContext(Globals()))
    }
    let command: (any Command<Context>.Type)? =
      if case .run(let command) = invocation.action { type(of: command) } else { nil }
    if ownsProcess {
      switch command?.threads ?? .one {
      case .one: Connection.useSingleThread()
      case .two: Connection.useOneThreadEach(comeAndGo: false)
      case .many: Connection.useOneThreadEach(comeAndGo: true)
      }
      Connection.countNoMemory()
    }
    var context = makeContext(invocation.globals).supervised(mayBegin: command?.mayBegin ?? true)
    context.commandLine = words
    context.recording = OperationRecorder(
      command: invocation.path.joined(separator: " "), line: typed(words).map(\.shellWord).joined(separator: " ")
    ) { [now = context.now] in Timestamp(now()) }
    onStart(context)
    do {
      switch invocation.action {
      case .run(let command):
        Interrupt.install()
        try context.checkVariables()
        try context.run(command, at: invocation.path, tells: words.contains { $0.hasPrefix("--json") })
      case .print(let text): try context.output.append(text(context.terminal))
      case .complete(let completion): try context.answer(completion, at: invocation.path)
      }
      try context.output.flush()
      return finish(with: context.state.hasPartialFailure ? .sourceFailed : .done, context)
    } catch {
      return end(with: error, context)
    }
  }

  /// The typed arguments without `--db` and `--profile`: the history is kept in the file that they name.
  private static func typed(_ words: [String]) -> [String] {
    let options = ["--db", "--profile"]
    var typed: [String] = []
    var isFile = false
    for word in words {
      if !isFile, !options.contains(where: { word == $0 || word.hasPrefix("\($0)=") }) { typed.append(word) }
      isFile = options.contains(word) && !isFile
    }
    return typed
  }

  /// Prints an error, and an error of the output if there is one.
  ///
  /// - Returns: the exit status.
  private static func end(with error: any Error, _ context: Context) -> Int32 {
    // Text that was printed before the error stays.
    context.output.flushIgnoringErrors()
    if let signal = Interrupt.signal {
      context.warn("stopped; what was done stays")
      if let kept = (error as? Failure)?.kept { context.hint("your text is kept: \(kept)") }
      context.tellHeldNotes()
      return 128 + signal
    }
    let loss = context.output.loss as? SystemError
    var status = ExitStatus.done
    switch error {
    // The reader closed the pipe, which is no error.
    case is BrokenPipe: break
    case let error as SystemError where error == loss: break
    case let failure as Failure where loss != nil && failure.cause as? SystemError == loss: break
    case let silent as SilentFailure: status = silent.status
    default:
      var failure = Failure(error, catalog: context.places.catalog)
      failure.message += whatStays(after: failure, context.commits)
      context.note(failure)
      status = failure.status
    }
    if let loss {
      context.note(Failure(lostOutput: loss, isWriting: context.commits.state != .nothing))
      if status == .done { status = .failed }
    }
    return finish(with: status, context)
  }

  /// Tells what a quiet command has held back, if it did not succeed.
  ///
  /// - Returns: the exit status. With `--offline` no network can have failed.
  private static func finish(with status: ExitStatus, _ context: Context) -> Int32 {
    if status != .done { context.tellHeldNotes() }
    return (status == .sourceFailed && context.globals.isOffline ? .failed : status).rawValue
  }

  /// The part of an error that says which changes were made before it.
  private static func whatStays(after failure: Failure, _ commits: CommitLog) -> Message {
    switch (failure.ambiguity, commits.state) {
    case (.none, _), (.ofChanges, .nothing): ""
    case (.ofAll, .nothing): "; nothing was changed"
    case (_, .something): "; what was done before that stays"
    case (_, .unknown): "; it is not known whether the last change was made: check before you repeat it"
    }
  }
}

internal import CatalogModel
internal import CommandLineKit
internal import SourceCopies

/// `catalog source build NAME [FILE…]`: builds a copy of a source from its published files.
struct SourceBuildCommand: WritingCommand {
  static let info = CommandInfo<Self>(
    "build", summary: "Build a copy of a source, to search it without a network.",
    discussion: """
      Some sources publish all that they know as files. A copy of them answers searches, codes and ids on this \
      computer: without a key, a limit or a network. Download the files, and name them or their folder; without a file, \
      the command lists them. They are unpacked while they are read, and are not needed afterwards. A build that is \
      stopped goes on when the same command is given again. --dry-run reads the beginning of each file, and says what \
      the copy would have.
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
        help: "Keep books in these languages, and those with readers; titles of movies in them: ko,en."),
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
  var result = ResultOptions()

  func validate() throws(UsageError) {
    if files.contains("-") {
      throw UsageError("a copy is built from files, which are read several times", hint: "name the file or its folder")
    }
  }

  func run(in context: Context) throws {
    guard let dump = Dump.named(name.id) else { throw Failure("there is no dump of \(name.id.quoted)") }
    guard !files.isEmpty else {
      if result.isJSON { throw UsageError("--json says what was built: name the files") }
      return try list(dump, in: context)
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
    try SourceCopyBuilder(dump, in: context).build(files, options)
  }

  /// Lists the files, their page and their terms.
  private func list(_ dump: Dump, in context: Context) throws {
    try context.print("\(dump.name) publishes these files at \(dump.page):")
    try context.print("")
    let table = try Table(
      dump.files,
      [
        .init("file", "File", importance: 9, style: .bold, \.name),
        .init("needed", "Needed", importance: 7) { context.text($0.isRequired ? "yes" : "no") },
        .init("size", "Size", alignment: .right, importance: 7, \.size, shown: { $0.size.map(\.size) }),
        .init("purpose", "For", isFlexible: true, importance: 8) { context.text($0.purpose) },
      ])
    try table.write(as: .fitted, to: context.output, terminal: context.terminal)
    try context.print("")
    try context.print("Terms: \(dump.license.words)")
    try listDownloads(of: dump, in: context)
    context.note("Type 'catalog source build \(dump.id) FOLDER' when they are in a folder.")
  }

  /// Prints the commands that download the files of this month, where their addresses are known.
  private func listDownloads(of dump: Dump, in context: Context) throws {
    let month = String(context.day.prefix(7))
    let downloads = dump.files.compactMap { $0.download(of: month) }
    guard !downloads.isEmpty else { return }
    try context.print("")
    for (address, name) in downloads {
      try context.print(verbatim: "curl -fL -o \(name.shellWord) \(address.shellWord)")
    }
    if let address = dump.checksums(of: month) {
      try context.print(verbatim: "curl -fL \(address.shellWord) | sha256sum -c --ignore-missing")
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

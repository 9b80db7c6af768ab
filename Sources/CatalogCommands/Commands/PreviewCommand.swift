internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// `catalog preview REF`: half a minute to listen to or watch.
struct PreviewCommand: Command {
  static let info = CommandInfo<Self>(
    "preview", summary: "Play the preview of an item or result.",
    discussion: """
      Half a minute of a movie, an album or a podcast, from the sources that have such (iTunes). The first installed \
      player of 'catalog config set player' plays it, without that the first of \(Player.usual); Ctrl-C stops it. The \
      address comes from the source each time, since it goes out of date.
      """,
    examples: [
      Example("catalog preview r1", "Plays the preview of the first result."),
      Example("catalog preview r1 --save dune.m4v", "Keeps it in a file."),
      Example("catalog config set player \"mpv --volume=50,vlc\"", "Chooses the player."),
    ],
    arguments: [
      .positional("ref", \.words, completion: .dynamic("items"), help: "Which one: see 'catalog help references'."),
      .option(
        "save", short: "s", \.file, value: "FILE", completion: .files,
        help: "Write the preview to this file; - is standard output."),
      .flag("print", short: "p", \.prints, help: "Print the address instead of playing."),
    ])

  /// Longer previews are not fetched, in bytes. A minute of video is a tenth of it.
  static let sizeLimit = 128 << 20

  var words: [String] = []
  var file: String?
  var prints = false

  func validate() throws(UsageError) {
    if file != nil, prints { throw UsageError("--save and --print do not go together") }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    let target = try context.target(words.joined(separator: " "), in: store)
    let (url, record) = try preview(of: target, in: store, context)
    if prints { return try context.print(context.safe(url)) }
    if let file {
      return try context.save(
        try fetch(url, in: context), to: file, usualName: "preview.m4a",
        command: "catalog preview \(words.joined(separator: " ").shellWord) --save")
    }
    try context.play(url, of: record.kind)
  }

  private func preview(of target: Target, in store: Store, _ context: Context) throws -> (url: String, Record) {
    let record: Record
    switch target {
    case .item(let id): record = try store.item(id).record
    case .candidate(let candidate): record = candidate.record
    }
    if let url = try record.previewURL ?? context.asked(\.previewURL, of: target, record, from: \.hasPreviews) {
      return (url, record)
    }
    throw Failure(
      "no preview of \(record.title.quoted) is known",
      hint: "iTunes has some: catalog search WORDS --source itunes --kind music")
  }

  private func fetch(_ url: String, in context: Context) throws -> [UInt8] {
    var request = Request(source: "previews", url: url)
    request.sizeLimit = Self.sizeLimit
    request.deadline = 300
    let response: Response
    do {
      response = try context.pictures.send(request)
    } catch {
      try Interrupt.check()
      throw Failure(SourceError.network(error), named: "the server of the preview")
    }
    guard response.status == 200, !response.body.isEmpty else {
      throw Failure("the preview is no longer at its address", hint: "search again: the address changes")
    }
    return response.body
  }
}

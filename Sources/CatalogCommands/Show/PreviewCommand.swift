internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// `catalog preview REF`: plays half a minute of music or video.
struct PreviewCommand: Command {
  static let info = CommandInfo<Self>(
    "preview", summary: "Play the preview of an item or result.",
    discussion: """
      Plays half a minute of a movie, an album or a podcast, from the sources that have previews (iTunes). It uses the \
      first installed player of 'catalog config set player', by default the first of \(Player.usual); Ctrl-C stops it. \
      The address is asked from the source each time, since it expires. For an album it plays the first track with a \
      preview, or with --track the one of that number, as 'catalog show' prints it.
      """,
    examples: [
      Example("catalog preview r1", "Plays the preview of the first result."),
      Example("catalog preview r1 --track 2-03", "Plays the third track of the second disc."),
      Example("catalog preview r1 --save dune.m4v", "Saves it to a file."),
      Example("catalog config set player \"mpv --volume=50,vlc\"", "Chooses the player."),
    ],
    arguments: [
      .words(\.typed),
      .option("track", short: "t", \.track, value: "NUMBER", help: "This track of the album: 3, or 2-03."),
      .option(
        "save", short: "s", \.file, value: "FILE", completion: .files,
        help: "Write the preview to this file; - is standard output."),
      .flag("print", short: "p", \.prints, help: "Print the address instead of playing."),
    ])

  /// The greatest size of a preview in bytes. A minute of video is less than half as long, and an answer takes up to
  /// twice its size in memory.
  static let sizeLimit = 32 << 20

  var typed = TypedReferences()
  var track: String?
  var file: String?
  var prints = false

  func validate() throws(UsageError) {
    if file != nil, prints { throw UsageError("--save and --print do not go together") }
  }

  func run(in context: Context) throws {
    let store = try context.reading()
    let target = try context.target(typed, for: .reading, in: store)
    let (url, record) =
      try track.map { try preview(ofTrack: $0, of: target, in: store, context) }
      ?? preview(of: target, in: store, context)
    if prints { return try context.print(verbatim: context.safe(url)) }
    if let file {
      return try context.save(
        try fetch(url, of: record, in: context), to: file, usualName: "preview.m4a",
        command: "catalog preview \(typed.together.shellWord) --save")
    }
    try context.play(url, of: record)
  }

  private func record(of target: ResolvedReference, in store: Store) throws -> Record {
    switch target {
    case .item(let id): try store.item(id).record
    case .candidate(let candidate): candidate.record
    }
  }

  private func preview(of target: ResolvedReference, in store: Store, _ context: Context) throws -> (
    url: String, Record
  ) {
    let record = try record(of: target, in: store)
    if let url = try record.previewURL ?? context.asked(\.previewURL, of: target, record, from: \.hasPreviews) {
      return (url, record)
    }
    throw Failure(
      "no preview of \(record.title.quoted) is known",
      hint: "iTunes has some: catalog search WORDS --source itunes --kind music")
  }

  /// The preview of one track, which only the source of the album knows.
  private func preview(
    ofTrack number: String, of target: ResolvedReference, in store: Store, _ context: Context
  ) throws -> (url: String, Record) {
    let known = try record(of: target, in: store)
    guard let album = try context.asked({ $0 }, of: target, known, from: \.hasPreviews) else {
      throw Failure(
        "no previews of the tracks of \(known.title.quoted) are known",
        hint: "iTunes has some: catalog search WORDS --source itunes --kind music")
    }
    guard let first = album.tracks.first, let last = album.tracks.last else {
      throw Failure("\(album.title.quoted) has no tracks", hint: "without --track its own preview is played")
    }
    guard let track = album.tracks.first(where: { $0.isCalled(number) }) else {
      throw Failure(
        "\(album.title.quoted) has no track \(number.quoted)",
        hint: "its tracks are \(first.position) to \(last.position): catalog show \(typed.together.shellWord)")
    }
    guard let url = track.previewURL else {
      throw Failure("no preview of track \(track.position), \(track.title.quoted), is known")
    }
    return (url, album)
  }

  private func fetch(_ url: String, of record: Record, in context: Context) throws -> [UInt8] {
    var request = context.request(for: url, of: record, from: "previews")
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

extension Track {
  /// Whether `3`, `2-03` or `2-3` is the position of this track.
  fileprivate func isCalled(_ number: String) -> Bool {
    func parts(_ text: String) -> [Substring] {
      text.trimmingBlanks.uppercased().split(separator: "-").map { $0.drop { $0 == "0" } }
    }
    return !number.isEmpty && parts(position) == parts(number)
  }
}

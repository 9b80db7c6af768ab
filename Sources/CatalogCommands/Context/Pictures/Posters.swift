internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The file of a poster and its format.
struct PosterFile: ArgumentValue, Hashable {
  enum Format: String, CaseIterable { case svg, html, png }

  var path: String
  /// The format of the file's extension. A stream, such as standard output, gets SVG.
  var format: Format

  init(argument word: String) throws {
    guard !word.isEmpty else { throw UsageError("the name of the file is empty") }
    guard
      let format = StreamTarget(word) != nil
        ? .svg : Format.allCases.first(where: { word.lowercased().hasSuffix(".\($0)") })
    else {
      throw UsageError("\(word.quoted) does not say what to write: a poster ends in .svg, .html or .png")
    }
    (path, self.format) = (word, format)
  }

  static var completion: CompletionKind { .files }
}

/// The options of commands that draw a poster.
struct PosterOptions: OptionGroup {
  static var arguments: [Argument<PosterOptions>] {
    [
      .option(
        "poster", \.file, value: "FILE",
        help: "Draw one picture to share, into a .svg, .html or .png; '-' is standard output, in SVG."),
      .option("shape", \.shape, value: "SHAPE", help: "The shape of the poster: portrait (the default) or square."),
    ]
  }

  var file: PosterFile?
  var shape: Poster.Shape?

  func validate() throws(UsageError) {
    if shape != nil, file == nil { throw UsageError("only a poster has a shape: use '--poster FILE' too") }
  }
}

extension Context {
  /// The greatest size of a cover in pixels: twice the usual size on a poster, for screens of high density.
  private static let coverSize = (width: 480, height: 640)
  /// The greatest size in bytes of a cover that no program can scale down.
  private static let mostBytes = 2 << 20

  /// The covers of the first `most` items that have one, scaled down if a program for that is installed.
  func pictures(of items: [ItemID], in store: Store, most: Int) throws -> [Picture] {
    let scaler = PictureScaler(along: environment["PATH"])
    var pictures: [Picture] = []
    for id in items where pictures.count < most {
      guard let cover = try store.cover(of: id), let bytes = try shown(cover.bytes, by: scaler),
        let info = ImageInfo(bytes)
      else { continue }
      pictures.append(
        Picture(
          bytes: bytes, mediaType: info.mediaType, width: info.width, height: info.height,
          label: try store.item(id).record.headline))
    }
    let size = pictures.reduce(0) { $0 + $1.bytes.count }
    if scaler == nil, size > Self.mostBytes {
      note(
        Failure(
          "the covers are as large as they are, \(size.size): no program is installed that makes them smaller",
          hint: "apt-get install \(PictureScaler.packages)"))
    }
    return pictures
  }

  /// A cover in the size of a poster; nil when it is no picture, or too large.
  private func shown(_ bytes: [UInt8], by scaler: PictureScaler?) throws -> [UInt8]? {
    guard let info = ImageInfo(bytes), info.isDrawable else { return nil }
    guard let scaler else { return bytes.count <= Self.mostBytes ? bytes : nil }
    return try scaler.scaled(
      bytes, mediaType: info.mediaType, width: Self.coverSize.width, height: Self.coverSize.height)
  }

  /// The comment of a card for a poster, with its title and rating.
  func quote(of card: Card?, in store: Store) throws -> Poster.Quote? {
    guard let card, let words = card.comment else { return nil }
    let about = [try store.item(card.item).record.title, card.rating?.stars].compactMap(\.self)
    return Poster.Quote(words, about: about.joined(separator: " "))
  }

  /// The footer of a poster: the record that represents its owner, the program and the day.
  func footer(on day: String, in store: Store) throws -> String {
    let record = try store.representative().map { try store.item($0).record.headline }
    return [record, "catalog", day].compactMap(\.self).joined(separator: " · ")
  }

  /// Writes a poster in the format of its file.
  func save(_ poster: Poster, to file: PosterFile, usualName: String, command: String) throws {
    let bytes: [UInt8] =
      switch file.format {
      case .svg: Array(poster.svg.utf8)
      case .html: Array(poster.html.utf8)
      case .png: try RSVG(along: environment["PATH"]).png(poster.svg)
      }
    try save(bytes, to: file.path, usualName: usualName, command: command)
  }

  /// The number of items to ask for this many covers, since some cannot be shown.
  static func coversToTry(for count: Int) -> Int { 3 * count }
}

extension Failure {
  /// The error for a poster of an empty catalog.
  static var nothingForPoster: Failure {
    Failure("the catalog is empty, so there is nothing to draw", hint: "look something up: catalog search dune")
  }
}

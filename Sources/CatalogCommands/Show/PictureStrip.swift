internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// A picture with a caption below it, such as its number.
struct CaptionedPicture: Sendable {
  var caption: String
  var cover: Cover
}

/// The first pictures of an item or result, to be fetched on any thread.
struct FirstPictures: Sendable {
  private let cover: PictureRequest?
  private let coverCaption: String
  private let any: PictureRequest
  private let findNumbered: @Sendable () -> [Numbered]

  /// A picture that `show` numbers.
  struct Numbered: Sendable {
    var caption: String
    var url: String
  }

  /// - Parameter numbered: finds the pictures besides the cover.
  init(
    cover: PictureRequest? = nil, of record: Record, in context: Context,
    numbered: @escaping @Sendable () -> [Numbered]
  ) {
    (self.cover, coverCaption, findNumbered) = (cover, context.text("cover"), numbered)
    any = PictureRequest(at: "", of: record, named: "picture", in: context)
  }

  /// Fetches the cover and up to `most` other pictures at once; those that fail are left out.
  func fetch(atMost most: Int) -> [CaptionedPicture] {
    let wanted =
      (cover.map { [(coverCaption, $0)] } ?? [])
      + findNumbered().prefix(most).map { ($0.caption, any.at($0.url)) }
    let answers = PictureRequest.answers(to: wanted.map { $0.1 })
    return zip(wanted, answers).compactMap { wanted, answer in
      ((try? answer.get()) ?? nil).map { CaptionedPicture(caption: wanted.0, cover: $0) }
    }
  }
}

extension Detail {
  var gallery: [FirstPictures.Numbered] { parts?.gallery?.numbered ?? record.screenshots.numbered }

  /// The portraits of the cast that have an address.
  var portraits: [FirstPictures.Numbered] {
    zip(1..., parts?.portraits ?? []).compactMap { number, portrait in
      portrait.url.map { FirstPictures.Numbered(caption: "\(number) \(portrait.name)", url: $0) }
    }
  }
}

extension [MovieParts.Picture] {
  var numbered: [FirstPictures.Numbered] {
    zip(1..., self).map { FirstPictures.Numbered(caption: "\($0)", url: $1.url) }
  }
}

extension [Screenshot] {
  fileprivate var numbered: [FirstPictures.Numbered] {
    zip(1..., self).map { FirstPictures.Numbered(caption: "\($0)", url: $1.url) }
  }
}

/// Pictures side by side, as many as fit, each of the same height.
struct PictureStrip {
  /// The pictures, and a line of captions.
  private(set) var lines: [String] = []
  /// The pictures that the terminal draws over the lines, each this many columns from the left.
  private(set) var pixels: [(column: Int, bytes: [UInt8])] = []
  /// The number of pictures that fit.
  private(set) var count = 0

  /// The usual height, in lines.
  static let usualHeight = 8
  private static let gap = 2

  /// The most pictures to request besides a cover, for a strip of this width in columns.
  static func most(in width: Int) -> Int { max(1, width / 20) }

  struct Piece {
    var caption: String
    /// The ratio of width to height; 1 when it is unknown.
    var aspect = 1.0
    /// Draws the picture in this many columns and lines. Nil leaves it out.
    var draw: (_ width: Int, _ height: Int) throws -> CoverRenderer.Drawing?
  }

  init(_ pieces: [Piece], on terminal: Terminal, height: Int) throws {
    var rows = Array(repeating: "", count: height + 1)
    var column = 0
    for piece in pieces {
      let width = Self.width(aspect: piece.aspect, height: height)
      let start = column == 0 ? 0 : column + Self.gap
      guard start + width <= terminal.width else { break }
      guard let drawing = try piece.draw(width, height) else { continue }
      var art = Frame.Art(lines: [], width: width, height: height)
      switch drawing {
      case .lines(let lines): art.lines = lines
      case .pixels(let bytes): pixels.append((start, bytes))
      }
      let margin = String(repeating: " ", count: start - column)
      for row in 0..<height { rows[row] += margin + art.line(row) }
      let caption = terminal.sanitizing.line(piece.caption).truncated(to: width)
      rows[height] +=
        margin + Style.dim(caption, on: terminal) + String(repeating: " ", count: width - caption.cellWidth)
      column = start + width
      count += 1
    }
    if column > 0 { lines = rows }
  }

  /// The width of a picture in columns; a cell is about twice as high as wide. The limits leave space for its caption,
  /// and for other pictures beside a panorama.
  private static func width(aspect: Double, height: Int) -> Int {
    max(6, Int(clamping: (Double(height) * 2 * min(max(aspect, 0.5), 3)).rounded(.up)))
  }
}

extension CaptionedPicture {
  /// The picture as a piece of a strip.
  func piece(_ draw: @escaping (Cover, _ width: Int, _ height: Int) throws -> CoverRenderer.Drawing?)
    -> PictureStrip.Piece
  {
    let size = ImageInfo(cover.bytes)
    return PictureStrip.Piece(
      caption: caption, aspect: size.map { Double($0.width) / Double($0.height) } ?? 1
    ) { try draw(cover, $0, $1) }
  }
}

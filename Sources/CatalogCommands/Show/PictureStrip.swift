internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// A picture with a word that stands below it: the number by which it is called.
struct CaptionedPicture: Sendable {
  var caption: String
  var cover: Cover
}

/// The first pictures of a thing, to be fetched on any thread.
struct FirstPictures: Sendable {
  private let cover: PictureQuestion?
  private let coverCaption: String
  private let any: PictureQuestion
  private let findNumbered: @Sendable () -> [Numbered]

  /// A picture that `show` numbers.
  struct Numbered: Sendable {
    var caption: String
    var url: String
  }

  /// - Parameter numbered: finds the others.
  init(
    cover: PictureQuestion? = nil, of record: Record, in context: Context,
    numbered: @escaping @Sendable () -> [Numbered]
  ) {
    (self.cover, coverCaption, findNumbered) = (cover, context.text("cover"), numbered)
    any = PictureQuestion(at: "", of: record, named: "picture", in: context)
  }

  /// The cover and as many of the others as can be had, all at once.
  func fetch(atMost most: Int) -> [CaptionedPicture] {
    let wanted =
      (cover.map { [(coverCaption, $0)] } ?? [])
      + findNumbered().prefix(most).map { ($0.caption, any.at($0.url)) }
    let answers = PictureQuestion.answers(to: wanted.map { $0.1 })
    return zip(wanted, answers).compactMap { wanted, answer in
      ((try? answer.get()) ?? nil).map { CaptionedPicture(caption: wanted.0, cover: $0) }
    }
  }
}

extension Detail {
  /// The pictures or screenshots that are numbered.
  var gallery: [FirstPictures.Numbered] { parts?.gallery?.numbered ?? record.screenshots.numbered }

  /// The portraits of the cast, as far as there are any.
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

/// Pictures side by side, as many as there is room for: each as wide as it is at the height of all.
struct PictureStrip {
  /// The pictures, and a line of captions.
  private(set) var lines: [String] = []
  /// What the terminal draws by itself over the lines, so many columns from the left.
  private(set) var pixels: [(column: Int, bytes: [UInt8])] = []
  /// How many of the pictures there was room for.
  private(set) var count = 0

  /// In lines.
  static let usualHeight = 8
  private static let gap = 2

  /// Beside a cover, no more pictures than this are worth asking for.
  static func most(in width: Int) -> Int { max(1, width / 20) }

  /// One of them.
  struct Piece {
    var caption: String
    /// Its width by its height; a square where nobody knows.
    var aspect = 1.0
    /// Draws it in so many columns and lines; nil for what cannot be drawn, which is left out.
    var draw: (_ width: Int, _ height: Int) throws -> Painter.Drawing?
  }

  init(_ pieces: [Piece], on terminal: Terminal, height: Int) throws {
    var rows = Array(repeating: "", count: height + 1)
    var column = 0
    for piece in pieces {
      let width = Self.width(aspect: piece.aspect, height: height)
      let start = column == 0 ? 0 : column + Self.gap
      guard start + width <= terminal.width else { break }
      guard let drawing = try piece.draw(width, height) else { continue }
      var art = Box.Art(lines: [], width: width, height: height)
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

  /// How many columns a picture takes: a cell is about twice as high as wide. Nothing is narrower than its number, and a
  /// panorama is no strip of its own.
  private static func width(aspect: Double, height: Int) -> Int {
    max(6, Int(clamping: (Double(height) * 2 * min(max(aspect, 0.5), 3)).rounded(.up)))
  }
}

extension CaptionedPicture {
  /// The picture as a piece of a strip.
  func piece(_ draw: @escaping (Cover, _ width: Int, _ height: Int) throws -> Painter.Drawing?) -> PictureStrip.Piece {
    let size = ImageInfo(cover.bytes)
    return PictureStrip.Piece(
      caption: caption, aspect: size.map { Double($0.width) / Double($0.height) } ?? 1
    ) { try draw(cover, $0, $1) }
  }
}

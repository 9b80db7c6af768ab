internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup

/// Draws covers and other pictures in the terminal.
struct CoverRenderer {
  /// A cover as the terminal shows it.
  enum Drawing: Equatable {
    /// Text of at most the requested size.
    case lines([String])
    /// Bytes that the terminal draws as pixels at the cursor.
    case pixels([UInt8])
  }

  private let chafa: Chafa
  private let now: @Sendable () -> Date
  /// The drawings of this run, for commands that draw repeatedly.
  private let memory: PictureCache?

  var graphics: Graphics { chafa.graphics }

  /// - Parameters:
  ///   - graphics: the protocol that the person asked for; nil for the setting, or the best one of the terminal.
  ///   - remembers: whether drawings are kept in memory.
  /// - Throws: ``Failure`` when the terminal shows no pictures.
  init(_ graphics: Graphics? = nil, in context: Context, remembers: Bool = false) throws {
    let otherwise: Message = "--save FILE keeps the picture, --print prints its address"
    guard context.terminal.isOutputTerminal else {
      throw Failure("covers are drawn on a terminal only, not into a pipe or file", hint: otherwise)
    }
    guard context.environment["TERM"] ?? "" != "", context.environment["TERM"] != "dumb" else {
      throw Failure("this terminal shows no pictures: TERM says so", hint: otherwise)
    }
    let configuration = try context.configuration()
    let colors = ColorDepth.detect(context.environment, terminal: context.terminal)
    // Without colours there are no pixels either, unless they are asked for.
    let found = colors == .none ? .blocks : Graphics.detect(context.environment)
    let set = try configuration["graphics"].map { try Graphics(argument: $0) }
    chafa = Chafa(graphics ?? set ?? found, colors: colors, usesUnicode: context.terminal.usesUnicode)
    now = context.now
    memory =
      remembers
      ? PictureCache(
        inMemoryUpTo: configuration["cache.memory"].flatMap(ByteCount.parse) ?? PictureCache.usualLimitInMemory)
      : nil
  }

  /// - Throws: ``Failure``, or ``Chafa/Failure`` when chafa is missing or cannot draw the cover.
  func draw(_ cover: Cover, width: Int, height: Int) throws -> Drawing {
    drawing(try bytes(of: cover, width: width, height: height))
  }

  private func bytes(of cover: Cover, width: Int, height: Int) throws -> [UInt8] {
    // The content of the picture counts, not a media type given elsewhere.
    guard let info = ImageInfo(cover.bytes) else { throw Failure("the picture cannot be drawn") }
    guard info.isDrawable else {
      throw Failure(
        "the picture is too large to draw: \(info.width) × \(info.height) pixels", hint: "--save FILE keeps the picture"
      )
    }
    return try chafa.draw(cover.bytes, width: width, height: height)
  }

  /// Draws a cover, or returns the drawing in memory if it has the same name and size; nil when there is nothing to
  /// draw.
  func drawAgain(_ name: String, width: Int, height: Int, _ cover: () throws -> Cover?) -> Drawing? {
    let key = "\(name) \(width)x\(height)"
    if let bytes = memory?.bytes(for: key, now: now()) { return bytes.isEmpty ? nil : drawing(bytes) }
    // A cover that cannot be drawn is not tried again.
    let drawn = (try? cover()).flatMap { try? bytes(of: $0, width: width, height: height) } ?? []
    memory?.keep(drawn, for: key, now: now())
    return drawn.isEmpty ? nil : drawing(drawn)
  }

  /// Draws pixels with their upper left corner this many lines above the cursor's line, and columns from the left.
  static func place(_ pixels: [UInt8], linesUp: Int, column: Int, on output: Output) throws {
    try output.append("\u{1B}7\u{1B}[\(linesUp)A\r" + (column > 0 ? "\u{1B}[\(column)C" : ""))
    try output.append(bytes: pixels.last == UInt8(ascii: "\n") ? pixels.dropLast() : pixels)
    try output.append("\u{1B}8")
  }

  private func drawing(_ bytes: [UInt8]) -> Drawing {
    guard !graphics.isPixels else { return .pixels(bytes) }
    return .lines(String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init))
  }
}

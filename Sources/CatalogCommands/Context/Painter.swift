internal import CatalogModel
internal import CommandLineKit
internal import FoundationEssentials
internal import Lookup

/// Draws covers and other pictures in the terminal.
struct Painter {
  /// A cover as the terminal shows it.
  enum Drawing: Equatable {
    /// Text of at most the size that was asked for.
    case lines([String])
    /// What the terminal makes into pixels where its cursor stands.
    case pixels([UInt8])
  }

  /// A larger picture is not unfolded in memory: 4096 × 4096 are 64 MiB.
  static let mostPixels = 4096 * 4096

  private let chafa: Chafa
  private let now: @Sendable () -> Date
  /// What was drawn already, for those who draw again and again.
  private let memory: PictureCache?

  var graphics: Graphics { chafa.graphics }

  /// - Parameters:
  ///   - graphics: what the person asks for; nil is what the settings say, or else the terminal can.
  ///   - remembers: keeps drawings in memory.
  /// - Throws: ``Failure`` when nothing can be drawn here.
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
    // Who wants no colour wants no pixels either, unless they are asked for.
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

  /// - Throws: ``Failure``, or ``Chafa/Failure`` when chafa is missing or cannot draw it.
  func draw(_ cover: Cover, width: Int, height: Int) throws -> Drawing {
    drawing(try bytes(of: cover, width: width, height: height))
  }

  private func bytes(of cover: Cover, width: Int, height: Int) throws -> [UInt8] {
    // What the bytes say counts, not what somebody wrote beside them.
    guard let info = ImageInfo(cover.bytes) else { throw Failure("the picture is none that can be drawn") }
    guard info.width.multipliedReportingOverflow(by: info.height).partialValue <= Self.mostPixels,
      info.width <= 1 << 16, info.height <= 1 << 16
    else {
      throw Failure(
        "the picture is too large to draw: \(info.width) × \(info.height) pixels", hint: "--save FILE keeps the picture"
      )
    }
    return try chafa.draw(cover.bytes, width: width, height: height)
  }

  /// The same, from memory when it was drawn before in this size; nil when there is nothing to draw.
  func drawAgain(_ name: String, width: Int, height: Int, _ cover: () throws -> Cover?) -> Drawing? {
    let key = "\(name) \(width)x\(height)"
    if let bytes = memory?.bytes(for: key, now: now()) { return bytes.isEmpty ? nil : drawing(bytes) }
    // What cannot be drawn is not tried again either.
    let drawn = (try? cover()).flatMap { try? bytes(of: $0, width: width, height: height) } ?? []
    memory?.keep(drawn, for: key, now: now())
    return drawn.isEmpty ? nil : drawing(drawn)
  }

  /// Writes pixels so that their upper left corner is so many lines above the cursor's line and columns from the left.
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

import Glibc
internal import Processes

/// The program chafa, which converts pictures for a terminal: <https://hpjansson.org/chafa/>.
public struct Chafa: Hashable, Sendable {
  public var graphics: Graphics
  public var colors: ColorDepth
  public var usesUnicode: Bool
  /// A name that is looked for in the PATH, or a path.
  public var program = "chafa"

  public init(_ graphics: Graphics, colors: ColorDepth, usesUnicode: Bool) {
    (self.graphics, self.colors, self.usesUnicode) = (graphics, colors, usesUnicode)
  }

  /// Why there is no drawing.
  public enum Failure: Error, Hashable, Sendable {
    /// chafa is not installed.
    case isMissing
    /// It could not read the picture, or did not end in time.
    case hasFailed
  }

  /// Draws a picture that fits into `width` columns and `height` lines.
  ///
  /// chafa gets the bytes in an unnamed file. They come from outside, so the caller must first check their format and
  /// dimensions.
  ///
  /// - Returns: the bytes for the terminal: for blocks, only lines of colored text.
  /// - Throws: ``Failure``, ``Interrupted``.
  public func draw(_ picture: [UInt8], width: Int, height: Int) throws -> [UInt8] {
    let captured: Spawn.Captured
    do {
      // chafa asks the terminal on its standard error for the size of a cell.
      captured = try Spawn.capture(
        [program] + arguments(width: width, height: height) + ["-"], input: .file(picture),
        error: graphics.isPixels ? .descriptor(STDOUT_FILENO) : .null, seconds: 10)
    } catch  where error.isMissingProgram {
      throw Failure.isMissing
    }
    try Interrupt.check()
    guard captured.status?.isSuccess == true, !captured.output.isEmpty else { throw Failure.hasFailed }
    return graphics.isPixels ? captured.output : Self.text(captured.output)
  }

  /// The arguments for chafa 1.12 (Debian 12) and later.
  private func arguments(width: Int, height: Int) -> [String] {
    var words = ["--size", "\(max(1, width))x\(max(1, height))", "--animate", "off", "--duration", "0"]
    switch graphics {
    case .kitty: words += ["--format", "kitty"]
    case .iterm: words += ["--format", "iterm"]
    case .sixels: words += ["--format", "sixels"]
    case .blocks:
      words += ["--format", "symbols", "--colors", colors.rawValue]
      // Without color, half blocks would be a pattern; other letters show light and dark.
      if !usesUnicode {
        words += ["--symbols", "ascii"]
      } else if colors != .none {
        words += ["--symbols", "vhalf"]
      }
    }
    return words
  }

  /// The letters and colours of a drawing, without any other control sequence.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    var text: [UInt8] = []
    var rest = bytes[...]
    while let byte = rest.popFirst() {
      switch byte {
      case 0x1B:
        guard rest.first == UInt8(ascii: "[") else { continue }
        let parameters = rest.dropFirst().prefix { (0x20...0x3F).contains($0) }
        let final = rest[parameters.endIndex...].first
        if final == UInt8(ascii: "m") { text += [0x1B, UInt8(ascii: "[")] + parameters + [UInt8(ascii: "m")] }
        rest = rest[parameters.endIndex...].dropFirst()
      case 0x0A, 0x20...0x7E, 0x80...: text.append(byte)
      default: break
      }
    }
    return text
  }
}

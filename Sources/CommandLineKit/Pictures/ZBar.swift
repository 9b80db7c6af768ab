internal import Processes

/// The program zbarimg, which reads the barcodes in a picture: <https://github.com/mchehab/zbar>.
///
/// The bytes come from outside, so the caller must first check their format and dimensions.
public struct ZBar: Hashable, Sendable {
  /// The value of `PATH` to search.
  public var path: String?

  public init(along path: String?) { self.path = path }

  /// The package to install, for a hint.
  public static let packages = "zbar-tools"

  /// The reason for missing codes.
  public enum Failure: Error, Hashable, Sendable {
    /// zbarimg is not installed.
    case isMissing
    /// The program failed or did not end in time.
    case hasFailed
  }

  /// The digits of the codes of articles (EAN and UPC) in a picture. One reading may be wrong, also where the check
  /// digit is right.
  /// - Parameters:
  ///   - mediaType: the format of the bytes.
  ///   - density: one line out of so many is looked at.
  /// - Throws: ``Failure``, ``Interrupted``.
  public func codes(in bytes: [UInt8], mediaType: String, density: Int = 1) throws -> [String] {
    let format = mediaType.split(separator: "/").last.map(String.init) ?? ""
    let captured: Spawn.Captured
    do {
      captured = try Spawn.capture(
        ["zbarimg", "--quiet", "--nodbus", "--raw", "-Sdisable", "-Sean13.enable", "-Sean8.enable"]
          // The format is fixed, because some formats of ImageMagick, which reads it, are programs.
          + ["-Sx-density=\(density)", "-Sy-density=\(density)", "\(format):-"],
        environment: environment, input: .file(bytes), error: .null, limit: 1 << 16, seconds: 20)
    } catch {
      if error.isMissingProgram { throw Failure.isMissing }
      throw error
    }
    try Interrupt.check()
    switch captured.status {
    case .exited(0):
      return String(decoding: captured.output, as: UTF8.self).split(whereSeparator: \.isNewline).map(String.init)
    // There is none.
    case .exited(4): return []
    default: throw Failure.hasFailed
    }
  }

  private var environment: Spawn.Environment {
    var variables = ["MAGICK_MEMORY_LIMIT": "256MiB", "MAGICK_MAP_LIMIT": "256MiB", "MAGICK_THREAD_LIMIT": "1"]
    if let path { variables["PATH"] = path }
    return .adding(variables)
  }
}

internal import Processes

/// The installed program that scales pictures down: vipsthumbnail (<https://www.libvips.org/>), else ImageMagick.
///
/// The bytes come from outside, so the caller must first check their format and dimensions.
public struct PictureScaler: Hashable, Sendable {
  /// A supported program.
  enum Program: String, CaseIterable {
    case vipsthumbnail
    /// ImageMagick 7, and 6.
    case magick, convert
  }

  private let program: Program
  private let path: String?

  /// The package to install, for a hint.
  public static let packages = "libvips-tools"

  /// The maximum size of a scaled picture in bytes. A cover of 480 × 640 pixels has a tenth of this.
  private static let mostBytes = 2 << 20

  /// - Parameter path: the value of `PATH` to search. Nil when no program is found.
  public init?(along path: String?) {
    let found = Program.allCases.first { (try? Executable.path(of: $0.rawValue, along: path)) != nil }
    guard let found else { return nil }
    (program, self.path) = (found, path)
  }

  /// Scales a picture to a JPEG that fits into `width` × `height` pixels, upright, on white, and without metadata such
  /// as place and camera. Nil when the program fails.
  /// - Parameters:
  ///   - mediaType: the format of the bytes.
  ///   - quality: the quality of the JPEG, up to 100.
  /// - Throws: ``Interrupted``.
  public func scaled(
    _ bytes: [UInt8], mediaType: String, width: Int, height: Int, quality: Int = 82
  ) throws -> [UInt8]? {
    let format = mediaType.split(separator: "/").last.map(String.init) ?? ""
    let captured = try? Spawn.capture(
      words(format: format, size: "\(width)x\(height)>", quality: quality), environment: environment,
      input: .file(bytes), error: .null, limit: Self.mostBytes, seconds: 10)
    try Interrupt.check()
    guard let captured, captured.status?.isSuccess == true, !captured.output.isEmpty else { return nil }
    return captured.output
  }

  private func words(format: String, size: String, quality: Int) -> [String] {
    switch program {
    case .vipsthumbnail:
      [program.rawValue, "stdin", "--size", size, "-o", ".jpg[Q=\(quality),strip,background=255]"]
    case .magick, .convert:
      // The input format is fixed, because some of ImageMagick's formats are programs, and some name other files.
      [program.rawValue, "-limit", "memory", "256MiB", "-limit", "map", "256MiB", "-limit", "disk", "0"]
        + ["-limit", "thread", "1", "\(format):-[0]", "-auto-orient", "-thumbnail", size]
        + ["-background", "white", "-flatten", "-strip", "-sampling-factor", "4:2:0"]
        + ["-quality", "\(quality)", "jpeg:-"]
    }
  }

  /// One thread, and no reader that its makers call unfit for strangers' files.
  private var environment: Spawn.Environment {
    var variables = ["VIPS_CONCURRENCY": "1", "VIPS_BLOCK_UNTRUSTED": "1"]
    if let path { variables["PATH"] = path }
    return .adding(variables)
  }
}

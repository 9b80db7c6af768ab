internal import Processes

/// The program rsvg-convert, which makes pixels of an SVG: <https://gitlab.gnome.org/GNOME/librsvg>.
public struct RSVG: Hashable, Sendable {
  /// The value of `PATH` to search.
  public var path: String?

  public init(along path: String?) { self.path = path }

  /// The reason for a missing picture.
  public enum Failure: Error, Hashable, Sendable {
    /// rsvg-convert is not installed.
    case isMissing
    /// The program failed or did not end in time.
    case hasFailed
  }

  /// The SVG as a PNG, a pixel a unit.
  /// - Throws: ``Failure``, ``Interrupted``.
  public func png(_ svg: String) throws -> [UInt8] {
    let environment: Spawn.Environment = path.map { .adding(["PATH": $0]) } ?? .ours
    let captured: Spawn.Captured
    do {
      captured = try Spawn.capture(
        ["rsvg-convert", "--format", "png"], environment: environment,
        input: .file(Array(svg.utf8)), error: .null, seconds: 60)
    } catch {
      if error.isMissingProgram { throw Failure.isMissing }
      throw error
    }
    try Interrupt.check()
    guard captured.status?.isSuccess == true, captured.output.starts(with: [0x89, 0x50, 0x4E, 0x47]) else {
      throw Failure.hasFailed
    }
    return captured.output
  }
}

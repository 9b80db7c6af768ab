import Glibc
internal import Processes

/// An event while a program uses the whole screen.
public enum ScreenEvent: Hashable, Sendable {
  /// A key was pressed.
  case key(Key)
  /// `size` may have changed, or another program has written to the screen: draw again.
  case resized
  /// A watched descriptor has data or is at its end.
  case ready(Int32)
  /// The deadline has passed.
  case due
  /// Ctrl-C, `kill`, or a closed terminal: `Interrupt` tells which, and `Interrupt.reset()` clears it.
  case ended
}

/// The whole terminal: its other screen, every key at once, and back to how it was on every way out.
///
///     try Screen.run(on: output, terminal: terminal) { screen in
///       repeat { try screen.show(finder.lines(in: screen.size)) } while finder.does(try screen.next())
///     }
///     try Interrupt.check()
///
/// A value of closures, so that a test brings its own screen, keys and clock.
public struct Screen {
  /// The size in cells.
  public struct Size: Hashable, Sendable {
    public var columns: Int
    public var lines: Int

    public init(columns: Int, lines: Int) { (self.columns, self.lines) = (columns, lines) }
  }

  /// A cell, counted from 0 at the left and at the top.
  public struct Place: Hashable, Sendable {
    public var column: Int
    public var line: Int

    public init(column: Int, line: Int) { (self.column, self.line) = (column, line) }
  }

  /// A picture that the terminal draws by itself: see `Graphics.isPixels`.
  public struct Pixels: Hashable, Sendable {
    public var bytes: [UInt8]
    /// The upper left corner.
    public var place: Place
    /// The height in lines. Changes on other lines do not affect the picture.
    public var height: Int

    public init(_ bytes: [UInt8], at place: Place, height: Int) {
      (self.bytes, self.place, self.height) = (bytes, place, height)
    }
  }

  /// The contents of the screen.
  public struct Frame: Hashable, Sendable {
    /// Text with styles, safe for a terminal, each cut to the width. Missing lines are blank.
    public var lines: [String]
    /// The position of the cursor; nil hides it.
    public var cursor: Place?
    /// Drawn over the lines.
    public var pixels: [Pixels]

    public init(_ lines: [String], cursor: Place? = nil, pixels: [Pixels] = []) {
      (self.lines, self.cursor, self.pixels) = (lines, cursor, pixels)
    }
  }

  private let askSize: () -> Size
  private let draw: (Frame) throws -> Void
  private let wait: (_ deadline: Duration?, _ watching: [Int32]) throws -> ScreenEvent
  private let giveBack: () -> Void
  private let takeAgain: () -> Void

  /// A screen made of these, for tests and other terminals.
  public init(
    size: @escaping () -> Size, show: @escaping (Frame) throws -> Void,
    next: @escaping (_ deadline: Duration?, _ watching: [Int32]) throws -> ScreenEvent,
    giveBack: @escaping () -> Void = {}, takeAgain: @escaping () -> Void = {}
  ) {
    (askSize, draw, wait, self.giveBack, self.takeAgain) = (size, show, next, giveBack, takeAgain)
  }

  /// The size as it is now.
  public var size: Size { askSize() }

  /// Draws a screen with only these lines. Unchanged parts are not written again.
  public func show(_ lines: [String], cursor: Place? = nil, pixels: [Pixels] = []) throws {
    try draw(Frame(lines, cursor: cursor, pixels: pixels))
  }

  /// Waits for the next event: a key, a resize, the deadline, one of `watching`.
  /// - Parameter deadline: on `Uptime.now()`. One that is over asks without waiting: a paste can be read to its end
  ///   before it is drawn.
  public func next(until deadline: Duration? = nil, watching: [Int32] = []) throws -> ScreenEvent {
    try wait(deadline, watching)
  }

  /// Gives the ordinary screen and mode to `body`: an editor, a player, a question.
  ///
  /// Everything is drawn anew at the next `show`, for which a `resized` asks. Keys typed ahead are for `body`, and so
  /// is Ctrl-C: when `body` returns nevertheless, it is forgotten.
  public func lend<Result>(_ body: () throws -> Result) rethrows -> Result {
    giveBack()
    defer { takeAgain() }
    let result = try body()
    if Interrupt.signal == SIGINT { Interrupt.reset() }
    return result
  }
}

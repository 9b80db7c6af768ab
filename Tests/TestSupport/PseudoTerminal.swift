import Foundation

/// A pseudo-terminal: tests read what a program writes, and type.
public final class PseudoTerminal {
  /// The path of the terminal's device.
  public let name: String
  private var descriptor: Int32
  /// All bytes written to the terminal.
  public private(set) var bytes: [UInt8] = []
  /// The screen as a person sees it.
  public private(set) var screen: TerminalScreen

  /// Opens a terminal of this size, without a program.
  public init(width: Int, height: Int = 24) throws {
    screen = TerminalScreen(columns: width, lines: height)
    // The steps of posix_openpt and related functions, which Swift's Glibc does not import: man 7 pty, man 2 ioctl_tty.
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    var unlocked: Int32 = 0
    var number: Int32 = -1
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431, &unlocked) == 0, ioctl(descriptor, 0x8004_5430, &number) == 0
    else {
      let code = errno
      Foundation.close(descriptor)
      throw LaunchFailure(call: "/dev/ptmx", code: code)
    }
    name = "/dev/pts/\(number)"
    resize(width: width, height: height)
  }

  deinit { close() }

  /// Resizes the window; its programs get a signal.
  public func resize(width: Int, height: Int) {
    screen.resize(columns: width, lines: height)
    var size = winsize(ws_row: UInt16(height), ws_col: UInt16(width), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(descriptor, UInt(TIOCSWINSZ), &size)
  }

  /// Closes the window.
  public func close() {
    if descriptor >= 0 { Foundation.close(descriptor) }
    descriptor = -1
  }

  /// The output, with the line ends of a file.
  public var text: String { String(decoding: bytes, as: UTF8.self).replacingOccurrences(of: "\r\n", with: "\n") }

  /// The settings of the terminal's input: all that `stty -a` shows.
  public var mode: [UInt32] {
    var mode = termios()
    guard tcgetattr(descriptor, &mode) == 0 else { return [] }
    return [mode.c_iflag, mode.c_oflag, mode.c_cflag, mode.c_lflag]
      + withUnsafeBytes(of: mode.c_cc) { $0.map(UInt32.init) }
  }

  /// Whether typed text is shown.
  public var echoes: Bool { mode.count > 3 && mode[3] & tcflag_t(ECHO) != 0 }

  /// Types text.
  public func type(_ text: String) {
    _ = Array(text.utf8).withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
  }

  /// Reads until this text was written, or the program has ended.
  @discardableResult
  public func waitFor(_ text: String) -> Bool {
    read { self.bytes.contains(text) }
    return bytes.contains(text)
  }

  /// Reads until the screen satisfies the condition, or the program has ended.
  public func waitUntil(_ isSeen: (TerminalScreen) -> Bool) -> Bool {
    read { isSeen(screen) }
    return isSeen(screen)
  }

  /// Reads until the program has ended.
  public func readToEnd() { read { false } }

  private func read(until isDone: () -> Bool) {
    let end = Date(timeIntervalSinceNow: Patience.seconds)
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while !isDone() {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      poll(&ready, 1, 100)
      // After a hang-up there may still be output, which only a read can tell.
      if Int32(ready.revents) & (POLLIN | POLLHUP) != 0 {
        let count = Foundation.read(descriptor, &buffer, buffer.count)
        guard count > 0 else { return }
        bytes += buffer[..<count]
        screen.feed(buffer[..<count])
      }
      if Date() > end { return }
    }
  }
}

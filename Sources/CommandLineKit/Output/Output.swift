import Glibc
internal import Processes

/// A buffered stream of bytes to a file descriptor, or into memory for a test.
///
/// It has an identity, like the descriptor behind it, so it is a class: whoever holds it writes to the same place.
/// Nothing is written before the buffer is full or `flush()` is called, except that an error stream writes at once.
public final class Output {
  /// Where full buffers go; nil keeps everything in memory.
  private let descriptor: Int32?
  private let isImmediate: Bool
  private var buffer: [UInt8] = []
  /// Why something could not be written. From then on nothing is: what comes behind a hole helps nobody.
  public private(set) var loss: (any Error)?

  /// How much is gathered before it is written.
  private static let capacity = 1 << 16

  /// A stream to a descriptor that someone else closes.
  public init(descriptor: Int32, isImmediate: Bool = false) {
    self.descriptor = descriptor
    self.isImmediate = isImmediate
  }

  private init() {
    descriptor = nil
    isImmediate = false
  }

  /// Standard output. Make one and pass it around: two would buffer apart.
  public static func standardOutput() -> Output { Output(descriptor: STDOUT_FILENO) }

  /// Standard error, written at once.
  public static func standardError() -> Output { Output(descriptor: STDERR_FILENO, isImmediate: true) }

  /// A stream that keeps what it gets.
  public static func memory() -> Output { Output() }

  /// What was appended and not yet written; for a stream in memory, everything.
  public var bytes: [UInt8] { buffer }

  /// `bytes` as text.
  public var text: String { String(decoding: buffer, as: UTF8.self) }

  /// Appends text as it is. Text from elsewhere goes through ``Sanitizing`` first.
  public func append(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    try written()
  }

  /// Appends a literal.
  public func append(_ text: StaticString) throws {
    text.withUTF8Buffer { buffer.append(contentsOf: $0) }
    try written()
  }

  /// Appends one byte.
  public func append(byte: UInt8) throws {
    buffer.append(byte)
    try written()
  }

  /// Appends bytes as they are.
  public func append(bytes: UnsafeRawBufferPointer) throws {
    buffer.append(contentsOf: bytes)
    try written()
  }

  /// Appends bytes as they are.
  public func append(bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    try written()
  }

  /// Appends a whole number in decimal digits, without making a string.
  public func append(_ number: Int64) throws {
    number.appendDigits(to: &buffer)
    try written()
  }

  /// Writes what is waiting. A stream in memory keeps it.
  ///
  /// - Throws: ``BrokenPipe`` or ``SystemError`` when this, or anything before, could not be written; ``Interrupted``.
  public func flush() throws {
    guard let descriptor else { return }
    // What cannot be written now cannot be written later, and must not be written twice.
    defer { buffer.removeAll(keepingCapacity: true) }
    if let loss { throw loss }
    guard !buffer.isEmpty else { return }
    do {
      try FileDescriptor.write(buffer, to: descriptor)
    } catch let error as Interrupted {
      throw error
    } catch {
      loss = error
      throw error
    }
  }

  /// Writes what is waiting, for whoever reads along with work that goes on. What cannot be written does not stop the work:
  /// the next ``flush()`` says it, at the latest at the end of the program.
  public func passOn() { try? flush() }

  @inline(__always)
  private func written() throws {
    if isImmediate { return try flush() }
    if buffer.count >= Output.capacity { try writeFull() }
  }

  /// Writes a full buffer, unless someone asked to stop: a long listing has no better place to notice.
  private func writeFull() throws {
    guard descriptor != nil else { return }
    try Interrupt.check()
    try flush()
  }
}

@available(*, unavailable)
extension Output: Sendable {}

extension Int64 {
  /// Appends the decimal digits.
  func appendDigits(to bytes: inout [UInt8]) {
    if self < 0 { bytes.append(UInt8(ascii: "-")) }
    let start = bytes.count
    var rest = magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    bytes[start...].reverse()
  }
}

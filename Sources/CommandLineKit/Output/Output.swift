import Glibc
internal import Processes

/// A buffered stream of bytes to a file descriptor, or to memory for a test.
///
/// Like its descriptor it has an identity, so it is a class, and all its owners write to the same place. The buffer is
/// written when it is full or `flush()` is called; an error stream writes at once.
public final class Output {
  /// The destination of full buffers; nil keeps everything in memory.
  private let descriptor: Int32?
  private let isImmediate: Bool
  private var buffer: [UInt8] = []
  /// The first write error. Nothing is written after it, since output with a gap is useless.
  public private(set) var loss: (any Error)?
  /// The number of bytes written to the descriptor.
  public private(set) var written = 0

  /// The size of the buffer in bytes.
  private static let capacity = 1 << 16

  /// A stream to a descriptor that the caller closes.
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

  /// A stream to memory.
  public static func memory() -> Output { Output() }

  /// The bytes not yet written; for a stream in memory, all bytes.
  public var bytes: [UInt8] { buffer }

  /// `bytes` as text.
  public var text: String { String(decoding: buffer, as: UTF8.self) }

  /// Appends text unchanged. Text from outside must pass through ``Sanitizing`` first.
  public func append(_ text: String) throws {
    buffer.append(contentsOf: text.utf8)
    try passFull()
  }

  /// Appends a literal.
  public func append(_ text: StaticString) throws {
    text.withUTF8Buffer { buffer.append(contentsOf: $0) }
    try passFull()
  }

  public func append(byte: UInt8) throws {
    buffer.append(byte)
    try passFull()
  }

  public func append(bytes: UnsafeRawBufferPointer) throws {
    buffer.append(contentsOf: bytes)
    try passFull()
  }

  public func append(bytes: [UInt8]) throws {
    buffer.append(contentsOf: bytes)
    try passFull()
  }

  /// Appends a whole number in decimal digits, without making a string.
  public func append(_ number: Int64) throws {
    number.appendDigits(to: &buffer)
    try passFull()
  }

  /// Writes the buffer. A stream to memory keeps it.
  ///
  /// - Throws: ``BrokenPipe`` or ``SystemError`` when this or an earlier write failed; ``Interrupted``.
  public func flush() throws {
    guard let descriptor else { return }
    // A failed write is not repeated, because a part of it may have been written.
    defer { buffer.removeAll(keepingCapacity: true) }
    if let loss { throw loss }
    guard !buffer.isEmpty else { return }
    do {
      try FileDescriptor.write(buffer, to: descriptor)
      written += buffer.count
    } catch let error as Interrupted {
      throw error
    } catch {
      loss = error
      throw error
    }
  }

  /// Writes the buffer, for readers of work in progress. An error does not stop the work: the next ``flush()`` throws
  /// it, at the latest at the end of the program.
  public func flushIgnoringErrors() { try? flush() }

  @inline(__always)
  private func passFull() throws {
    if isImmediate { return try flush() }
    if buffer.count >= Output.capacity { try writeFull() }
  }

  /// Writes a full buffer. Checks for an interrupt here, since a long listing has no better place.
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

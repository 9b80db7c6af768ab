import Glibc
internal import Processes

/// Waits for keys and watched descriptors with one `poll`.
struct EventReader {
  /// The descriptor of the keyboard input.
  private let input: Int32
  private var decoder = KeyDecoder()
  /// The time at which an incomplete key sequence ends.
  private var patience = Duration.zero
  /// The watched descriptor that was reported last. The next one takes precedence.
  private var lastReady: Int32?

  init(input: Int32) { self.input = input }

  /// The next key, watched descriptor or end of the time; `.ended` at the end of the input, and nil after a signal.
  ///
  /// Keys come first, so that a person is never kept waiting.
  mutating func next(until deadline: Duration?, watching: [Int32]) throws(SystemError) -> ScreenEvent? {
    while true {
      if let key = decoder.next() { return .key(key) }
      let end = decoder.isWaiting ? min(patience, deadline ?? patience) : deadline
      var waiting = ([SelfPipe.descriptor, input] + watching).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
      guard poll(&waiting, nfds_t(waiting.count), end.map { Uptime.milliseconds(until: $0) } ?? -1) >= 0 else {
        if errno == EINTR { return nil }
        throw SystemError(errno, "wait for a key")
      }
      let ready = Set(waiting.lazy.filter { $0.revents != 0 }.map(\.fd))
      if ready.contains(SelfPipe.descriptor) {
        SelfPipe.drain()
        return nil
      }
      if ready.contains(input) {
        guard readByte() else { return .ended }
        continue
      }
      let now = Uptime.now()
      if decoder.isWaiting, now >= patience {
        decoder.giveUp()
      } else if let deadline, now >= deadline {
        return .due
      } else if let next = Self.next(of: ready, after: lastReady) {
        lastReady = next
        return .ready(next)
      }
    }
  }

  /// Chooses the next ready descriptor in turn, so that a busy one does not block the others.
  private static func next(of ready: Set<Int32>, after last: Int32?) -> Int32? {
    ready.filter { $0 > last ?? -1 }.min() ?? ready.min()
  }

  /// Reads one byte only, because the input after a key may belong to a program that is about to get the terminal.
  /// False at the end.
  private mutating func readByte() -> Bool {
    var byte: UInt8 = 0
    let count = read(input, &byte, 1)
    guard count == 1 else { return count < 0 && (errno == EINTR || errno == EAGAIN) }
    decoder.append(byte)
    patience = Uptime.now() + decoder.patience
    return true
  }
}

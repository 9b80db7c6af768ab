internal import Glibc
internal import Synchronization

/// Work on a background thread, while the program handles other events.
///
///     let work = try BackgroundWork { try client.page(of: search) }
///     // … poll(work.descriptor) among others …
///     if let result = work.result { … }
///
/// No signal reaches the thread. When the work is cancelled or its value is released, the next check of ``Interrupt``
/// on the thread throws, as after Ctrl-C.
public final class BackgroundWork<Value: Sendable>: Sendable {
  /// Becomes readable when the work is done. It is closed with this value.
  public let descriptor: Int32
  private let state: State

  private final class State: Sendable {
    let result = Mutex<Result<Value, any Error>?>(nil)
    let cancellation = Interrupt.Cancellation()
  }

  /// Starts the work at once.
  /// - Throws: ``SystemError`` when a thread or a pipe cannot be created.
  public init(_ body: @escaping @Sendable () throws -> Value) throws(SystemError) {
    let (pipe, state) = (try Pipe(), State())
    do throws(SystemError) {
      try Thread.start {
        let result = Interrupt.cancelled(by: state.cancellation) { Result { try body() } }
        state.result.withLock { $0 = result }
        // To close it is to say that it is done: the other end is at its end, and may be closed already.
        close(pipe.writeEnd)
      }
    } catch {
      pipe.close()
      throw error
    }
    (descriptor, self.state) = (pipe.readEnd, state)
  }

  deinit {
    cancel()
    close(descriptor)
  }

  /// The result; nil while the work is running.
  public var result: Result<Value, any Error>? { state.result.withLock { $0 } }

  /// Cancels the work at its next check.
  public func cancel() { state.cancellation.request() }

  /// Waits until the work ends or the time is over.
  public func wait(atMost time: Duration) {
    let end = Uptime.now() + time
    while result == nil, Uptime.now() < end {
      var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      _ = poll(&ready, 1, Uptime.milliseconds(until: end))
    }
  }
}

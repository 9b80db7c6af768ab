internal import Glibc
internal import Synchronization

/// A queue between two threads with a limited capacity. `put` waits while it is full, taking waits while it is empty.
public final class BoundedQueue<Element: Sendable>: Sendable {
  private let elements = Mutex<[Element]>([])
  private let (room, stock): (Semaphore, Semaphore)

  /// - Parameter capacity: the maximum number of elements, at least 1.
  public init(capacity: Int) { (room, stock) = (Semaphore(max(1, capacity)), Semaphore(0)) }

  /// Appends an element, when there is space.
  /// - Throws: `Interrupted` when the thread's work is cancelled during the wait.
  public func put(_ element: Element) throws(Interrupted) {
    try room.wait()
    elements.withLock { $0.append(element) }
    stock.signal()
  }

  /// Takes the first one, when there is one.
  /// - Throws: `Interrupted` when the work of this thread should stop while it waits.
  public func take() throws(Interrupted) -> Element {
    try stock.wait()
    let element = elements.withLock { $0.removeFirst() }
    room.signal()
    return element
  }
}

/// A number that one thread raises and another lowers, when it is above 0.
private final class Semaphore: Sendable {
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init(_ count: Int) { sem_init(semaphore, 0, UInt32(count)) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func signal() { sem_post(semaphore) }

  /// Waits for the semaphore. Cancelling a thread's work does not signal it, so this checks every 0.1 s.
  func wait() throws(Interrupted) {
    while sem_trywait(semaphore) != 0 {
      try Interrupt.check()
      var end = timespec()
      clock_gettime(CLOCK_REALTIME, &end)
      end.tv_nsec += 100_000_000
      if end.tv_nsec >= 1_000_000_000 { (end.tv_sec, end.tv_nsec) = (end.tv_sec + 1, end.tv_nsec - 1_000_000_000) }
      if sem_timedwait(semaphore, &end) == 0 { return }
    }
  }
}

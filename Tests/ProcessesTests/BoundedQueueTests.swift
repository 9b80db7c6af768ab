import Synchronization
import TestSupport
import Testing

@testable import Processes

struct BoundedQueueTests {
  @Test(arguments: [0, 1, 3, 1_000]) func `a bounded queue keeps the order of its elements`(capacity: Int) throws {
    let queue = BoundedQueue<Int>(capacity: capacity)
    let work = try BackgroundWork { for number in 0..<500 { try queue.put(number) } }
    #expect(try (0..<500).map { _ in try queue.take() } == Array(0..<500))
    work.wait(atMost: Patience.time)
    #expect(throws: Never.self) { try work.result?.get() }
  }

  @Test func `a bounded queue never holds more than its capacity`() throws {
    let queue = BoundedQueue<Int>(capacity: 3)
    let put = Mutex(0)
    let work = try BackgroundWork {
      for number in 1...50 {
        try queue.put(number)
        put.withLock { $0 = number }
      }
    }
    for taken in 1...50 {
      #expect(put.withLock { $0 } <= taken + 3)
      #expect(try queue.take() == taken)
    }
    work.wait(atMost: Patience.time)
    #expect(work.result != nil)
  }

  @Test func `waiting on a bounded queue can be cancelled`() throws {
    let (full, empty) = (BoundedQueue<Int>(capacity: 1), BoundedQueue<Int>(capacity: 1))
    try full.put(1)
    let putting = try BackgroundWork { try full.put(2) }
    let taking = try BackgroundWork { _ = try empty.take() }
    for work in [putting, taking] {
      #expect(work.result == nil)
      work.cancel()
      work.wait(atMost: Patience.time)
      #expect(throws: Interrupted.self) { try work.result?.get() }
    }
    #expect(try full.take() == 1)
  }
}

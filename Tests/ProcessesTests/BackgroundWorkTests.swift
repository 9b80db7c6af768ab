import Foundation
import Synchronization
import TestSupport
import Testing

@testable import Processes

struct BackgroundWorkTests {
  @Test func `the result of background work can be waited for`() throws {
    let work = try BackgroundWork { (1...100).reduce(0, +) }
    var ready = pollfd(fd: work.descriptor, events: Int16(POLLIN), revents: 0)
    #expect(poll(&ready, 1, Patience.milliseconds) == 1)
    #expect(try work.result?.get() == 5050)
  }

  @Test func `an error in background work is its result`() throws {
    let work = try BackgroundWork { throw SystemError(ENOENT, "do it") }
    work.wait(atMost: Patience.time)
    #expect(throws: SystemError(ENOENT, "do it")) { try work.result?.get() }
  }

  @Test func `cancelling background work interrupts only that work`() throws {
    let (begun, other) = (Gate(for: 2), Gate(for: 2))
    let work = try BackgroundWork {
      begun.pass()
      while true {
        try Interrupt.check()
        usleep(1000)
      }
    }
    let bystander = try BackgroundWork {
      other.pass()
      return Interrupt.isRequested
    }
    begun.pass()
    #expect(work.result == nil)
    work.cancel()
    work.wait(atMost: Patience.time)
    #expect(throws: Interrupted.self) { try work.result?.get() }
    other.pass()
    bystander.wait(atMost: Patience.time)
    #expect(try bystander.result?.get() == false)
    #expect(!Interrupt.isRequested)
  }

  @Test func `background work is cancelled when its owner is released`() throws {
    let ended = Gate(for: 2)
    do {
      _ = try BackgroundWork {
        while !Interrupt.isRequested { usleep(1000) }
        ended.pass()
      }
    }
    ended.pass()
  }

  @Test func `background work blocks all signals except those of a crash`() throws {
    let before = Self.blocked()
    let work = try BackgroundWork { Self.blocked() }
    work.wait(atMost: Patience.time)
    #expect(try work.result?.get() == [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCHLD])
    #expect(Self.blocked() == before)
  }

  /// The signals that are blocked in this thread.
  @Sendable private static func blocked() -> [Int32] {
    var blocked = sigset_t()
    pthread_sigmask(SIG_BLOCK, nil, &blocked)
    return [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCHLD, SIGSEGV, SIGABRT].filter {
      sigismember(&blocked, $0) == 1
    }
  }

  @Test func `finished background work closes its descriptors`() throws {
    func open() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0 }
    let before = open()
    for number in 0..<1_000 {
      let work = try BackgroundWork { number }
      work.wait(atMost: Patience.time)
      #expect(try work.result?.get() == number)
    }
    // Other tests may hold a few at the same time.
    #expect(open() < before + 25)
  }
}

import Glibc
import Testing

@testable import Processes

@Suite(.serialized)
struct InterruptTests {
  @Test func `a signal sets the interrupt request until it is reset`() throws {
    try Interrupt.check()
    Interrupt.install()
    #expect(!Interrupt.isRequested)
    // The threads that run tests block signals; on this one it is delivered before `raise` returns.
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGHUP)
    pthread_sigmask(SIG_UNBLOCK, &signals, nil)
    raise(SIGHUP)
    #expect(Interrupt.isRequested)
    #expect(Interrupt.signal == SIGHUP)
    #expect(throws: Interrupted.self) { try Interrupt.check() }
    #expect(throws: Interrupted.self) { try Interrupt.wait(.seconds(3_600)) }
    try Interrupt.postponed {
      try Interrupt.postponed { try Interrupt.check() }
      try Interrupt.check()
      #expect(Interrupt.isPending)
    }
    #expect(Interrupt.isRequested)
    Interrupt.reset()
    #expect(Interrupt.signal == nil)
    try Interrupt.wait(.milliseconds(1))
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }
}

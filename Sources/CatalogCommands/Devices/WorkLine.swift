internal import CommandLineKit
internal import Processes

/// One line at a terminal that says what a sync is doing, of how many items, and how long that takes yet.
struct WorkLine {
  private let errors: Output
  private let terminal: Terminal
  private let now: () -> Duration
  private var work: Synchronizer.Work?
  private var line: Progress?

  init(on errors: Output, _ terminal: Terminal, now: @escaping () -> Duration = Uptime.now) {
    (self.errors, self.terminal, self.now) = (errors, terminal, now)
  }

  mutating func show(_ work: Synchronizer.Work, _ done: Int, of count: Int) {
    if work != self.work {
      finish()
      self.work = work
      line = Progress(work.title, total: count, on: errors, terminal: terminal, now: now)
    }
    line?.total = count
    try? line?.update(done: done)
  }

  /// Takes the line away, for whatever is to be said.
  mutating func finish() {
    try? line?.finish()
    (work, line) = (nil, nil)
  }
}

extension Synchronizer.Work {
  fileprivate var title: Message {
    switch self {
    case .comparing: "Comparing"
    case .writing: "Writing"
    case .applying: "Taking"
    }
  }
}

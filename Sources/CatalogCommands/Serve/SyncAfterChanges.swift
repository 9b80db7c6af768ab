internal import CatalogModel
internal import CommandLineKit
internal import Processes

/// Syncs a served catalog: at the start, 3 s after each change, and every 15 minutes.
final class SyncAfterChanges {
  /// The delay after a change, since further forms often follow.
  private static let quiet = Duration.seconds(3)
  private static let pause = Duration.seconds(900)
  /// The time limit of a sync: the first one transfers everything.
  private static let longest = Duration.seconds(3_600)

  private let catalog: String
  private let uptime: () -> Duration
  /// The time of the next sync.
  private var due: Duration
  private var work: BackgroundWork<CommandResult>?
  /// The start of the work.
  private var begun = Duration.zero
  private var last: (at: Duration, isDone: Bool, line: Message)?

  init(of catalog: String, uptime: @escaping () -> Duration) {
    (self.catalog, self.uptime, due) = (catalog, uptime, uptime())
  }

  /// Schedules a sync after a change.
  func noteChange() { due = min(due, uptime() + Self.quiet) }

  var isBusy: Bool { work != nil }

  /// Starts a sync that is due, and takes the result of a finished one.
  func tick(_ perform: @escaping @Sendable (BackgroundCommand) -> CommandResult) {
    let now = uptime()
    if let result = work?.result {
      work = nil
      switch result {
      case .success(let result): last = (now, result.isDone, Message(verbatim: result.lines.first ?? ""))
      case .failure(let error): last = (now, false, Failure(error).message)
      }
    }
    if let work, now > begun + Self.longest { work.cancel() }
    guard work == nil, now >= due else { return }
    (due, begun) = (now + Self.pause, now)
    let command = BackgroundCommand(words: ["--db=\(catalog)", "sync"], language: "en")
    work = try? BackgroundWork { perform(command) }
  }

  /// The result and the age of the last sync; nil before the first.
  func words(now: Duration) -> Message? {
    guard let last else { return nil }
    let minutes = Int(clamping: (now - last.at) / .seconds(60))
    let time: Message =
      minutes == 0
      ? "just now" : Message(counting: minutes, one: "\(minutes) minute ago", many: "\(minutes) minutes ago")
    return last.isDone ? "Synced \(time)" : "Not synced \(time): \(last.line)"
  }
}

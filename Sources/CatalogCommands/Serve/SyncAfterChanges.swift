internal import CatalogModel
internal import CommandLineKit
internal import Processes

/// Syncs a catalog that is served: at the start, some seconds after each change, and from time to time for what others change.
final class SyncAfterChanges {
  /// Whoever sends one form may send another.
  private static let quiet = Duration.seconds(3)
  private static let pause = Duration.seconds(900)
  /// A first sync takes all there is.
  private static let longest = 3_600.0

  private let catalog: String
  private let uptime: () -> Duration
  /// When it begins.
  private var due: Duration
  private var work: BackgroundWork<TypedCommand.Outcome>?
  private var last: (at: Duration, isDone: Bool, line: Message)?

  init(of catalog: String, uptime: @escaping () -> Duration) {
    (self.catalog, self.uptime, due) = (catalog, uptime, uptime())
  }

  /// Something was changed.
  func noteChange() { due = min(due, uptime() + Self.quiet) }

  var isBusy: Bool { work != nil }

  /// Begins what is due, and takes what came of it.
  func tick(_ perform: @escaping @Sendable (TypedCommand) throws -> TypedCommand.Outcome) {
    let now = uptime()
    if let result = work?.result {
      work = nil
      switch result {
      case .success(let outcome): last = (now, outcome.isDone, Message(verbatim: outcome.lines(in: nil).first ?? ""))
      case .failure(let error): last = (now, false, Failure(error).message)
      }
    }
    guard work == nil, now >= due else { return }
    due = now + Self.pause
    let command = TypedCommand(words: ["--db=\(catalog)", "sync"], seconds: Self.longest)
    work = try? BackgroundWork { try perform(command) }
  }

  /// How it stands, for a person.
  func words(now: Duration) -> Message? {
    guard let last else { return nil }
    let minutes = Int(clamping: (now - last.at) / .seconds(60))
    let time: Message =
      minutes == 0
      ? "just now" : Message(counting: minutes, one: "\(minutes) minute ago", many: "\(minutes) minutes ago")
    return last.isDone ? "Synced \(time)" : "Not synced \(time): \(last.line)"
  }
}

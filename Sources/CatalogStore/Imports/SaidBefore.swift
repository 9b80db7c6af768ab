internal import CatalogModel

/// The diary times and the wish of an imported row. A newer export may change them, and the catalog follows. They are
/// stored with the row, one line for each time:
///
///     done - 2024-05-05 https://boxd.it/h2
///     ongoing 2024-01-05 -
///     wish
struct SaidBefore: Sendable, Hashable {
  struct Time: Sendable, Hashable {
    var outcome: LogEntry.Outcome
    var startedOn: PartialDate?
    var endedOn: PartialDate?
    /// The id of the time in the other program.
    var name: String?

    init(_ time: Entry.Time) {
      (outcome, startedOn, endedOn, name) = (time.outcome, time.startedOn, time.endedOn, time.name)
    }

    fileprivate init?(_ line: String) {
      let parts = line.split(separator: " ", maxSplits: 3).map(String.init)
      guard parts.count >= 3, let outcome = LogEntry.Outcome(rawValue: parts[0]) else { return nil }
      self.outcome = outcome
      (startedOn, endedOn) = (PartialDate(parts[1]), PartialDate(parts[2]))
      name = parts.count > 3 ? parts[3] : nil
    }

    fileprivate var text: String {
      "\(outcome.rawValue) \(startedOn?.description ?? "-") \(endedOn?.description ?? "-")"
        + (name.flatMap { Text.line($0) }.map { " \($0)" } ?? "")
    }

    /// Whether two times agree in outcome and day.
    fileprivate func isAsDated(_ other: Time) -> Bool { outcome == other.outcome && endedOn == other.endedOn }
  }

  var times: [Time]
  var isWish: Bool

  /// Returns nil without times or a wish.
  init?(_ entry: Entry) {
    guard !entry.times.isEmpty || entry.wish != nil else { return nil }
    (times, isWish) = (entry.times.map(Time.init), entry.wish != nil)
  }

  init(times: [Time], isWish: Bool) { (self.times, self.isWish) = (times, isWish) }

  init(_ text: String) {
    let lines = Text.parts(text)
    (times, isWish) = (lines.compactMap(Time.init), lines.contains("wish"))
  }

  var text: String { (times.map(\.text) + (isWish ? ["wish"] : [])).joined(separator: "\n") }

  /// Matches the times of a newer export with the earlier ones. Returns the index of each in ``times``, nil for a new
  /// one.
  ///
  /// Times match by the id of the other program, then by day. Then a time may have lost its day, been finished, got a
  /// day, or changed its day.
  func places(of now: [Entry.Time]) -> [Int?] {
    let now = now.map(Time.init)
    var places = [Int?](repeating: nil, count: now.count)
    var free = Array(times.indices)
    func pair(lastFirst: Bool = false, _ fits: (_ before: Time, _ now: Time) -> Bool) {
      for place in lastFirst ? now.indices.reversed() : Array(now.indices) where places[place] == nil {
        guard let known = free.firstIndex(where: { fits(times[$0], now[place]) }) else { continue }
        places[place] = free.remove(at: known)
      }
    }
    func mayBeOne(_ before: Time, _ now: Time) -> Bool { before.name == nil || now.name == nil }
    pair { $0.name != nil && $0.name == $1.name }
    pair { mayBeOne($0, $1) && $0.isAsDated($1) && $0.startedOn == $1.startedOn }
    pair { mayBeOne($0, $1) && $0.isAsDated($1) }
    pair {
      mayBeOne($0, $1) && $0.outcome == $1.outcome && $0.endedOn != nil && $1.endedOn == nil && $1.outcome != .ongoing
    }
    pair { mayBeOne($0, $1) && $0.outcome == .ongoing && $1.outcome != .ongoing && $0.startedOn == $1.startedOn }
    pair(lastFirst: true) {
      mayBeOne($0, $1) && $0.outcome == .ongoing && ($1.outcome == .ongoing || $1.endedOn != nil)
    }
    pair { mayBeOne($0, $1) && $0.outcome == $1.outcome && $0.endedOn == nil && $0.outcome != .ongoing }
    pair { $0.name == nil && $1.name == nil && $0.outcome == $1.outcome && $1.outcome != .ongoing }
    return places
  }
}

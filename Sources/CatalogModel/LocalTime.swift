public import FoundationEssentials
internal import Glibc

/// The time of the place where the person is. It alone decides of which day a stored moment is: moments are kept in
/// UTC, and a person's day begins at their midnight.
public struct LocalTime: Sendable {
  /// The seconds by which the local time is ahead of UTC at a moment.
  public let offset: @Sendable (Date) -> Int

  public init(_ offset: @escaping @Sendable (Date) -> Int) { self.offset = offset }

  public static let utc = LocalTime { _ in 0 }

  /// The time zone of the environment (`TZ`, `/etc/localtime`), with its daylight saving time.
  public static let ofProcess = LocalTime { date in
    var (time, local) = (time_t(date.timeIntervalSince1970.rounded(.down)), tm())
    return localtime_r(&time, &local) == nil ? 0 : local.tm_gmtoff
  }

  /// The local day of a moment: `2026-11-21`.
  public func day(of moment: Timestamp) -> String {
    date(of: moment)?.description ?? String(moment.rawValue.prefix(10))
  }

  /// The local day of a moment; nil if it is none.
  public func date(of moment: Timestamp) -> PartialDate? {
    var text = moment.rawValue
    return text.withUTF8 { date(of: $0) }
  }

  /// The last day on which something can have been seen or lent: tomorrow, since it is tomorrow already in other
  /// places.
  public func lastDay(_ now: Timestamp) -> String {
    let today = day(of: now)
    return PartialDate(today)?.later(days: 1)?.description ?? today
  }

  /// Whether a day, or the beginning of a month or year, is after the last day on which something can have been seen.
  public func isToCome(_ date: PartialDate, now: Timestamp) -> Bool {
    lastDay(now).prefix(date.description.utf8.count) < date.description
  }

  /// The local day and time of a moment: `2026-11-21 09:30`.
  public func minute(of moment: Timestamp) -> String {
    var text = moment.rawValue
    let local = text.withUTF8 { localSeconds(of: $0) }.flatMap(Self.text)
    return local.map { "\($0.prefix(10)) \($0.dropFirst(11).prefix(5))" } ?? moment.rawValue
  }

  /// The local day of a moment in its stored form; nil for any other text.
  public func date(of moment: UnsafeBufferPointer<UInt8>) -> PartialDate? {
    localSeconds(of: moment).flatMap { PartialDate(dayNumber: Self.day($0)) }
  }

  /// The first moment of a year, month or day.
  public func start(of date: PartialDate) -> Timestamp {
    let day = PartialDate.dayNumber(year: date.year, month: date.month ?? 1, day: date.day ?? 1)
    // No place is more than 16 hours from UTC. The local time goes up with time, but for an hour once a year.
    var (before, start) = (day * 86_400 - 16 * 3600, day * 86_400 + 16 * 3600)
    let (first, last) = (seconds(ahead: before), seconds(ahead: start))
    if first == last {
      start = day * 86_400 - first
    } else {
      while start - before > 1 {
        let middle = before + (start - before) / 2
        if Self.day(middle + seconds(ahead: middle)) < day { before = middle } else { start = middle }
      }
    }
    return Timestamp(rawValue: Self.text(start) ?? "\(date)")
  }

  /// The first moment after a year, month or day.
  public func end(of date: PartialDate) -> Timestamp {
    date.next.map(start(of:)) ?? Timestamp(rawValue: "9999-12-31T99")
  }

  private func seconds(ahead moment: Int) -> Int { offset(Date(timeIntervalSince1970: TimeInterval(moment))) }

  /// The day of a number of seconds, both counted from 1970-01-01.
  private static func day(_ seconds: Int) -> Int { (seconds - (seconds % 86_400 + 86_400) % 86_400) / 86_400 }

  /// `2026-11-21T09:30:00Z` for seconds since 1970-01-01; nil outside the years 1 … 9999.
  private static func text(_ seconds: Int) -> String? {
    let (day, time) = (day(seconds), seconds - day(seconds) * 86_400)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return PartialDate(dayNumber: day).map { "\($0)T\(two(time / 3600)):\(two(time / 60 % 60)):\(two(time % 60))Z" }
  }

  /// The local time as seconds since 1970-01-01: `2026-11-21T09:30:00Z`.
  private func localSeconds(of moment: UnsafeBufferPointer<UInt8>) -> Int? {
    guard moment.count >= 19, moment[10] == UInt8(ascii: "T") else { return nil }
    func number(_ places: Range<Int>) -> Int? {
      places.reduce(0 as Int?) { sum, place in
        let digit = Int(moment[place]) - 0x30
        return (0...9).contains(digit) ? sum.map { $0 * 10 + digit } : nil
      }
    }
    guard let year = number(0..<4), let month = number(5..<7), let day = number(8..<10), let hour = number(11..<13),
      let minute = number(14..<16), let second = number(17..<19), (1...12).contains(month), (1...31).contains(day),
      hour < 24
    else { return nil }
    let moment =
      PartialDate.dayNumber(year: year, month: month, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    return moment + seconds(ahead: moment)
  }
}

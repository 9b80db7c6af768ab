internal import CatalogModel
internal import FoundationEssentials

/// Dates as other programs write them.
enum Dates {
  /// The notation of the days in a column.
  enum Order: Hashable, Sendable {
    case numbers(DateOrder)
    /// Days since 1900, as in spreadsheets: `44147`.
    case serial

    static let (day, month, year) = (Order.numbers(.dmy), Order.numbers(.mdy), Order.numbers(.ymd))
  }

  /// Reads a date as ``DayText`` does, or the number of a spreadsheet.
  ///
  /// Nil for other texts, for ambiguous dates such as `03/04/2012` without an order, and for years before Christ.
  static func read(
    _ text: String, order: Order? = nil, today: PartialDate? = nil, mayBeToCome: Bool = false
  ) -> PartialDate? {
    if let date = PartialDate(text) { return date }
    var context = DayContext(today: today, mayBeToCome: mayBeToCome)
    switch order {
    case .serial?: if let day = day(ofSerial: text) { return day }
    case .numbers(let order)?: context.order = order
    case nil: break
    }
    return DayText(text).flatMap { $0.date(in: context) ?? $0.compactMonth }
  }

  /// Reads the day of something in a person's life, as ``read(_:order:today:mayBeToCome:)`` does. Of a moment in UTC
  /// it is their local day; midnight in UTC is a day without a time.
  static func read(
    _ text: String, order: Order? = nil, today: PartialDate? = nil, at localTime: LocalTime
  ) -> PartialDate? {
    if let moment = moment(ofSeconds: text) { return localTime.date(of: moment) }
    guard text.utf8.count >= 20, text.hasSuffix("Z") || text.hasSuffix("+00:00"), PartialDate(text.prefix(10)) != nil,
      case let time = text.dropFirst(11).prefix(8), time != "00:00:00",
      let day = localTime.date(of: Timestamp(rawValue: "\(text.prefix(10))T\(time)Z"))
    else { return read(text, order: order, today: today) }
    return day
  }

  /// The moment for a number of seconds or milliseconds since 1970, from 2001 on.
  private static func moment(ofSeconds text: String) -> Timestamp? {
    let count = text.utf8.count
    guard count == 10 || count == 13, text.utf8.first == UInt8(ascii: "1"), let number = Int(text) else { return nil }
    return Timestamp(Date(timeIntervalSince1970: TimeInterval(count == 13 ? number / 1_000 : number)))
  }

  /// The day for a spreadsheet's serial number, possibly with a fraction: 1 is 1 January 1900, and 60 the non-existent
  /// 29 February 1900.
  static func day(ofSerial text: String) -> PartialDate? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.allSatisfy({ $0.utf8.allSatisfy { (48...57).contains($0) } }),
      let number = parts.first.flatMap({ Int($0) }), (20_000..<80_000).contains(number)
    else { return nil }
    return PartialDate(dayNumber: number - 25_569)
  }
}

extension Dates {
  /// The evidence of a column's cells for the order of its days: the order that reads every cell. One cell may be
  /// ambiguous.
  struct Evidence {
    /// The result of an order for the cells.
    private struct Trial {
      /// The cells that it cannot read, or that it would place into the future or far into the past.
      var faults = 0
      var years: Set<Int> = []
      /// The cell that the most other orders cannot read, and their number.
      var example = ("", 0)
    }

    private static let orders = DateOrder.allCases

    /// The trials of the orders.
    private var trials = [Trial](repeating: Trial(), count: orders.count)
    /// The number of cells whose order nothing in them tells.
    private var count = 0
    /// The numbers of spreadsheet numbers and of other cells.
    private var (serials, others) = (0, 0)
    private var serialExample = ""
    /// The first cell that means different days in different orders.
    private var ambiguous: String?
    /// The pairs of orders that read a cell as different days: a bit for each.
    private var differing = 0
    private var areAllOfPoints = true
    private let isOfPerson: Bool
    private let context: DayContext

    /// - Parameters:
    ///   - isOfPerson: whether the days are of a person's life, and none is to come.
    ///   - lastDay: the last possible one of them.
    init(isOfPerson: Bool, lastDay: PartialDate?) {
      self.isOfPerson = isOfPerson
      context = DayContext(today: lastDay, mayBeToCome: !isOfPerson)
    }

    mutating func add(_ text: String) {
      if text.utf8.count <= 12, Dates.day(ofSerial: text) != nil {
        if serials == 0 { serialExample = text }
        serials += 1
        return
      }
      guard PartialDate(text) == nil, let parts = DayText(text), parts.needsOrder else {
        others += 1
        return
      }
      count += 1
      areAllOfPoints = areAllOfPoints && parts.hasPoints
      let dates = Self.orders.map { order in
        parts.date(in: order, context).flatMap { isPossible($0, parts) ? $0 : nil }
      }
      let unread = dates.count { $0 == nil }
      for (place, date) in dates.enumerated() {
        guard let date else {
          trials[place].faults += 1
          continue
        }
        trials[place].years.insert(date.year)
        let example = trials[place].example
        if example.0.isEmpty || example.1 < unread { trials[place].example = (text, unread) }
        for other in 0..<place {
          guard let earlier = dates[other], earlier != date else { continue }
          differing |= 1 << (place * Self.orders.count + other)
          if ambiguous == nil { ambiguous = text }
        }
      }
    }

    private func isPossible(_ date: PartialDate, _ parts: DayText) -> Bool {
      guard isOfPerson else { return true }
      if let last = context.today {
        let day = (date.year, date.month ?? 0, date.day ?? 0)
        if day > (last.year, last.month ?? 12, last.day ?? 31) { return false }
      }
      return !parts.hasShortYear || date.year >= 1970
    }

    /// Whether no cell needs others to be read.
    var isPlain: Bool { count == 0 && serials == 0 }

    /// The orders that the cells leave.
    enum Verdict {
      /// Each cell can be read by itself.
      case plain
      /// One order, with an example; whether there were cells that show it only together.
      case order(Order, example: String, isGuess: Bool)
      /// Several orders read the cells equally well.
      case tie([DateOrder])
      /// No order reads them.
      case unreadable
    }

    var verdict: Verdict {
      if serials > 0, count == 0, others == 0 { return .order(.serial, example: serialExample, isGuess: true) }
      guard count > 0 else { return .plain }
      let least = trials.map(\.faults).min() ?? 0
      guard least * 20 <= count else { return .unreadable }
      let best = trials.indices.filter { trials[$0].faults == least }
      func found(_ place: Int) -> Verdict {
        .order(.numbers(Self.orders[place]), example: trials[place].example.0, isGuess: ambiguous != nil)
      }
      let agree = best.allSatisfy { place in
        best.allSatisfy { $0 >= place || differing & 1 << (place * Self.orders.count + $0) == 0 }
      }
      if agree { return found(best[0]) }
      if count >= 8, let place = fewestYears(best) { return found(place) }
      return .tie(best.map { Self.orders[$0] })
    }

    /// The order with at most half as many years as the others: years vary less than days.
    private func fewestYears(_ places: [Int]) -> Int? {
      let sorted = places.sorted { trials[$0].years.count < trials[$1].years.count }
      guard sorted.count > 1, trials[sorted[0]].years.count * 2 <= trials[sorted[1]].years.count else { return nil }
      return sorted[0]
    }

    /// The order among equally good ones that is the likeliest, and a cell as it reads it; nil for none.
    /// - Parameters:
    ///   - common: the order of the other columns.
    ///   - usual: the order where the person lives.
    func likely(
      _ best: [DateOrder], common: DateOrder?, heading: String, usual: DateOrder?
    ) -> (order: DateOrder, example: String)? {
      let told = DateOrder(heading: heading)
      let guesses = [
        common, [told, usual].contains(.ymd) ? .ymd : nil, areAllOfPoints ? .dmy : nil, told, usual,
        fewestYears(best.compactMap(Self.orders.firstIndex)).map { Self.orders[$0] },
      ]
      guard let order = guesses.lazy.compactMap(\.self).first(where: best.contains), let ambiguous,
        let date = DayText(ambiguous)?.date(in: order, context)
      else { return nil }
      return (order, "\(ambiguous) → \(date)")
    }
  }
}

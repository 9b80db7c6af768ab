internal import CatalogModel

/// A sample of the cells of a file. It decides the scale of ratings and the order of dates if the names of columns do
/// not.
struct ColumnSample {
  /// The maximum number of rows to read, and the number that suffices without ambiguous days.
  private static let (most, least) = (20_000, 200)

  private var dates: [String: Dates.Evidence] = [:]
  private var ratings: [String: Ratings] = [:]
  private let choices: ImportChoices
  /// The columns of days and ratings with values, in the order of their first value.
  private(set) var names: [(key: String, name: String)] = []

  /// - Parameters:
  ///   - columns: the meanings of the columns, by ``Cells/key(_:)``. Only columns of days and ratings are sampled.
  ///   - records: the records of the file.
  init(of file: InputFile, _ columns: [String: ColumnMapping], in records: Records = .rows) throws {
    choices = file.choices
    // The keys of names that are not columns of a table.
    var keys: [String: String] = [:]
    var seen: Set<String> = []
    for (key, target) in columns where target.inOrder != nil {
      dates[key] = Dates.Evidence(isOfPerson: target.isOfPerson, lastDay: choices.latestDay)
    }
    for (key, target) in columns where target.id.hasPrefix("rating") && target.isOfAnyScale { ratings[key] = Ratings() }
    guard !dates.isEmpty || !ratings.isEmpty else { return }
    var count = 0
    try records.forEach(in: file) { cells in
      for (place, cell) in cells.list.enumerated() where !cell.value.isEmpty {
        let key = place < cells.keys.count ? cells.keys[place] : keys[cell.name] ?? Cells.key(cell.name)
        if place >= cells.keys.count, keys.count < 1_000 { keys[cell.name] = key }
        if dates[key]?.add(ColumnMapping.bare(cell.value)) == nil, ratings[key]?.add(cell.value) == nil { continue }
        if seen.insert(key).inserted { names.append((key, cell.name)) }
      }
      count += 1
      if count == Self.least, ratings.isEmpty, dates.values.allSatisfy(\.isPlain) {
        return false
      }
      return count < Self.most
    }
  }

  /// Returns the meaning of a column according to its cells, and a remark for the user.
  func fitted(_ target: ColumnMapping, column: String, key: String) -> (target: ColumnMapping, remark: Entry.Remark?) {
    if let inOrder = target.inOrder, let evidence = dates[key] {
      return fitted(target, inOrder, evidence, column)
    }
    if let found = ratings[key], target.isOfAnyScale {
      guard !found.areNone else {
        return (.note, Entry.Remark("most values of '\(column)' are not ratings: the column goes into the note"))
      }
      return (.rating(found.scale, zeroIsNone: found.zeroIsNone), nil)
    }
    return (target, nil)
  }

  private func fitted(
    _ target: ColumnMapping, _ inOrder: @Sendable (Dates.Order) -> ColumnMapping, _ evidence: Dates.Evidence,
    _ column: String
  ) -> (target: ColumnMapping, remark: Entry.Remark?) {
    let verdict = evidence.verdict
    if case .order(.serial, let example, _) = verdict {
      return (inOrder(.serial), Entry.Remark("'\(column)' holds dates as spreadsheet numbers: \(example)"))
    }
    if let choice = choices.dates { return (inOrder(.numbers(choice)), nil) }
    switch verdict {
    case .plain: return (target, nil)
    case .order(let order, let example, let isGuess):
      return (inOrder(order), isGuess ? Self.remark(order, column, example) : nil)
    case .tie(let best):
      // A spreadsheet writes the days of all columns in the same order.
      if let found = evidence.likely(best, common: common, heading: column, usual: choices.usualDates) {
        let order = Dates.Order.numbers(found.order)
        return (inOrder(order), Self.remark(order, column, found.example))
      }
    case .unreadable: break
    }
    return (
      target,
      Entry.Remark(
        """
        dates in '\(column)' may have the day or the month first, and go into the note: choose with --dates dmy or \
        --dates mdy
        """
      )
    )
  }

  private static func remark(_ order: Dates.Order, _ column: String, _ example: String) -> Entry.Remark {
    switch order {
    case .numbers(.dmy): Entry.Remark("'\(column)' is read with the day first: \(example)")
    case .numbers(.mdy): Entry.Remark("'\(column)' is read with the month first: \(example)")
    case .numbers(.ymd), .serial: Entry.Remark("'\(column)' is read with the year first: \(example)")
    }
  }

  /// The common order of all columns whose cells show it; nil if they differ.
  private var common: DateOrder? {
    let orders = Set(
      dates.values.compactMap { evidence -> DateOrder? in
        if case .order(.numbers(let order), _, _) = evidence.verdict { order } else { nil }
      })
    return orders.count == 1 ? orders.first : nil
  }

  /// The cells of a column of ratings.
  private struct Ratings {
    private var highest = 0.0
    /// The number of cells with a 0.
    private var zeros = 0
    /// The numbers of cells: those with a number, those of them that fit a scale's steps, those in another notation,
    /// and those without a rating.
    private var (numbers, fives, tens, hundreds, words, others) = (0, 0, 0, 0, 0, 0)

    mutating func add(_ text: String) {
      guard let number = Rating.number(text) else {
        if (try? Rating(text)) != nil { words += 1 } else if !Presence.isNothing(text) { others += 1 }
        return
      }
      guard number > 0 else {
        zeros += 1
        return
      }
      func isStep(_ width: Double) -> Bool { abs((number * width).rounded() - number * width) < 1e-9 }
      numbers += 1
      highest = max(highest, number)
      if isStep(4) { fives += 1 }
      if isStep(10) { tens += 1 }
      if isStep(1) { hundreds += 1 }
    }

    var scale: ColumnMapping.Scale {
      numbers == 0 ? .asWritten : highest <= 5 ? .five : highest <= 10 ? .ten : .hundred
    }

    /// Whether a 0 stands for no rating: among stars, and where it stands in most cells. Of 10 or 100 it may be an
    /// opinion, and goes into the note.
    var zeroIsNone: Bool { highest <= 5 || zeros > numbers }

    /// Whether most cells fit no scale.
    var areNone: Bool {
      let steps = highest <= 5 ? fives : highest <= 10 ? tens : highest <= 100 ? hundreds : 0
      return (words + steps) * 2 < words + numbers + others
    }
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A table of diary entries, for people grouped by month.
enum DiaryTable {
  static func of(_ events: [DiaryEvent], in context: Context) throws -> Table {
    var table = try Table(
      events,
      [
        .init("logged_on", "Date", importance: 7, \.day, shown: { $0.day.map { context.text($0.words) } }),
        .hidden("started_on", \.startedOn), .hidden("ended_on", \.endedOn),
        .init(
          "id", "Entry", importance: 6, style: .cyan, \.entry,
          shown: { $0.entry?.description ?? $0.card.map { context.text("card \($0)") } }),
        .hidden("entry", \.entry), .hidden("card", \.card), .hidden("item", \.item),
        .init("kind", "Kind", importance: 2, isWord: true, \.kind),
        .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 9, style: .bold, \.title),
        .init("creators", "By", isFlexible: true, minimumWidth: 10, importance: 3, \.creators),
        .init("rating", "Rating", importance: 5, style: .yellow, \.rating),
        .hidden("rating_scale", \.rating?.scale),
        .init("outcome", "What", importance: 8, style: .dim, \.outcome.rawValue, shown: { context.text($0.what) }),
        .hidden("again", \.isAgain), .hidden("page", \.page), .hidden("pages", \.pages), .hidden("note", \.note),
        .hidden("comment", \.comment), .hidden("added_at", \.createdAt),
      ])
    for (place, event) in events.enumerated() where place == 0 || events[place - 1].month != event.month {
      table.sections[place] = event.month
    }
    return table
  }

  /// The columns of an event of an item, without those of its card.
  static var ofEvent: [Column<DiaryEvent>] {
    [
      .init("id", \.entry), .init("entry", \.entry), .init("card", \.card), .init("outcome", \.outcome.rawValue),
      .init("started_on", \.startedOn), .init("ended_on", \.endedOn), .init("again", \.isAgain),
      .init("page", \.page), .init("note", \.note), .init("added_at", \.createdAt),
    ]
  }
}

extension DiaryEvent {
  /// The details besides the date: `re-read`, `dropped`, `page 120 of 300`.
  var what: Message {
    let progress = LogEntry.progress(page: page, of: pages)
    return switch outcome {
    case .done: isAgain ? kind.seenAgain : ""
    case .dropped: [("dropped" as Message), progress].compactMap(\.self).joined(separator: ", ")
    case .ongoing: progress ?? "in progress"
    }
  }

  /// The heading for the entries of one month: `November 2026`, `Some time in 2026`, `Undated`.
  fileprivate var month: Message {
    guard let day else { return "Undated" }
    return day.month == nil ? "Some time in \(day.year, digits: 4)" : day.monthAndYear
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A table of diary entries, for people grouped by month.
enum DiaryTable {
  static func of(_ events: [DiaryEvent], in context: Context) -> Table {
    var table = Table(columns: [
      .init("logged_on", "Date", importance: 7),
      .init("started_on", isHidden: true),
      .init("ended_on", isHidden: true),
      .init("id", "Entry", importance: 6),
      .init("entry", isHidden: true),
      .init("card", isHidden: true),
      .init("item", isHidden: true),
      .init("kind", "Kind", importance: 2, isWord: true),
      .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 9),
      .init("creators", "By", isFlexible: true, minimumWidth: 10, importance: 3),
      .init("rating", "Rating", importance: 5),
      .init("rating_scale", isHidden: true),
      .init("outcome", "What", importance: 8),
      .init("again", isHidden: true),
      .init("page", isHidden: true),
      .init("pages", isHidden: true),
      .init("note", isHidden: true),
      .init("comment", isHidden: true),
      .init("added_at", isHidden: true),
    ])
    var month: Message?
    for (place, event) in events.enumerated() {
      if month != event.month {
        month = event.month
        table.sections[place] = event.month
      }
      table.rows.append([
        .init(
          value: event.day.map { .text($0.description) } ?? .none, shown: event.day.map { context.text($0.words) } ?? ""
        ),
        .init(event.startedOn?.description), .init(event.endedOn?.description),
        .init(
          value: event.entry.map { .integer($0.rawValue) } ?? .none,
          shown: event.entry?.description ?? event.card.map { context.text("card \($0)") }, style: .cyan),
        .init(value: event.entry.map { .integer($0.rawValue) } ?? .none),
        .init(value: event.card.map { .integer($0.rawValue) } ?? .none), .init(event.item.rawValue),
        .init(event.kind.rawValue), .init(event.title, style: .bold), .init(event.creators),
        .init(event.rating?.value, shown: event.rating?.stars ?? "", style: .yellow),
        .init(event.rating?.scale.rawValue),
        .init(value: .text(event.outcome.rawValue), shown: context.text(event.what), style: .dim),
        .init(event.isAgain), .init(event.page), .init(event.pages), .init(event.note), .init(event.comment),
        .init(event.createdAt.rawValue),
      ])
    }
    return table
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

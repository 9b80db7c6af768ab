internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// A diary entry with its item, for messages.
struct EntryFace {
  var entry: LogEntry
  var item: Item

  init(_ entry: LogEntry, in store: Store) throws {
    (self.entry, item) = (entry, try store.item(entry.item))
  }

  /// One line: `entry 5 of book 2: 소년이 온다 — 한강 (2014): read, 2026-10 to 2026-11-21`.
  var line: Message { "entry \(entry.id) of \(item.line): \(what)" }

  /// The outcome and its dates.
  private var what: Message {
    let progress = LogEntry.progress(page: entry.page, of: item.record.book.pages)
    let parts: [Message?] =
      switch entry.outcome {
      case .done: [item.record.kind.seen, period ?? "undated"]
      case .dropped: ["dropped", progress, period]
      case .ongoing: [progress ?? "in progress", entry.startedOn.map { "since \($0.words)" }]
      }
    return parts.compactMap(\.self).joined(separator: ", ")
  }

  /// The period from start to end, if they are known.
  private var period: Message? {
    guard let start = entry.startedOn else { return entry.endedOn?.words }
    guard let end = entry.endedOn else { return "since \(start.words)" }
    return start == end ? end.words : "\(start.words) to \(end.words)"
  }
}

extension Occasion {
  /// The facts of an entry, behind its item: `, 2026-11-21, ★★★★, 'again'`.
  func words(in context: Context) -> Message {
    let progress = LogEntry.progress(page: page, of: nil)
    let day: Message? =
      switch outcome {
      case .ongoing: progress ?? "in progress"
      case .done, .dropped: isUndated ? "undated" : (endedOn ?? PartialDate(context.day))?.words
      }
    let parts = [
      outcome == .dropped ? "dropped" : nil, day, rating.map { Message(verbatim: $0.stars) },
      comment.map { Message(verbatim: context.safe($0.excerpt)) },
    ].compactMap(\.self)
    return parts.isEmpty ? "" : ", \(parts.joined(separator: ", "))"
  }
}

extension LogEntry {
  /// `page 120 of 300`; nil without a page.
  static func progress(page: Int?, of pages: Int?) -> Message? {
    guard let page else { return nil }
    return pages.map { "page \(page) of \($0)" } ?? "page \(page)"
  }
}

extension Kind {
  /// The participle for one diary entry.
  var seen: Message {
    switch self {
    case .book: Message("read", context: "diary")
    case .vinyl: Message("played", context: "diary")
    default: Message("watched", context: "diary")
    }
  }

  /// The participle for a repeated one.
  var seenAgain: Message {
    switch self {
    case .book: "re-read"
    case .vinyl: "played again"
    default: "re-watched"
    }
  }
}

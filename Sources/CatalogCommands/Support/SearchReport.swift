internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// Prints what a search found: numbered, a section a kind, each result with what the person has of it.
struct SearchReport {
  var sections: [SearchSection]
  var context: Context

  /// - Throws: ``Failure`` when nothing was found or every source failed.
  func show(_ options: TableOptions, words: String) throws {
    let store = try? context.reading()
    let table = table(of: sections, first: 1, store)
    noteFailures()
    if options.format(on: context.terminal) == .fitted {
      try showSections(words: words, store)
    } else {
      try table.write(options, to: context.output, terminal: context.terminal)
    }
    guard table.rows.isEmpty else { return }
    // Where nobody was asked for want of a key, nothing was looked for.
    let isAsked = sections.contains { $0.failure?.status != .keyNeeded }
    if isAsked, options.format(on: context.terminal) != .fitted {
      context.note("catalog: no result was found for \(words.quoted)")
    }
    // What failed was said; with --offline nothing did.
    let failures = context.globals.isOffline ? [] : sections.compactMap(\.failure)
    throw SilentFailure(status: failures.count == sections.count ? failures[0].status : .failed)
  }

  private func showSections(words: String, _ store: Store?) throws {
    var number = 1
    for (index, section) in sections.enumerated() {
      if index > 0 { try context.print("") }
      let heading = "\(section.kind.plural.prefix(1).uppercased())\(section.kind.plural.dropFirst())"
      try context.print(
        context.styled(heading, .bold) + context.styled(" · \(section.source)\(counted(section))", .dim))
      if section.candidates.isEmpty {
        if section.failure == nil || section.source == PackSearch.name {
          try context.print("No result was found for \(words.quoted).")
        }
        continue
      }
      try table(of: [section], first: number, store)
        .write(as: .fitted, to: context.output, terminal: context.terminal)
      number += section.candidates.count
    }
    if number > 1 { context.note("Type 'catalog add r1' to keep a result, 'catalog show r1' to see it.") }
  }

  private func counted(_ section: SearchSection) -> String {
    guard section.hasMore else { return "" }
    return section.total.map { " · \(section.candidates.count) of \($0)" } ?? " · more with --page"
  }

  /// Says what failed, each hint once; with --offline nothing did.
  private func noteFailures() {
    let failures = context.globals.isOffline ? [] : sections.filter { $0.failure != nil }
    for section in failures {
      let instead = section.source == PackSearch.name ? "; the built-in pack answers instead" : ""
      context.note("catalog: \(section.failure?.message ?? "")\(instead)")
    }
    for hint in failures.compactMap(\.failure?.hint).withoutRepeats(by: \.self) { context.note("hint: \(hint)") }
  }

  private func table(of sections: [SearchSection], first: Int, _ store: Store?) -> Table {
    var table = Table(columns: [
      .init("result", "", importance: 9),
      .init("kind", isHidden: true),
      .init("title", "Title", isFlexible: true, minimumWidth: 16, importance: 8),
      .init("creator", "By", isFlexible: true, minimumWidth: 10, importance: 6),
      .init("year", "Year", alignment: .right, importance: 7),
      .init("genres", "Genre", isFlexible: true, minimumWidth: 8, importance: 2),
      .init("format", "Format", isFlexible: true, minimumWidth: 6, importance: 3),
      .init("have", "", isFlexible: true, minimumWidth: 12, importance: 5),
      .init("item", isHidden: true),
      .init("source", isHidden: true),
      .init("source_id", isHidden: true),
      .init("url", isHidden: true),
    ])
    for (number, candidate) in zip(first..., sections.flatMap(\.candidates)) {
      let record = candidate.record
      let item = (try? store?.itemID(of: candidate)) ?? nil
      table.rows.append([
        .init("r\(number)", style: .cyan), .init(record.kind.rawValue), .init(record.title, style: .bold),
        .init(record.creators, shown: record.creators.joined(separator: ", ")),
        .init(record.year ?? record.released?.year),
        .init(record.labels, shown: record.labels.prefix(2).joined(separator: ", ")),
        .init(record.pressing), .init(item.flatMap { store?.marks(of: $0) }, style: .green),
        .init(item.map { Int($0.rawValue) }), .init(candidate.id.source), .init(candidate.id.value), .init(record.url),
      ])
    }
    return table
  }
}

extension Store {
  /// What the person has of an item: `[on shelf 42] [card ★★★★½]`.
  func marks(of id: ItemID) -> String {
    var words = "[on shelf \(id)]"
    if let rating = (try? rating(of: id)) ?? nil { words += " [card \(rating.stars)]" }
    return words
  }
}

/// The command failed, and has already said why.
struct SilentFailure: Error, Equatable {
  var status: ExitStatus
}

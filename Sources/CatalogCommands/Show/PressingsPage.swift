internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import Processes

/// A request for the pressings of an album. Without a key, `show` does without them.
struct PressingsQuestion: Sendable {
  var source: Source
  private var keyOrigin: KeyOrigin?
  private var fetch: @Sendable () throws -> Page?

  /// Fails when no source of these ids has it as an album, or the source's key is missing.
  init?(of ids: [ExternalID], isAll: Bool, in context: Context) throws {
    for id in ids {
      guard let source = context.source(of: id),
        source.pressings?(id, 1, try context.keylessSettings(of: source)) != nil,
        context.globals.isOffline || (try? context.keyOrigin(of: source)) ?? nil != nil
      else { continue }
      let settings = Result { try context.settingsToAsk(source) }
      (self.source, keyOrigin) = (source, (try? context.keyOrigin(of: source)) ?? nil)
      fetch = { [http = context.http] in
        try source.pressings(of: id, isAll: isAll, try settings.get(), using: http)
      }
      return
    }
    return nil
  }

  /// Fetches the pressings, on any thread.
  /// - Returns: a failure names the source.
  func answer() throws -> Result<Page?, Failure> {
    do {
      return .success(try fetch())
    } catch {
      try Interrupt.check()
      return .failure(
        (error as? SourceError).map { Failure($0, source: source, keyOrigin: keyOrigin) } ?? Failure(error))
    }
  }
}

/// One pressing of an album, with the details in which pressings differ.
private struct Pressing {
  var record: Record
  var vinyl: Vinyl

  init(_ record: Record) {
    self.record = record
    vinyl = if case .vinyl(let vinyl) = record.details { vinyl } else { Vinyl() }
  }

  /// The year, the country, and the label with its catalog number.
  var columns: [String] {
    [
      record.year.map(String.init) ?? "", vinyl.country.flatMap(Country.shortName) ?? "",
      [vinyl.label, vinyl.catalogNumber].compactMap(\.self).joined(separator: " "),
    ]
  }

  var format: String { [vinyl.format, vinyl.speed].compactMap(\.self).joined(separator: ", ") }
}

extension Detail {
  /// Adds the pressings of an album below its record, a line for each.
  func add(_ pressings: Page, to page: inout Lines) {
    let columns = pressings.candidates.prefix(isFull ? .max : shownOfMany).map { Pressing($0.record).columns }
    let widths = (columns.first ?? []).indices.map { place in columns.map { $0[place].cellWidth }.max() ?? 0 }
    let elsewhere = isFull ? record.url.map(page.safe) : nil
    page.add(
      part: "Pressings", pressings.candidates, isFull, total: pressings.total, elsewhere: elsewhere ?? "--full"
    ) { candidate in
      let pressing = Pressing(candidate.record)
      let cells = zip(pressing.columns, widths).map { $0.padded(to: $1) } + [pressing.format]
      return (candidate.id.description, cells.joined(separator: "  "))
    }
  }

  /// The members of a pressing.
  static var membersOfPressing: [Column<Candidate>] {
    [
      .init("reference", \.id), .init("title", \.record.title), .init("year", \.record.year),
      .init("released_on", \.record.released), .init("countries") { $0.record.vinyl.country.map { [$0] } ?? [] },
      .init("labels", \.record.recordLabels), .init("catalog_number", \.record.vinyl.catalogNumber),
      .init("format", \.record.vinyl.format), .init("speed", \.record.vinyl.speed),
    ]
  }
}

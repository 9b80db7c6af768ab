internal import CatalogModel
internal import CommandLineKit
internal import Lookup

extension Context {
  /// The pressings of the album that a source calls by one of `ids`. Nil for what is no album, and when they cannot be
  /// told; why is said. Nobody misses them who has no key.
  func pressings(of ids: [ExternalID], isAll: Bool) throws -> Page? {
    for id in ids {
      guard let source = sources.first(where: { $0.id == id.source }),
        source.pressings?(id, 1, try keylessSettings(of: source)) != nil,
        globals.isOffline || (try? keyOrigin(of: source)) ?? nil != nil
      else { continue }
      do {
        return try source.pressings(of: id, isAll: isAll, try settingsToAsk(source), using: http)
      } catch {
        try Interrupt.check()
        let failure = (error as? SourceError).map { Failure($0, source: source) } ?? Failure(error)
        note("catalog: \(failure.message); not available: pressings")
      }
    }
    return nil
  }

  /// Prints the pressings of an album below its record, a line each.
  func printPressings(_ page: Page, of record: Record, isFull: Bool) throws {
    let pressings = page.candidates.prefix(isFull ? .max : shownOfMany)
    let columns = pressings.map { Pressing($0.record).columns }
    let widths = (columns.first ?? []).indices.map { place in columns.map { $0[place].cellWidth }.max() ?? 0 }
    let elsewhere = isFull ? record.url.map(safe) : nil
    try printPart("Pressings", page.candidates, isFull, total: page.total, elsewhere: elsewhere ?? "--full") {
      candidate in
      let pressing = Pressing(candidate.record)
      let cells = zip(pressing.columns, widths).map { $0.padded(to: $1) } + [pressing.format]
      return (candidate.id.description, cells.joined(separator: "  "))
    }
    if terminal.isOutputTerminal, let first = pressings.first {
      note("Type 'catalog add \(first.id)' to keep the pressing that you own.")
    }
  }
}

/// A pressing among others of its album: what tells it from them.
private struct Pressing {
  var record: Record
  var vinyl: Vinyl

  init(_ record: Record) {
    self.record = record
    vinyl = if case .vinyl(let vinyl) = record.details { vinyl } else { Vinyl() }
  }

  /// When, where and by whom it came out.
  var columns: [String] {
    [
      record.year.map(String.init) ?? "", vinyl.country ?? "",
      [vinyl.label, vinyl.catalogNumber].compactMap(\.self).joined(separator: " "),
    ]
  }

  var format: String { [vinyl.format, vinyl.speed].compactMap(\.self).joined(separator: ", ") }
}

extension Detail {
  /// The pressings that came, null when there are none to be told.
  func write(_ pressings: Page?, to json: inout JSONWriter) {
    json.key("pressings")
    guard let pressings else { return json.null() }
    json.array { json in
      for candidate in pressings.candidates {
        let pressing = Pressing(candidate.record)
        json.object { json in
          json.member("ref", candidate.id.description)
          json.member("title", pressing.record.title)
          json.member("year", pressing.record.year)
          json.member("released", pressing.record.released?.description)
          json.member("country", pressing.vinyl.country)
          json.member("label", pressing.vinyl.label)
          json.member("catalog_number", pressing.vinyl.catalogNumber)
          json.member("format", pressing.vinyl.format)
          json.member("speed", pressing.vinyl.speed)
        }
      }
    }
  }
}

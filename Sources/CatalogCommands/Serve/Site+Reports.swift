internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import Web

extension Site {
  /// The reports that are pages, each with its command.
  private static let reports: [(words: Message, name: String)] = [
    ("Creators", "creators"), ("Labels", "labels"), ("Publishers", "publishers"), ("Decades", "decades"),
    ("Years", "years"), ("Ratings", "ratings"), ("Unread and unplayed", "shame"),
  ]

  /// Links to all reports.
  private func reportLinks(_ place: String) throws -> PageLinks {
    let now = context.day.prefix(4)
    let years = try store().diaryMonths().map { $0.month.prefix(4) }.filter { !$0.isEmpty && $0 != now }
    let shown = ([now] + years.withoutRepeats { $0 }).prefix(12)
    let links =
      shown.map { PageLink(Message(verbatim: "\($0)"), "/year/\($0)") } + [PageLink("Genres", "/genres")]
      + Self.reports.map { PageLink($0.words, "/report/\($0.name)") }
    return PageLinks(
      "Reports", links.map { PageLink($0.words, $0.address, isCurrent: $0.address == place) })
  }

  func stats(_ visit: Visit) throws -> WebAnswer {
    try report(["report", "year", "\(context.day.prefix(4))"], at: "/year/\(context.day.prefix(4))", visit)
  }

  func year(_ visit: Visit) throws -> WebAnswer {
    let year = visit.values["id"] ?? ""
    return try report(["report", "year", year], at: "/year/\(year)", visit)
  }

  func report(_ visit: Visit) throws -> WebAnswer {
    guard let name = visit.values["name"], Self.reports.contains(where: { $0.name == name }) else {
      throw WebResponse.refusing(.notFound)
    }
    let most = ["creators", "labels", "publishers"].contains(name) ? ["--top", "300"] : []
    let words = visit.request.query["q"].map { ["--", $0] } ?? []
    return try report(["report", name] + most + words, at: "/report/\(name)", visit)
  }

  func genres(_ visit: Visit) throws -> WebAnswer { try report(["genres"], at: "/genres", visit) }

  /// The page of a report, made by its command. For a large catalog it takes long, so it is made on a thread of its
  /// own.
  private func report(_ words: [String], at place: String, _ visit: Visit) throws -> WebAnswer {
    let command = try command(words, visit)
    let work = try BackgroundWork { [makeContext] in try command.report(in: makeContext) }
    return .after(work) { [self] result in
      do {
        var page: HTMLPage
        do {
          let made = try result.get()
          page = self.page(made.title, subtitle: made.subtitle, visit)
          page.parts += made.blocks
        } catch let failure as Failure where failure.status == .failed {
          // Such as for a year without anything.
          page = self.page("Stats", visit)
          page.add(.paragraph(Message(verbatim: failure.message.text(in: visit.translation).capitalizedFirst)))
        }
        page.parts.insert(try reportLinks(place), at: 0)
        return response(page, at: "/stats")
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }
}

extension BackgroundCommand {
  /// The report that the command would print.
  /// - Throws: its error.
  func report(in makeContext: Context.Maker) throws -> Report {
    var blocks: [Report.Block] = []
    var made: Report?
    let told = ToldNotices()
    _ = CatalogProgram.run(words) { globals in
      var context = makeContext(globals, language, told.warnings).telling(told)
      context.terminal.isOutputTerminal = true
      context.onReport = {
        made = made ?? $0
        blocks += $0.blocks
      }
      return context
    }
    guard var report = made else {
      let errors = told.notices.compactMap { if case .failure(let failure) = $0 { failure } else { nil } }
      throw errors.last ?? Failure("there is no such page")
    }
    if report.title.isEmpty { report.title = "Stats" }
    var whole = Report(report.title, subtitle: report.subtitle)
    for block in blocks { whole.add(block) }
    return whole
  }
}

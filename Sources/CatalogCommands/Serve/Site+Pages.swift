internal import CommandLineKit
internal import Web

extension Site {
  /// All pages.
  static var pages: [PageRoute] {
    [
      .init("", Site.shelf), .init("item/:id", Site.item), .init("item/:id/edit", Site.editing),
      .init("item/:id/remove", Site.removing), .init("cover/:id", Site.cover), .init("cover/:id/:size", Site.cover),
      .init("find", Site.find, forms: Site.addingPage), .init("recent", Site.recents),
      .init("favorites", Site.favorites), .init("pile", Site.pile), .init("diary", Site.diary),
      .init("wishes", Site.wishes), .init("loans", Site.loans), .init("stats", Site.stats),
      .init("year/:id", Site.year), .init("report/:name", Site.report), .init("genres", Site.genres),
      .init("history", Site.history), .init("more", Site.more), .init("browsers", Site.pairedBrowsers),
    ]
  }

  /// The page at a path.
  func read(_ visit: Visit) throws -> WebAnswer {
    var visit = visit
    for route in pages {
      guard let values = route.pattern.values(in: visit.request.path) else { continue }
      visit.values = values
      return try route.answer(self)(visit)
    }
    throw WebResponse.refusing(.notFound)
  }

  /// The context in the language of the visit.
  func context(for visit: Visit) -> Context {
    var context = context
    context.terminal.translation = visit.translation
    return context
  }
}

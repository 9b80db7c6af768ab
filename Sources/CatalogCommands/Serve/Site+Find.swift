internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import Web

extension Site {
  static let kindChoices: [PageForm.Field.Choice] =
    [.init("", "Everything")] + Kind.shelved.map { .init($0.rawValue, $0.plurals) }

  /// The page to find something to add, without results.
  func findPage(_ visit: Visit) throws -> HTMLPage {
    let asked = visit.request.query
    var page = page("Add", subtitle: "Nothing is written before you press a button.", visit)
    page.layout = .narrow
    var search = PageForm(
      "Find", to: "/find",
      [
        .init("q", "Words, an ISBN or a barcode", .search, value: asked["q"] ?? "", isRequired: true),
        .init("kind", "Kind", .choice(Self.kindChoices), value: asked["kind"] ?? ""),
      ], isMain: true)
    search.changes = false
    page.add(search)
    page.add(Self.photograph)
    return page
  }

  /// The form to enter something by hand.
  private static var byHand: PageForm {
    PageForm(
      "Keep it", to: "/add",
      [
        .init("kind", "Kind", .choice(Array(kindChoices.dropFirst())), value: "movie"),
        .init("title", "Title", .words, isRequired: true),
        .init("creator", "By", .words, hint: "Separate several with '; '."),
        .init("year", "Year", .number), .init("genre", "Genre", hint: "Separate several with '; '."),
      ], summary: "Enter it by hand")
  }

  /// The page with the form to enter something by hand, which shows a mistake in it again.
  func addingPage(_ visit: Visit) throws -> HTMLPage {
    var page = try findPage(visit)
    page.add(PageSection(nil, name: "by-hand", [Self.byHand]))
    return page
  }

  func find(_ visit: Visit) throws -> WebAnswer {
    let asked = visit.request.query
    let (words, kind) = (asked["q"] ?? "", asked["kind"] ?? "")
    guard !words.allSatisfy(\.isWhitespace) else { return .now(response(try addingPage(visit), at: "/find")) }
    let search = try BackgroundWork { [makeContext, globals = try servedGlobals, language = visit.language] in
      try FoundPage(of: words, Kind(rawValue: kind)) { makeContext(globals, language, $0) }
    }
    return .after(search) { [self] result in
      do {
        var page = try findPage(visit)
        try fill(&page, with: try result.get(), visit)
        page.add(PageSection(nil, name: "by-hand", [Self.byHand]))
        return response(page, at: "/find")
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  /// Adds the results of a search, a section for each kind.
  private func fill(_ page: inout HTMLPage, with found: FoundPage, _ visit: Visit) throws {
    let tiles = try tiles(of: found.results.compactMap(\.item).withoutRepeats { $0 }, visit)
    // A code that no source knows can be kept all the same.
    let words = visit.request.query["q"] ?? ""
    if found.results.isEmpty, TypedCode(words).isMeant {
      page.add(PageList([PageList.Row(Message(verbatim: words), acts: [Self.adding(words, nil, words)])]))
    }
    for kind in found.results.map(\.kind).withoutRepeats(by: { $0 }) {
      let rows = found.results.filter { $0.kind == kind }.map { result -> PageList.Row in
        var row = PageList.Row(Message(verbatim: result.title), note: Message(verbatim: result.note))
        row.face = CoverFace(kind: kind, title: result.title, makers: result.makers)
        if let tile = tiles.first(where: { $0.item == result.item }) {
          (row.face, row.address, row.stars) = (tile.face, tile.address, tile.stars)
          row.note = "\(Message(verbatim: result.note)) · on your shelf"
        } else if result.item == nil {
          row.acts = [Self.adding(result.id.description, kind, result.title)]
        }
        return row
      }
      page.add(
        PageSection(Message(verbatim: kind.plurals.text(in: visit.translation).capitalizedFirst), [PageList(rows)]))
    }
    // Warnings are shown beside the results.
    if !found.warnings.isEmpty { page.add(PageNotice(found.warnings.map { Message(verbatim: $0) })) }
  }

  /// The button that adds a result.
  static func adding(_ reference: String, _ kind: Kind?, _ title: String) -> PageForm {
    var fields: [PageForm.Field] = [.hidden("what", reference)]
    // An album is added as a vinyl record.
    if kind == .music { fields.append(.hidden("as", Kind.vinyl.rawValue)) }
    let label = kind.map { "Keep \(title) (\($0.singular))" } ?? "Keep \(title)" as Message
    return PageForm("Keep it", to: "/add", fields, label: label, isMain: true)
  }
}

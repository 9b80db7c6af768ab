internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// The results of a search in the sources, for a page.
struct FoundPage: Sendable {
  struct Result: Sendable {
    var id: ExternalID
    var kind: Kind
    var title: String
    var makers: String
    /// The creators, year, kind, genres, format and source.
    var note: String
    /// The item on the shelf that is the same.
    var item: ItemID?
  }

  private(set) var results: [Result] = []
  /// Why results may be missing.
  private(set) var warnings: [String] = []

  /// Searches the sources for a kind, or for the usual kinds.
  init(of words: String, _ kind: Kind?, in makeContext: (DeferredWarnings) -> Context) throws {
    let told = ToldNotices()
    let context = makeContext(told.warnings).telling(told)
    let kinds = try kind.map { [$0] } ?? SearchCommand.usualKinds(in: context)
    let sections = try Finder(context: context).search(words, kinds: kinds, source: nil) { _ in }
    SearchReport(options: TableOptions(), context: context).noteProblems(of: sections)
    let store = context.hasCatalog() ? try? context.reading() : nil
    results = sections.flatMap(\.candidates).map { candidate in
      let record = candidate.record
      let year = record.year ?? record.released?.year
      let genres = context.labels(shownOf: record, in: store)
      let parts: [String?] = [
        record.creators.joined(separator: ", "), year.map { "\($0)" },
        context.text(record.kind.singular), genres, record.pressing,
        context.source(of: candidate.id)?.name ?? candidate.id.source,
      ]
      return Result(
        id: candidate.id, kind: record.kind, title: record.title, makers: record.creators.joined(separator: ", "),
        note: parts.compactMap(\.self).filter { !$0.isEmpty }.joined(separator: " · "),
        item: store.flatMap { try? $0.likeness(of: candidate)?.item }.map { ItemID(rawValue: Int64($0)) })
    }
    warnings = told.lines
  }
}

internal import CatalogModel

extension TableFormat {
  /// The export of Yamtrack: movies and books, among series and games.
  static let yamtrack = TableFormat(
    "yamtrack", "Yamtrack", nil, needs: ["media_id", "source", "media_type", "title", "score", "status"],
    own: [
      "source-id": sourceID, "source": .left("it only names the source of the id"), "ended": ended,
      "progress": .left("it counts pages or viewings, and does not say which"),
    ],
    finish: { facts, cells throws(ImportRow.Rejection) in
      let type = cells.first("media_type") ?? ""
      guard let kind = Kinds.read(type) else {
        throw ImportRow.Rejection.otherKind(type)
      }
      facts.kind = kind
      if let id = cells.first("media_id"), let source = cells.first("source"),
        ["tmdb", "openlibrary"].contains(source), !ColumnMapping.id(source).read(id, &facts)
      {
        facts.note("media_id", id)
      }
    },
    key: { cells, _ in
      cells.first("media_id").map { "\(cells.first("source") ?? "") \(cells.first("media_type") ?? "") \($0)" }
    })

  /// The id at its source, which ``finish`` determines.
  private static let sourceID = ColumnMapping("id", "id at its source") { _, _ in true }

  private static let ended: ColumnMapping = .day("finished", "date of watching or reading") { $1.finished = [$0] }
}

internal import CatalogModel

extension OutgoingTable {
  /// The 13 columns of Discogs' export, and those of the person's own fields; one line per copy. Items without a copy
  /// are in no collection.
  static let discogs = OutgoingTable(
    "discogs", "Discogs", of: .vinyl, ownPrefix: "Collection ",
    lines: { item in item.entry.copies.map { Line(item: item, copy: $0) } },
    columns: [
      Column("Catalog#") { $0.record.vinyl.catalogNumber ?? "" },
      Column("Artist") { $0.item.names(.artist).joined(separator: ", ") },
      Column("Title") { $0.record.title },
      Column("Label") { $0.record.recordLabels.joined(separator: ", ") },
      Column("Format") { $0.copy?.facts.format ?? $0.record.vinyl.format ?? "" },
      Column("Rating") { $0.item.rating.map { String($0.step(of: 20)) } ?? "" },
      // Discogs writes 0 for an unknown year.
      Column("Released") { String($0.record.released?.year ?? $0.record.year ?? 0) },
      Column("release_id") { $0.item.id(at: "discogs", isPlain: true) },
      Column("CollectionFolder") { $0.entry.tags.first ?? "Uncategorized" },
      Column("Date Added") { line in line.entry.addedOn.map { "\($0) 00:00:00" } ?? "" },
      Column("Collection Media Condition") { $0.copy?.facts.media?.atDiscogs ?? "" },
      Column("Collection Sleeve Condition") { $0.copy?.facts.sleeve?.atDiscogs ?? "" },
      Column("Collection Notes") { $0.copy?.facts.note ?? "" },
    ])
}

extension Grade {
  /// The grade in the words of Discogs, which has no EX: it is better than VG+, so it becomes VG+.
  fileprivate var atDiscogs: String {
    switch self {
    case .mint: "Mint (M)"
    case .nearMint: "Near Mint (NM or M-)"
    case .excellent, .veryGoodPlus: "Very Good Plus (VG+)"
    case .veryGood: "Very Good (VG)"
    case .goodPlus: "Good Plus (G+)"
    case .good: "Good (G)"
    case .fair: "Fair (F)"
    case .poor: "Poor (P)"
    case .generic, .notGraded, .noCover: rawValue
    }
  }
}

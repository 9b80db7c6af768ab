internal import CatalogModel

extension OutgoingTable {
  /// The 23 columns of StoryGraph's export, for programs that read it. StoryGraph itself imports the file of Goodreads.
  static let storygraph = OutgoingTable(
    "storygraph", "StoryGraph", of: .book,
    columns: [
      Column("Title") { $0.record.title },
      Column("Authors") { $0.item.names(.author).joined(separator: ", ") },
      Column("Contributors") { line in
        (line.item.names(.translator).map { "\($0) (Translator)" } + (line.noted["Contributors"] ?? []))
          .joined(separator: ", ")
      },
      Column("ISBN/UID") { $0.record.book.isbn?.digits13 ?? "" },
      Column("Format") { $0.format },
      Column("Read Status") { $0.item.readStatus },
      Column("Date Added") { $0.entry.addedOn?.slashed ?? "" },
      Column("Last Date Read") { $0.item.lastRead?.slashed ?? "" },
      Column("Dates Read") {
        $0.item.readings.compactMap { time in
          time.endedOn.map { end in (time.startedOn.map { $0.slashed + "-" } ?? "") + end.slashed }
        }.joined(separator: ", ")
      },
      Column("Read Count") { String($0.item.finished.count) },
      // The catalog has them as tags.
      .empty("Moods"), .empty("Pace"),
      Column("Character- or Plot-Driven?"), Column("Strong Character Development?"),
      Column("Loveable Characters?"), Column("Diverse Characters?"), Column("Flawed Characters?"),
      Column("Star Rating") { $0.item.rating?.stars(in: 4) ?? "" },
      Column("Review") { $0.item.comment?.asHTML ?? "" },
      Column("Content Warnings"), Column("Content Warning Description"),
      Column("Tags") { ($0.entry.tags + $0.entry.piles.map(\.pile)).joined(separator: ", ") },
      Column("Owned?") { $0.entry.copies.isEmpty ? "No" : "Yes" },
    ])
}

internal import SQLite

extension RecordedTable {
  /// Every table whose rows a step holds: all of the catalog. Not the index, which follows the rows; not what a version of the program
  /// brings along, nor what is popular.
  static let all: [RecordedTable] = [
    RecordedTable("item", owner: 0, touched: 12),
    RecordedTable("movie", owner: 0), RecordedTable("book", owner: 0), RecordedTable("vinyl", owner: 0),
    RecordedTable("credit", keyCount: 2, owner: 0), RecordedTable("item_genre", keyCount: 2, owner: 0),
    RecordedTable("item_label", keyCount: 2, owner: 0), RecordedTable("external_id", keyCount: 2, owner: 2),
    RecordedTable("track", keyCount: 2, owner: 0), RecordedTable("person"), RecordedTable("cover", owner: 0),
    RecordedTable("card", owner: 1, touched: 7), RecordedTable("favorite", owner: 0),
    RecordedTable("recently_viewed", owner: 3),
    RecordedTable("genre"), RecordedTable("genre_label"), RecordedTable("genre_label_target", keyCount: 2),
    RecordedTable("copy", owner: 1), RecordedTable("representative", owner: 1), RecordedTable("log_entry", owner: 1),
    RecordedTable("wish", owner: 1),
    // Of a loan the file says only whose copy it is.
    RecordedTable("loan", owner: 1),
    RecordedTable("tag"), RecordedTable("item_tag", keyCount: 2, owner: 0), RecordedTable("pile"),
    RecordedTable("pile_item", keyCount: 2, owner: 1), RecordedTable("saved_query"),
    RecordedTable("edition_of", owner: 0), RecordedTable("field_value", keyCount: 2, owner: 0),
    RecordedTable("item_refresh", keyCount: 2, owner: 0), RecordedTable("import_batch"),
    RecordedTable("import_row", owner: 7),
  ]

  /// What others may name, too: it goes when nobody does any more.
  static let shared: Set<String> = ["person", "genre", "genre_label", "tag", "pile"]

  /// What the program writes beside a person's own: views, covers, the genres that labels stand for. It goes with its item, and is no
  /// reason to keep it.
  static let incidental: Set<String> = ["recently_viewed", "cover", "item_genre"]

  /// What fulfils the open wish for its item when it comes.
  static let fulfilling: Set<String> = ["copy", "log_entry"]
}

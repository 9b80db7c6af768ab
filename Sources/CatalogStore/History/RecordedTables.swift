internal import SQLite

extension RecordedTable {
  /// The tables whose changes operations record: all of the catalog, without the search index, which follows the rows,
  /// without shipped data, and without trending lists.
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
    // A loan refers only to its copy.
    RecordedTable("loan", owner: 1),
    RecordedTable("tag"), RecordedTable("item_tag", keyCount: 2, owner: 0), RecordedTable("pile"),
    RecordedTable("pile_item", keyCount: 2, owner: 1), RecordedTable("saved_query"),
    RecordedTable("edition_of", owner: 0), RecordedTable("field_value", keyCount: 2, owner: 0),
    RecordedTable("item_refresh", keyCount: 2, owner: 0), RecordedTable("import_batch"),
    RecordedTable("import_row", owner: 7),
  ]

  /// The tables whose rows several others can refer to. A row without references is deleted.
  static let shared: Set<String> = ["person", "genre", "genre_label", "tag", "pile"]

  /// The tables that the program fills itself: views, covers, the genres of labels. Their rows go with the item and do
  /// not prevent its removal.
  static let incidental: Set<String> = ["recently_viewed", "cover", "item_genre"]

  /// The tables whose new rows fulfil the open wish for their item.
  static let fulfilling: Set<String> = ["copy", "log_entry"]
}

internal import SQLite

/// The tables of a catalog of this version, without those of the search indexes, and their columns in their order.
///
/// A file that lacks one, or has something else of its name, is found when it is opened, and not in the middle of a command.
enum KnownTables {
  static let all: KeyValuePairs<String, String> = [
    "item": "id kind title original_title sort_title year released description "
      + "url public_rating public_votes created_at updated_at genres_by_hand other_titles note",
    "movie": "item_id minutes countries tagline language",
    "book": "item_id isbn13 publisher published pages language series price sale_price currency",
    "vinyl": "item_id label catalog_number country format speed discs barcode",
    "track": "item_id number position title seconds",
    "person": "id name external_id",
    "credit": "item_id position person_id role detail",
    "genre": "id name key parent_id",
    "item_genre": "item_id position genre_id",
    "external_id": "source value item_id",
    "favorite": "item_id added_at sequence",
    "recently_viewed": "sequence source source_id item_id kind title creator year artwork viewed_at",
    "card": "id item_id rating scale comment seen_on created_at updated_at",
    "cover": "item_id bytes media_type width height source_url etag",
    "search_pending": "item_id old_text old_own",
    "setting": "name value",
    "trending_movie": "id source source_id title original_title year "
      + "released genres description url artwork public_rating public_votes",
    "trending": "iso_week movie_id rank",
    "trending_cover": "movie_id bytes media_type width height source_url etag",
    "genre_label": "id source kind key label is_known by_hand",
    "genre_label_target": "label_id position genre_id",
    "item_label": "item_id position label_id",
    "copy": "id item_id format media_grade sleeve_grade place price currency acquired_on acquired_from note created_at",
    "representative": "only item_id",
    "log_entry": "id item_id started_on ended_on outcome page note card_id created_at",
    "wish": "id item_id words kind price_limit currency note created_at fulfilled_at",
    "loan": "id copy_id person lent_on due_on returned_on note",
    "tag": "id name key",
    "item_tag": "item_id tag_id",
    "pile": "id name key",
    "pile_item": "pile_id item_id position",
    "saved_query": "key name query",
    "edition_of": "item_id work_id",
    "field_value": "item_id field source set_at is_locked",
    "item_refresh": "item_id source asked_at",
    "step": "id command line at undone_at",
    "step_change": "step_id part changes",
    "import_batch": "id format file at",
    "import_row": "id batch_id line key words fingerprint outcome item_id copies reason said",
    "identity": "uid table_name row_id is_alias",
    "synced_file": "path fingerprint",
    "sync_state": "name value",
    "sync_conflict": "id at path row part title here there device kept settled_at",
    "cover_digest": "item_id sha256",
  ]

  /// The columns of a table, in their order; none for one that is not known.
  static func columns(of table: String) -> [String] {
    all.first { $0.key == table }?.value.split(separator: " ").map(String.init) ?? []
  }

  /// - Throws: ``SQLiteError`` as SQLite would, when the file lacks a table.
  static func check(_ db: Connection) throws {
    guard all.contains(where: { !db.hasTable($0.key) }) else { return }
    // The connection may know only the tables from before another process migrated the file: a query makes it read them again.
    _ = try db.value("SELECT count(*) FROM sqlite_schema", as: Int.self)
    for (table, _) in all where !db.hasTable(table) { throw SQLiteError(noTable: table) }
  }
}

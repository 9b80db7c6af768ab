internal import CatalogModel

extension TableSchema {
  /// The tables of a catalog of this version, without those of the search indexes; those of items in the order in which
  /// their rows can be written.
  static let all: [TableSchema] = [
    TableSchema(
      "item",
      """
      id kind title original_title sort_title year released description url public_rating public_votes created_at \
      updated_at genres_by_hand other_titles note
      """, owner: "id", touched: "updated_at", identity: .uid, merge: .row, history: .row("item")),
    TableSchema("movie", "item_id minutes countries tagline language", owner: item, merge: .row, history: .row("item")),
    TableSchema(
      "book", "item_id isbn13 publisher published pages language series price sale_price currency", owner: item,
      merge: .row, groups: [["price", "sale_price", "currency"]], history: .row("item")),
    TableSchema(
      "vinyl", "item_id label catalog_number country format speed discs barcode", owner: item, merge: .row,
      history: .row("item")),
    TableSchema(
      "credit", "item_id position person_id role detail", keyCount: 2, owner: item, history: .part("people")),
    TableSchema(
      "item_genre", "item_id position genre_id", keyCount: 2, owner: item, merge: .orderedSet(by: "genre"),
      role: .incidental, history: .part("genres")),
    TableSchema(
      "item_label", "item_id position label_id", keyCount: 2, owner: item, merge: .orderedSet(by: "label"),
      history: .part("labels")),
    TableSchema(
      "external_id", "source value item_id", keyCount: 2, owner: item, merge: .rows(by: ["source", "value"]),
      movesInMerges: true, history: .part("ids")),
    TableSchema("track", "item_id number position title seconds", keyCount: 2, owner: item, history: .part("tracks")),
    TableSchema(
      "person", "id name external_id", identity: .words(["name", "external_id"], keyCount: 2), role: .shared,
      history: .unlisted("person")),
    TableSchema(
      "cover", "item_id bytes media_type width height source_url etag", owner: item, role: .incidental,
      movesInMerges: true, history: .row("cover")),
    TableSchema(
      "card", "id item_id rating scale comment seen_on created_at updated_at", owner: item, touched: "updated_at",
      identity: .uid, merge: .rows(by: [uid]), groups: [["rating", "scale"]], movesInMerges: true, history: .row("card")
    ),
    TableSchema(
      "favorite", "item_id added_at sequence", owner: item, merge: .row, movesInMerges: true,
      history: .row("favorite mark")),
    TableSchema(
      "recently_viewed", "sequence source source_id item_id kind title creator year artwork viewed_at", owner: item,
      place: .exportsOnly, role: .incidental, history: .row("view")),
    TableSchema(
      "genre", "id name key parent_id", identity: .words(["name"], keyCount: 1), place: .ownFile,
      merge: .rows(by: ["key"]), role: .shared, history: .row("genre")),
    TableSchema(
      "genre_label", "id source kind key label is_known by_hand",
      identity: .words(["source", "kind", "key", "label"], keyCount: 3), place: .ownFile,
      merge: .rows(by: ["source", "kind", "key"]), role: .shared, history: .row("label")),
    TableSchema("genre_label_target", "label_id position genre_id", keyCount: 2),
    TableSchema(
      "copy",
      "id item_id format media_grade sleeve_grade place price currency acquired_on acquired_from note created_at",
      owner: item, identity: .uid, merge: .rows(by: [uid]), groups: [["price", "currency"]], movesInMerges: true,
      fulfilsWishes: true, history: .row("copy")),
    TableSchema(
      "representative", "only item_id", owner: item, place: .exportsOnly, movesInMerges: true,
      history: .row("representative")),
    TableSchema(
      "log_entry", "id item_id started_on ended_on outcome page note card_id created_at", owner: item, identity: .uid,
      links: [Link(column: "card_id", table: "card", isExclusive: true)], merge: .rows(by: [uid]),
      groups: [["started_on", "ended_on", "outcome"]],
      open: OpenState(column: "outcome", value: "ongoing", merge: .combined), movesInMerges: true, fulfilsWishes: true,
      history: .row("diary entry")),
    TableSchema(
      "wish", "id item_id words kind price_limit currency note created_at fulfilled_at", owner: item, identity: .uid,
      place: .ownFile, merge: .rows(by: [uid]), groups: [["price_limit", "currency"], ["words", "kind"]],
      open: OpenState(column: "fulfilled_at", merge: .combined), movesInMerges: true, history: .row("wish")),
    TableSchema(
      "loan", "id copy_id person lent_on due_on returned_on note", owner: "copy_id", identity: .uid,
      merge: .rows(by: [uid]), groups: [["lent_on", "due_on"]],
      open: OpenState(column: "returned_on", merge: .ended(at: "lent_on")), history: .row("loan")),
    TableSchema(
      "tag", "id name key", identity: .words(["name"], keyCount: 1), place: .ownFile, merge: .rows(by: ["key"]),
      role: .shared, history: .row("tag")),
    TableSchema(
      "item_tag", "item_id tag_id", keyCount: 2, owner: item, merge: .rows(by: ["tag"]), movesInMerges: true,
      history: .row("tag")),
    TableSchema(
      "pile", "id name key", identity: .words(["name"], keyCount: 1), place: .ownFile, merge: .row, role: .shared,
      history: .row("pile")),
    TableSchema(
      "pile_item", "pile_id item_id position", keyCount: 2, owner: item, place: .withOwnerInExports,
      movesInMerges: true, history: .row("place in a pile")),
    TableSchema(
      "saved_query", "key name query", place: .ownFile, merge: .rows(by: ["key"]), history: .row("saved query")),
    TableSchema("edition_of", "item_id work_id", owner: item, history: .row("edition")),
    TableSchema(
      "field_value", "item_id field source set_at is_locked", keyCount: 2, owner: item, merge: .rows(by: ["field"])),
    TableSchema(
      "item_refresh", "item_id source asked_at", keyCount: 2, owner: item, merge: .rows(by: ["source"])),
    TableSchema("import_batch", "id format file at"),
    TableSchema(
      "import_row", "id batch_id line key words fingerprint outcome item_id copies reason said", owner: item,
      place: .exportsOnly, movesInMerges: true),

    TableSchema(unrecorded: "search_pending", "item_id old_text old_own"),
    TableSchema(unrecorded: "work_key", "key item_id facts"),
    TableSchema(unrecorded: "setting", "name value"),
    TableSchema(
      unrecorded: "trending_movie",
      """
      id source source_id title original_title year released genres description url artwork public_rating public_votes
      """),
    TableSchema(unrecorded: "trending", "iso_week movie_id rank"),
    TableSchema(unrecorded: "trending_cover", "movie_id bytes media_type width height source_url etag"),
    TableSchema(unrecorded: "step", "id command line at undone_at"),
    TableSchema(unrecorded: "step_change", "step_id part changes"),
    TableSchema(unrecorded: "identity", "uid table_name row_id is_alias"),
    TableSchema(unrecorded: "synced_file", "path fingerprint"),
    TableSchema(unrecorded: "sync_state", "name value"),
    TableSchema(unrecorded: "sync_conflict", "id at path row part title here there device kept settled_at"),
    TableSchema(unrecorded: "cover_digest", "item_id sha256"),
  ]

  /// The column with the item of a row.
  static let item = "item_id"
  /// The member of documents with the uid of a row.
  static let uid = "uid"
}

/// One step of the catalog file's schema.
public struct Migration: Sendable {
  /// 1, 2, 3, … without gaps: the file's `PRAGMA user_version` after it.
  public let version: Int
  public let name: String
  /// The SQL script.
  public let script: [UInt8]

  /// Every step, in order. One that has been released is never edited: a new one goes behind it.
  public static let all: [Migration] = [
    Migration(version: 1, name: "shelves", script: PackageResources.V0001_shelves_sql),
    Migration(version: 2, name: "genre analysis", script: PackageResources.V0002_genre_analysis_sql),
    Migration(version: 3, name: "genre editing", script: PackageResources.V0003_genre_editing_sql),
    Migration(version: 4, name: "trending", script: PackageResources.V0004_trending_sql),
    Migration(version: 5, name: "other titles", script: PackageResources.V0005_other_titles_sql),
    Migration(version: 6, name: "card order", script: PackageResources.V0006_card_order_sql),
    Migration(version: 7, name: "favorite order", script: PackageResources.V0007_favorite_order_sql),
    Migration(version: 8, name: "beyond chance", script: PackageResources.V0008_beyond_chance_sql),
    Migration(version: 9, name: "label kinds", script: PackageResources.V0009_label_kinds_sql),
    Migration(version: 10, name: "own words", script: PackageResources.V0010_own_words_sql),
    Migration(version: 11, name: "copies", script: PackageResources.V0011_copies_sql),
    Migration(version: 12, name: "diary", script: PackageResources.V0012_diary_sql),
    Migration(version: 13, name: "collection", script: PackageResources.V0013_collection_sql),
    Migration(version: 14, name: "works", script: PackageResources.V0014_works_sql),
    Migration(version: 15, name: "history", script: PackageResources.V0015_history_sql),
    Migration(version: 16, name: "imports", script: PackageResources.V0016_imports_sql),
    Migration(version: 17, name: "devices", script: PackageResources.V0017_devices_sql),
    Migration(version: 18, name: "wish items", script: PackageResources.V0018_wish_items_sql),
    Migration(version: 19, name: "newest", script: PackageResources.V0019_newest_sql),
    Migration(version: 20, name: "currencies", script: PackageResources.V0020_currencies_sql),
    Migration(version: 21, name: "folded letters", script: PackageResources.V0021_folded_letters_sql),
    Migration(version: 22, name: "said", script: PackageResources.V0022_said_sql),
    Migration(version: 23, name: "within kinds", script: PackageResources.V0023_within_kinds_sql),
    Migration(version: 24, name: "dates", script: PackageResources.V0024_dates_sql),
    Migration(version: 25, name: "search words", script: PackageResources.V0025_search_words_sql),
    Migration(version: 26, name: "apostrophes", script: PackageResources.V0026_apostrophes_sql),
    Migration(version: 27, name: "work_keys", script: PackageResources.V0027_work_keys_sql),
    Migration(version: 28, name: "names", script: PackageResources.V0028_names_sql),
  ]

  /// Marks a file as a catalog: `ctlg` as `PRAGMA application_id`.
  public static let applicationID = 0x6374_6C67
}

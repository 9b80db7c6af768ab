internal import CatalogStore
internal import CommandLineKit

/// A JSON document that `--json` of some commands prints, with the names of its members.
struct JSONDocument: Sendable {
  enum Shape: Sendable {
    case object
    /// A list of objects; `--jsonl` prints them a line each, `--csv` and `--tsv` as rows.
    case rows
    /// One object, or a list of them when a command acts on several things.
    case objectOrRows
  }

  /// A member: its name, and its type if that is another than everywhere else.
  struct Member: Sendable {
    let name: String
    private let said: JSONType?

    /// - Parameter word: `title`, or with a type: `copies:[copy]`.
    init(_ word: some StringProtocol) {
      let parts = word.split(separator: ":", maxSplits: 1)
      name = String(parts.first ?? "")
      said = parts.dropFirst().first.map { JSONType($0) }
    }

    var type: JSONType { said ?? JSONName.named(name)?.type ?? .anything }
    /// The definition of its name, if it is of the usual type.
    var sentence: String? { said == nil ? JSONName.named(name)?.sentence : nil }
  }

  let name: String
  let shape: Shape
  /// The commands that print it: `card list`.
  let commands: [String]
  let members: [Member]

  private init(_ name: String, _ shape: Shape, of commands: String, _ members: String) {
    (self.name, self.shape) = (name, shape)
    self.commands = commands.split(separator: ",").map {
      $0.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    self.members = members.split { $0 == " " || $0 == "\n" }.map { Member($0) }
  }

  /// The documents of a command, or of a group of commands.
  static func of(_ command: String) -> [JSONDocument] {
    all.filter { $0.commands.contains { $0 == command || $0.hasPrefix(command + " ") } }
  }

  // MARK: The documents

  private static let item = "id item kind title creators"
  private static let fields = Field.all.map { field in
    // Rows of other documents have one day of these names.
    ["seen_on", "lent_on", "due_on"].contains(field.name) ? "\(field.name):[day]" : field.name
  }.joined(separator: " ")
  private static let genres = """
    items items_with_genre items_without_genre enough_items rated mean_rating top_genre effective_branches gini_simpson
    judged loved recent_items_with_genre earlier_items_with_genre pairs_compared
    """
  private static let tallies = """
    items movies books vinyl rated mean_rating pages:integer books_with_pages minutes:integer movies_with_minutes prices
    books_with_price
    """

  static let all: [JSONDocument] = [
    JSONDocument(
      "items", .rows, of: "list, movies, books, vinyl, favorites, shelf, pick, report shame, export json", fields),
    JSONDocument(
      "item", .object, of: "show",
      Detail.memberNames.joined(separator: " ") + """
         preview_url tracks:[track] collection collection_id position:text parts seconds version feed_url screenshots
        offer credits portraits gallery videos similar:[movie]? recommended pressings copies:[copy] status times
        seen_on:[day] diary item editions cards:[card]
        """),
    JSONDocument("item-fields", .rows, of: "show --fields", "field value:any source updated_at locked"),
    JSONDocument(
      "picks", .rows, of: "pick --new", "kind title creators year source_genres reference reasons"),
    JSONDocument(
      "cards", .rows, of: "card list, card deck",
      "id card item kind title creators rating rating_scale comment seen_on:day added_at updated_at"),
    JSONDocument("card", .object, of: "card show", partList["card"] ?? ""),
    JSONDocument(
      "copies", .rows, of: "copy list",
      """
      id copy item kind title creators copy_format media_grade sleeve_grade place price acquired_on:day
      acquired_from:text borrower lent_on due_on:day note added_at
      """),
    JSONDocument(
      "loans", .rows, of: "loans",
      "copy item kind title creators borrower lent_on:day due_on:day overdue returned_on note"),
    JSONDocument(
      "holdings", .rows, of: "own",
      """
      owned item kind title creators year labels catalog_number countries copy copy_format media_grade sleeve_grade
      place price borrower due_on:day rating wished price_limit reference line text similar
      """),
    JSONDocument(
      "wishes", .rows, of: "wishes list",
      "id wish item kind title creators year price_limit note wished_at fulfilled_at"),
    JSONDocument("tags", .rows, of: "tag list", "tag items"),
    JSONDocument("piles", .rows, of: "pile list", "pile items"),
    JSONDocument("pile", .rows, of: "pile list NAME", "position id item kind title creators year"),
    JSONDocument(
      "recents", .rows, of: "recent list", "id recent kind title creators year item viewed_at source source_id"),
    JSONDocument(
      "entries", .rows, of: "diary list",
      """
      logged_on started_on ended_on id entry card item kind title creators rating rating_scale outcome again page
      pages note comment:text added_at
      """),
    JSONDocument(
      "results", .rows, of: "search, seasons",
      """
      season id result kind title creators year source_genres format have price sale_price isbn item edition_of source
      source_id url
      """),
    JSONDocument(
      "trending", .rows, of: "trending",
      """
      id result change title year source_genres public_rating have item edition_of rank_before source source_id url
      """),
    JSONDocument("complete", .rows, of: "complete", "have item kind number title creators year reference"),
    JSONDocument("saved-queries", .rows, of: "shelf saved", "name query items"),
    JSONDocument(
      "history", .rows, of: "history", "id operation done_at command typed changes undone_at"),
    JSONDocument("versions", .rows, of: "history --device", "done_at device version changes"),
    JSONDocument(
      "imports", .rows, of: "import list", "id import done_at file_format file rows added joined skipped rejected"),
    JSONDocument("imported-rows", .rows, of: "import show", "line row decision item reason row_key"),
    JSONDocument(
      "conflicts", .rows, of: "sync conflicts", "id conflict done_at title row part here there device kept"),
    JSONDocument("browsers", .rows, of: "serve browsers", "browser name paired_on seen_on:day"),
    JSONDocument("genre-list", .rows, of: "genre list", "genre ancestors items own_items aliases"),
    JSONDocument("genre-labels", .rows, of: "genre labels", "source_genre source genres items decision kind"),
    JSONDocument(
      "genres", .object, of: "genres",
      genres + """
         of findings:[finding] genres:[genre] pairs drift:[drift] kinds:[kind-pair] coverage
        """),
    JSONDocument(
      "genre-matrix", .object, of: "genres --by",
      """
      by items items_with_genre items_without_genre items_without_decade items_without_year_added items_without_kind
      items_without_creator items_without_rating other_creators items_of_others buckets:[bucket] cells
      """),
    JSONDocument(
      "genre-comparison", .object, of: "genres --compare",
      "items their_items shared both_rated correlation both_love borrow lend genres:[compared-genre]"),
    JSONDocument(
      "report", .object, of: "report years, report decades, report creators, report labels, report publishers",
      tallies + """
         items_without_year items_without_decade items_without_creator items_without_label items_without_publisher
        years decades creators:[tally] labels:[tally] publishers:[tally]
        """),
    JSONDocument(
      "report-ratings", .object, of: "report ratings",
      "items rated unrated mean_rating median_rating deviation histogram kinds:[rated-kind]"),
    JSONDocument(
      "report-year", .object, of: "report year",
      """
      year over figures before:figures before_until undated_ratings best more_as_good first_added:moment
      last_added:moment first_seen:moment last_seen:moment genres:[genre-of-year] more_genres
      new_genres:[genre-of-year]? creators:[creator-of-year] more_creators
      """),
    JSONDocument("report-year-figures", .rows, of: "report year --csv", "measure value before"),
    JSONDocument("level", .object, of: "level", "vinyl level name gauge levels"),
    JSONDocument("checks", .rows, of: "doctor", "check state findings message items:[integer] examples"),
    JSONDocument("profiles", .rows, of: "profile list", "profile in_use items bytes remote file"),
    JSONDocument(
      "sources", .rows, of: "source list",
      """
      source name kinds key rate_limit today daily_limit default_for contact rests_until base_url attribution titles
      bytes
      """),
    JSONDocument(
      "source-tests", .rows, of: "source test", "source reachable key left limit today sent_as verdict problem"),
    JSONDocument(
      "source-copies", .rows, of: "source copy list",
      "source name made_on titles editions:integer bytes asked options files attribution file"),
    JSONDocument("settings", .rows, of: "config list", "setting value help"),
    JSONDocument("cache", .rows, of: "cache stats", "what entries bytes byte_limit expired mean_uses"),
    JSONDocument("cached-pictures", .rows, of: "cache gc --explain", "url bytes uses used_at reason"),
    JSONDocument(
      "import", .objectOrRows, of: "import",
      """
      changed would_change file file_format import rows added joined rejected skipped unchanged unsure noted
      """),
    JSONDocument(
      "change", .objectOrRows,
      of: """
        add, edit, remove, merge, edition add, edition remove, favorite, unfavorite, refresh, represent, log, rate,
        card add, card edit, card remove, diary edit, diary remove, copy add, copy edit, copy remove, lend, return,
        wish, wishes tie, wishes remove, tag add, tag remove, tag rename, pile add, pile move, pile remove, shelf
        save, shelf forget, recent remove, cover set, cover remove, undo, redo, export, backup, restore, config set,
        config unset, genre alias, genre rename, genre merge, genre parent, sync run, sync files, sync init, sync clone, sync
        join, source build, source update, source key, source copy remove, profile use, profile wipe, cache clear,
        cache gc, serve forget
        """,
      """
      changed would_change item kind title creators year card entry copy wish new fields tag pile position rating
      outcome favorite_at borrower due_on:day returned_on before:text items merged edition_of name query recent bytes
      pictures operation command typed changes conflicts file file_format made_on setting value source titles key profile
      remote added changed_elsewhere removed files_changed_here sent browser line text kept_file error
      """),
  ]

  // MARK: The objects in them

  /// The objects that are values of members.
  static let parts = partList.mapValues { $0.split { $0 == " " || $0 == "\n" }.map { Member($0) } }

  private static let partList = [
    "credit": "name role detail",
    "copy": """
    id copy copy_format media_grade sleeve_grade place price acquired_on:day acquired_from:text borrower lent_on
    due_on:day note added_at
    """,
    "card": "id card item rating rating_scale comment seen_on:day added_at updated_at",
    "entry": "id entry card outcome started_on ended_on again page note added_at",
    "track": "position:text title seconds",
    "screenshot": "device url",
    "offer": """
    price hd_price rental_price hd_rental_price advisory collection copyright seller minimum_system languages bytes
    updated_on
    """,
    "portrait": "name detail url",
    "picture": "subject url width height language",
    "video": "name type site url published_on",
    "movie": "reference title year public_rating",
    "pressing": "reference title year released_on countries labels catalog_number format speed",
    "part": "kind basis items dated since:integer runs count_as",
    "finding": """
    finding kind:text genre value items against against_items since of:[kind] test p adjusted_p query sentence
    """,
    "genre": """
    genre ancestors items own_items share weight rated mean_rating shrunk_rating affinity momentum judged loved
    affinity_p affinity_beyond_chance recent_items recent_expected momentum_p momentum_beyond_chance
    """,
    "pair": "genre other together expected lift p",
    "drift": "year items items_with_genre compared_with drift p enough_items beyond_chance moved new_genres",
    "move": "genre weight_before weight part:number",
    "kind-pair": "kind other similarity enough_items genres:[shared-genre]",
    "shared-genre": "genre weight other_weight contribution",
    "coverage": "kind items items_with_genre items_without_genre",
    "bucket": "decade year_added kind creator rating items items_with_genre",
    "cell": "genre ancestors decade year_added kind creator rating items",
    "work": "kind title creators year rating their_rating",
    "loan": "kind title creators year rating because",
    "compared-genre": "genre items their_items share their_share p beyond_chance",
    "tally": """
    year decade creator label publisher items movies books vinyl rated mean_rating shrunk_rating pages minutes prices
    first_year last_year
    """,
    "step": "stars least most items share",
    "rated-kind": "kind items rated mean_rating public",
    "comparison": """
    items mean_rating mean_public_rating difference distance correlation above more_above below more_below
    """,
    "difference": "id item kind title creators year rating public_rating difference",
    "moment": "id item kind title creators year done_on rating rating_scale",
    "figures": """
    added:sums times again:integer seen:sums dropped pages_dropped cards:integer rated:sums favorites released months
    times_without_month histogram:[integer]
    """,
    "sums": tallies,
    "month": "month added times",
    "genre-of-year": "genre items share share_before",
    "creator-of-year": "creator items",
    "level": "level name least most",
  ]
}

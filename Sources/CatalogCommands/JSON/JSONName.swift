internal import CatalogStore

/// A name of a member in JSON and of a column in CSV: one name for one thing in all documents.
///
/// The fields of an item have theirs in ``Field``. Every other name is a line here, and a document that uses an unknown
/// one fails its test.
struct JSONName: Sendable {
  let name: String
  let type: JSONType
  /// The definition, in a sentence.
  let sentence: String

  /// The name of this spelling.
  static func named(_ name: String) -> JSONName? { known[name] }

  private static let known = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// All names but those of fields, in alphabetical order.
  static let others = table.split(separator: "\n").map { line in
    let words = line.split(separator: " ", maxSplits: 2)
    return JSONName(name: String(words[0]), type: JSONType(words[1]), sentence: String(words[2]))
  }

  private static let all =
    others + Field.all.map { JSONName(name: $0.name, type: JSONType(of: $0), sentence: $0.heading) }

  private static let table = """
    above [difference] The items that you rate higher than the public.
    added integer How many are new.
    added_at time When it was added.
    adjusted_p number The chance, corrected for the number of questions.
    advisory text The age rating at the shop.
    affinity number How much more often the genre is loved than the rest.
    affinity_beyond_chance flag Whether the affinity is more than chance.
    affinity_p number The chance of such an affinity.
    again flag Whether it was not the first time.
    against number The value that it is compared with.
    against_items integer How many items that value rests on.
    aliases [text] Other names of the genre.
    ancestors [text] The genres above it, the next one first.
    asked text When a copy is asked: 'first' or 'last'.
    attribution text The line that a source asks for.
    base_url text The address of a source.
    basis text What of a kind is counted.
    because [text] The genres that speak for it.
    before any The value of the year before, or the name before.
    before_until day Up to which day of the year before it is compared.
    below [difference] The items that you rate lower than the public.
    best [moment] The items with the best ratings.
    beyond_chance flag Whether it is more than chance.
    books integer How many of the items are books.
    books_with_pages integer How many books have a number of pages.
    books_with_price integer How many books have a price.
    borrow [loan] What they love and you do not have.
    borrower text Who has a copy.
    both_love [work] What both love.
    both_rated integer How many works both have rated.
    browser integer The number of a paired browser.
    buckets [bucket] The columns of the matrix.
    by text What the columns of the matrix are.
    byte_limit integer The greatest size in bytes.
    bytes integer A size in bytes.
    card integer The number of a card.
    cells [cell] The counts of the matrix.
    change text What became of a result since last time: new, stayed or gone.
    changed flag Whether something was written; false is no failure.
    changed_elsewhere integer How many rows other devices changed.
    changes [text] What was changed, a line each.
    check text The name of a check.
    collection text The album or series that it is a part of.
    collection_id text The id of that album or series at a source.
    command text The command without its arguments.
    comment text The words on a card.
    compared_with integer The year that it is compared with.
    conflict integer The number of a conflict.
    conflicts integer How many conflicts there were.
    contact text Whether a source gets the contact, or needs one.
    contribution number The part of the similarity.
    copies integer How many copies an item has.
    copy text The number of a copy, such as c3.
    copy_format text The format of a copy.
    copyright text The line of the rights.
    correlation number How far two series of ratings agree, from -1 to 1.
    coverage [coverage] How many items of a kind have a genre.
    creator text One maker, where a row is about one.
    credits [credit] All people and labels of an item.
    daily_limit integer How many requests a day a source allows.
    dated integer How many of the items have a day.
    decade integer The first year of ten.
    decades [tally] A row a decade.
    decision text What becomes of a row or a word: added, joined, skipped, rejected; known, unknown, noise.
    default_for [kind] The kinds that a source is asked for without being named.
    detail text A part, an instrument or a character.
    deviation number The standard deviation.
    device text The name of a device.
    diary [entry] The entries of an item, the latest first.
    difference number Yours minus the other.
    discs integer How many discs.
    distance number The mean size of the differences.
    done_at time When it was done.
    done_on day When it was done.
    drift number How far the genres moved since the year before, from 0 to 1.
    dropped integer How many were given up.
    due_on day When a copy is due.
    earlier_items_with_genre integer How many older items have a genre.
    edition_of integer The item of which it is another edition.
    editions [integer] The other editions, by their items.
    effective_branches number How many genres would be as varied if all were equal.
    ended_on day When it was finished or given up.
    enough_items flag Whether there are enough for a statement.
    entries integer How many entries there are.
    entry integer The number of an entry of the diary.
    error text Why it failed.
    examples [text] Some of what was found.
    expected number How many chance would give.
    expired integer How many are too old.
    favorite_at time When it became a favorite.
    favorites integer How many became favorites.
    feed_url text The address of a podcast.
    field text The name of a field.
    fields [text] The fields that were changed.
    figures figures The numbers of a year.
    file text The path of a file.
    file_format text The format of a file.
    files [text] The files that it was made from.
    files_changed_here integer How many files of the tree changed on this device.
    finding text The kind of a finding.
    findings integer How many were found.
    first_added [moment] What was added first.
    first_seen [moment] What was watched, read or played first.
    first_year integer The earliest year.
    fulfilled_at time When a wish was fulfilled.
    gallery [picture]? The pictures of a movie; null when they were not asked for.
    gauge text How far the next level is: 12/50.
    genre text The name of a genre.
    gini_simpson number The chance that two items differ in genre.
    have text What is here of it: owned, finished, listed, wished, missing; for a result, in words.
    hd_price money The price in high definition.
    hd_rental_price money The rental price in high definition.
    height integer In pixels.
    help text What a setting does.
    here text The value of this device.
    histogram [step] How many items have each rating.
    id row The number of the row itself, the same as its card, copy, wish, entry, operation, import, conflict or result.
    import integer The number of an import.
    in_use flag Whether it is the one in use.
    item integer The number of an item.
    items integer How many items.
    items_of_others integer How many items are of other makers.
    items_with_genre integer How many items have a genre.
    items_without_creator integer How many items have no maker.
    items_without_decade integer How many items have no year.
    items_without_genre integer How many items have no genre.
    items_without_kind integer How many items have no kind.
    items_without_label integer How many items have no label.
    items_without_publisher integer How many items have no publisher.
    items_without_rating integer How many items have no rating.
    items_without_year integer How many items have no year.
    items_without_year_added integer How many items have no day of addition.
    joined integer How many rows were joined to items that were there.
    judged integer How many items have an opinion.
    kept text What stays of a conflict: mine, theirs or both.
    kept_file text The file with the catalog as it was before.
    key text Whether a source has its key.
    kinds [kind] Kinds of items.
    label text One record label, where a row is about one.
    languages [text] The languages of a text or sound.
    last_added [moment] What was added last.
    last_seen [moment] What was watched, read or played last.
    last_year integer The latest year.
    least integer The lowest number of the range.
    left integer How many requests are left.
    lend [loan] What you love and they do not have.
    lent_on day When a copy was lent.
    level integer The number of a level.
    levels [level] All levels.
    lift number How many times as often as by chance.
    limit integer How many requests are allowed.
    line integer The number of a line in a file or on standard input.
    locked flag Whether no source replaces the value.
    logged_on day The day of an entry: of its end, or else of its start.
    loved integer How many are favorites or rated 80 or more.
    made_on day The day of the data.
    mean_public_rating number The mean of the public ratings.
    mean_rating number The mean of your ratings, from 0 to 100.
    mean_uses number How often one was used.
    measure text The name of a number.
    media_grade text The grade of a record.
    median_rating number The rating in the middle.
    merged integer The item that became part of another.
    message text What a check says.
    minimum_system text The oldest system on which it runs.
    momentum number How the genre grew, in percent.
    momentum_beyond_chance flag Whether the growth is more than chance.
    momentum_p number The chance of such a growth.
    month integer The month, from 1.
    months [month] A row a month.
    more_above integer How many more there are.
    more_as_good integer How many more have the same rating.
    more_below integer How many more there are.
    more_creators integer How many more there are.
    more_genres integer How many more there are.
    most integer The highest number of the range.
    moved [move] The genres that moved most.
    movies integer How many of the items are movies.
    movies_with_minutes integer How many movies have a running time.
    name text A name.
    new flag Whether the command made it.
    new_genres [text]? The genres that were not there before; null when that cannot be told.
    noted integer How many cells were not taken as they are; most went into the note.
    number text The number in a series.
    of [part] What was counted, by kind.
    offer offer The offer of the shop.
    operation integer The number of an operation in the history.
    options [text] The options that a copy was built with.
    other text The other one of two.
    other_creators integer How many other makers there are.
    other_weight number The weight on the other side.
    outcome text How an entry ended: done, dropped or ongoing.
    over flag Whether the year is over.
    overdue flag Whether a copy should be back.
    own_items integer How many items have the genre itself, not one below it.
    owned flag Whether you have a copy.
    p number The chance of so great a difference.
    page integer The page where the reader is.
    pages_dropped integer The pages read of what was given up.
    paired_on day When a browser was paired.
    pairs [pair] Genres that go together.
    pairs_compared integer How many pairs were looked at.
    part text A part of a whole, such as a field.
    parts integer How many tracks or episodes there are.
    pictures integer How many pictures.
    pile text The name of a pile.
    place text Where a copy is kept.
    portraits [portrait]? The portraits of a movie; null when they were not asked for.
    position integer The place on a pile or in an order, from 1.
    pressings [pressing]? The pressings of an album; null when they were not asked for.
    preview_url text The address of a preview.
    price money A price: of a copy what was paid, else what it costs.
    price_limit money The most that a wish may cost.
    problem text What went wrong.
    profile text The name of a profile.
    public comparison How you and the public differ.
    publisher text The publisher.
    publishers [tally] A row a publisher.
    query text A query.
    rank_before integer The rank of last time.
    rate_limit text How often a source may be asked.
    rated integer How many are rated.
    reachable flag Whether a source could be reached.
    reason text Why it is so.
    reasons [text] Why it was picked.
    recent text The number of a recent view, such as @1.
    recent_expected number How many chance would give of late.
    recent_items integer How many of the last year.
    recent_items_with_genre integer How many items of the last year have a genre.
    recommended [movie]? Movies that a source recommends; null when they were not asked for.
    reference text The id at a source, by which commands take it.
    rejected integer How many rows cannot be stored.
    released integer How many came out that year.
    remote text Where the devices meet.
    removed integer How many were removed.
    rental_price money The rental price.
    rests_until time Until when a source is not asked.
    result text The number of a result, such as r1.
    returned_on day When a copy came back.
    role text What a person did: director, author, artist, …
    row text The text of a row.
    row_key text What tells the rows of a file apart.
    rows integer How many rows a file has.
    sale_price money The price at which it is sold now.
    screenshots [screenshot] The pictures of an app.
    season text The season.
    seconds integer How long, in seconds.
    seen sums What was watched, read or played.
    seen_on day When it was watched, read or played.
    seller text Who sells it.
    sent flag Whether it was sent.
    sent_as text The name by which the program is known there.
    sentence text The finding in words.
    setting text The name of a setting.
    share number The part of the whole, from 0 to 1.
    share_before number That part in the year before.
    shared integer How many both have.
    shrunk_rating number The mean rating, drawn towards the mean of all where there are few.
    similar flag Whether it only resembles what was asked.
    similarity number How alike, from 0 to 1.
    since text From when on.
    site text The site of a video.
    skipped integer How many rows were left out.
    sleeve_grade text The grade of a sleeve.
    source text A source.
    source_genre text What a source calls a genre.
    source_id text The id at the source.
    stars number Stars, from 0 to 5.
    started_on day When it was begun.
    state text The state of a check: ok, hint, wrong, fixed or unchecked.
    subject text What a picture shows.
    tag text The name of a tag.
    test text The statistical test.
    text text A text as it was typed.
    their_items integer How many items they have.
    their_rating integer Their rating, from 0 to 100.
    their_share number The part of theirs.
    there text The value of the other device.
    times integer How many times it was watched, read or played.
    times_without_month integer How many times have no month.
    titles integer How many titles.
    today integer How many requests were made today.
    together integer How many items have both.
    top_genre text The genre with most items.
    type text The type of a video.
    typed text What was typed.
    unchanged integer How many rows are as they were at the last import.
    undated_ratings integer How many ratings have no day.
    undone_at time When it was undone.
    unrated integer How many are not rated.
    unsure integer How many rows may be one of several items.
    updated_at time When it was changed last.
    updated_on day When it was changed last.
    used_at time When it was used last.
    uses integer How often it was used.
    value any The value of a measure, a field or a setting.
    verdict text The cause of a refusal.
    version text The version.
    videos [video]? The videos of a movie; null when they were not asked for.
    viewed_at time When it was viewed.
    vinyl integer How many of the items are records.
    weight number The part of all genres, from 0 to 1.
    weight_before number That part in the year before.
    what text What is counted.
    width integer In pixels.
    wish text The number of a wish, such as w3.
    wished flag Whether it is wished for.
    would_change flag In a dry run, whether something would be written.
    year integer A year.
    year_added integer The year of addition.
    years [tally] A row a year.
    """
}

/// The type of a value in JSON. Every single value may be null, which means unknown; a list is `[]` when it is empty.
indirect enum JSONType: Sendable {
  /// A text, a number or `true`.
  case text, integer, number, flag
  /// A date, perhaps without the day or the month; a moment in UTC.
  case day, time
  /// `{"amount":12.50,"currency":"EUR"}`
  case money
  case kind
  /// The number of a row: a whole number, or a text such as `c3`.
  case row
  /// An object of ``JSONDocument/parts``.
  case part(String)
  case list(JSONType)
  /// A list that is null when it was not asked for.
  case openList(JSONType)
  case anything

  init(_ word: some StringProtocol) {
    if word.hasPrefix("["), let end = word.lastIndex(of: "]") {
      let element = JSONType(word[..<end].dropFirst())
      self = word.hasSuffix("?") ? .openList(element) : .list(element)
      return
    }
    self =
      switch word {
      case "text": .text
      case "integer": .integer
      case "number": .number
      case "flag": .flag
      case "day": .day
      case "time": .time
      case "money": .money
      case "kind": .kind
      case "row": .row
      case "any": .anything
      default: .part(String(word))
      }
  }

  init(of field: Field) {
    func single(_ type: FieldType) -> JSONType {
      switch type {
      case .kind: .kind
      case .integer, .count, .year, .rating: .integer
      case .real: .number
      case .flag: .flag
      case .date: .day
      case .moment: .time
      case .price: .money
      default: .text
      }
    }
    self = field.form.isList ? .list(single(field.type.element)) : single(field.type)
  }

  /// The type in words, for the help.
  var words: String {
    switch self {
    case .text: "text"
    case .integer: "whole number"
    case .number: "number"
    case .flag: "true or false"
    case .day: "day"
    case .time: "time"
    case .money: "money"
    case .kind: "kind"
    case .row: "number or text"
    case .part: "object"
    case .anything: "any"
    case .list(.part), .openList(.part): "list of objects"
    case .list(let type), .openList(let type): "list: \(type.words)"
    }
  }
}

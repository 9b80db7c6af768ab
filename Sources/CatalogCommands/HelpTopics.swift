internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

extension HelpTopic {
  /// The help pages that are not about a single command. The manual page includes them.
  static let all = [
    query, fields, references, ratings, genres, reports, sources, itunes, output, json, environment, exitStatus,
  ]

  private static let exitStatus = HelpTopic(
    "exit-status", summary: "The exit status of commands.",
    text: """
      \(ExitStatus.allCases.map(\.line).joined(separator: "\n"))

      What was so already, as with a favorite, a tag, a loan or an item on the shelf, is said on standard error. \
      Every listing without a row ends with 1, and with --json prints [] all the same. Two commands answer a question: \
      'catalog own' ends with 1 when you do not own the item, and 'catalog loans --overdue' with 0 when nothing is \
      overdue and with 6 when something is, so that 'catalog loans --overdue > late || mail me < late' is a line for \
      cron. When one of several items fails, as with 'catalog add -', the others are still done, and the failure \
      decides the status.

      After Ctrl-C or another signal it is 128 plus the number of the signal: 130 for Ctrl-C. Changes made until then \
      stay. 'catalog serve' runs until such a signal and ends with 0. A reader that stops early, as in \
      'catalog list | head', is not a failure, and a command that changes something goes on without it. If \
      the output cannot be written, because the disk is full or standard output is closed, the status is 1, but the \
      changes stay.
      """)

  private static let query = HelpTopic(
    "query", summary: "How to select items: words and field:value terms.",
    about: ["list", "movies", "books", "vinyl", "favorites", "edit", "remove", "diary"],
    text: """
      'list', 'genres', 'report' and other commands take a query: words and field:value terms. All of them must hold. \
      A word is searched for at the start of words in titles, names, genres and codes, on your cards and in tracks, \
      without regard to case and accents; matches in titles come first. Korean is found by parts of words and by \
      initial consonants (ㅎㄹㅍㅌ finds 해리 포터).

        kind:vinyl                movie, book or vinyl; kind:movie,book is either
        genre:jazz                the genre, or one below it; genre:=jazz is itself
        year:1959                 or year:1955..1965, year:1990.., year:1950s
        rating:4..                4 stars and more, or rating:8/10..
        creator:davis             part of a director's, author's or artist's name,
                                  from the start of a word on; also cast:, translator:
        title:blue                part of a title; title:=blue is the whole of it
        track:"So What"           a track of a record
        comment:"never gets old"  words on a card
        seen:2024                 when it was watched, read or played; seen:none never
        times:2..                 how many times
        status:ongoing            planned, ongoing, done or dropped
        cards:2..                 how many cards there are
        copies:none               known, not owned; copies:2.. several of it
        grade:>=VG+               a copy of this grade or better; sleeve: for its sleeve
        place:K2                  a copy in a place whose name begins with K2
        price:..20000KRW          what was paid for a copy; or price:12.50usd,
                                  price:10..20 in any currency
        from:market acquired:2019 where and when a copy came
        favorite:yes              or favorite:no
        tag:winter  pile:next     what has a tag of yours, what is on a pile
        wished:yes                what you wish for
        borrower:anna             who has a copy of it; due:..yesterday, until when
        added:2026-11             when it was added; today, yesterday, 2020s, -2w..
                                  for the last two weeks, -3m.. for three calendar
                                  months (d, w, m, y)
        id:40..50                 by number
        label:columbia            part of any other text: see 'catalog help fields'
        said:funk                 what a source called the genre, whatever it means
        has:cover  cover:none     it has one, it has none; so year:none, rating:any

        @bop                      a query of yours: catalog shelf save bop genre:bebop

      Between them may stand:

        ^genre:pop                '^' or '-' turns a term, a word or parentheses
                                  round; a word has '^', since '-' begins an option
        rating:5 or favorite:yes  one of both holds
        kind:book and not han     'and' may be left out
        '(bach or mozart) -live'  parentheses, in quotes for the shell

      'and' binds more than 'or', 'not' more than 'and'. At the beginning and at the end 'and' and 'or' are words, and so is \
      'not' at the beginning before a word: 'and justice for all', 'not fade away'. In double quotes they always are, inside \
      those of the shell: '"do not disturb"'. In capitals NOT is never one.

      A value with blanks is quoted for the shell: genre:"Science Fiction". Of several values with commas between them one is \
      enough; in sentences, and before a blank, a comma is a comma: creator:"Earth, Wind & Fire". A '=' before a value asks for \
      the whole of it: creator:=prince. year:>1990 and its kin are understood, too, but to a shell '>' writes a file, so \
      they are quoted: 'year:>1990'.

      What stands before a colon at once is a field, and one that there is not is an error. A title with a colon is typed as \
      title:Re:Zero, or in double quotes inside those of the shell: '"Re:Zero"'. Between double quotes nothing has a meaning: \
      title:'"none"', creator:'"10,000 Maniacs"'; two of them within stand for one.

        catalog list blue kind:vinyl year:1955..1965 -genre:pop rating:4..
        catalog list 'kind:vinyl (year:1950s or genre:modal) not track:blue'
      """)

  /// Generated from the table of fields, so that none is missing.
  private static let fields = HelpTopic(
    "fields", summary: "The fields of an item: names for queries, columns and edit.", about: ["list", "edit"],
    text: """
      The first name is used in JSON, in CSV and for --columns; queries, --sort and 'edit' also accept the one in \
      brackets. A listing for programs has all fields but those marked 'on request', which must be named.

      \(Field.all.map(\.line).joined(separator: "\n"))
      """)

  private static let references = HelpTopic(
    "references", summary: "How to name an item: a number, a result, an identifier or words.",
    about: ["show", "add", "open", "cover", "preview", "favorite", "card", "log", "rate"],
    text: """
        42                        the item of that number; numbers never change and are never reused
        r3                        the third result of the last search
        @1                        what was viewed last; @2 is the one before
        c7                        the item of that copy
        w3                        the item of that wish
        isbn:9788936434120        the book of that ISBN, with 10 or 13 digits
        barcode:036000291452      the record of that barcode
        openlibrary:OL45804W      the id at a source
        tt1375666                 the movie with that id at IMDb
        https://…                 the item or result with that page
        kind of blue              its title
        dune 1984                 its title and year, as in Dune (1984)
        vinyl kind of blue        its kind and title
        dune lynch                its title and maker, as in Dune — David Lynch

      Words mean the item with that title, without regard to case, accents, signs and apostrophes; an article may be \
      missing. What the program prints is a name too: movie 6: Dune. A reference that names nothing is an error.

      Where a command takes several items, words in a row are one title, and a title in quotes that contains a blank \
      is another: catalog favorite "kind of blue" "blade runner". Titles of one word each, such as vertigo chinatown, \
      are two titles if nothing here or in the built-in pack has both words and each word alone is a title.

      What is only near is offered and never taken: titles that begin so, are spelled nearly so, or have the words. On a \
      terminal you choose from a list, or answer yes or no; elsewhere the command ends with status 1 and lists what to \
      type. --yes answers yes-or-no questions about what was named, and chooses nothing. Commands that only show \
      something take a single near item, and say so. 'remove' looks at titles only, never at makers.

      Words behind a title are no comment, rating or day: 'rate' takes a rating as its last word, and 'log' and 'card \
      add' a comment in quotes with a blank in it; else use --comment, --stars and --on.

      A number is an item. Where no item has it, it may be a title, as 1984 is: a terminal asks, and elsewhere the items \
      that are called so are named. An ISBN or barcode may be pasted as it is printed.

      The movie of an id of IMDb that is not in the catalog is looked up at TMDB, or without its key at Wikidata. An ISBN or \
      barcode that no item has is looked up by the commands that can add it.

      Numbers of results hold until the next search.
      """)

  private static let ratings = HelpTopic(
    "ratings", summary: "How to write a rating, and how it is stored.",
    about: ["card", "rate", "log"],
    text: """
        4.5  4½  ★★★★½            stars from 0 to 5, in halves
        4.25                      or in quarters
        9/10  8.5/10              out of ten, with at most one decimal
        87%  87/100               per cent

      A rating is stored exactly, with the scale on which you typed it, and is shown in that scale. Sorting, queries \
      and JSON use one scale: 0 to 100, where a star is 20.

      An item may have many cards. Its rating is that of the newest card with a rating, by the time of writing, on \
      every device.
      """)

  private static let genres = HelpTopic(
    "genres", summary: "What the numbers of 'catalog genres' mean.",
    about: ["genres", "genre"],
    text: """
      Genres are a tree. An item counts for the genres it has and for all above them, for each once: a hard bop record \
      counts for Hard Bop, Jazz and Music. Sources' own labels are mapped to the tree when an item is added; 'catalog \
      genre labels' lists them, and said:"Funk / Soul" in a query finds the items of which a source said so. The tree is yours \
      to change: 'catalog genre --help'. What you set by hand wins over labels; 'catalog edit 42 genres!' gives an item back to \
      them.

        items         items with the genre or one below it
        share         items ÷ all items with any genre; an item may have several, so shares
                      add up to more than 100 %
        weight        each item is split evenly among its lowest genres: a record of Jazz and Hard
                      Bop is one of Hard Bop; weights add up to 100 %
        rating        drawn towards your mean m of the kind: (\(GenreReport.priorItems) × m + the sum) ÷ (\(GenreReport.priorItems) + how
                      many), with how many there are; one five-star record does not top the list
        loved         how many times as often its items are loved (favorite, or 4 stars and more)
                      as all of the kind that are rated or favorites; drawn towards 1, from \(GenreReport.leastForAffinity)
                      such items on (affinity)
        trend         share within each kind of what was watched, read or added in the last
                      \(GenreReport.recentDays) days less the share before, in percentage points (momentum)
        pairs         genres that are on one item more often than chance makes them on items of
                      one kind with as many genres; from \(GenreReport.leastTogether) items on, never a genre with one above it, nor two of one label
        branch        the genre of the level below the root: Jazz for Hard Bop
        diversity     that many branches of equal weight would be as varied (e to the entropy), from
                      \(GenreReport.leastForDiversity) items on; and the chance that two branches drawn differ
        drift         how far the mix of branches of one year is from the year before, within
                      each kind: 0 the same, 1 nothing in common (Jensen–Shannon divergence), and
                      how often an unchanged taste drifts as far (p)
        new genres    those that nothing before has; silent until \(GenreReport.leastBeforeNew) items came before
        alike         how much two kinds have the same mix of branches: 1 the same, 0 nothing in
                      common (the cosine of their weights), and through which, from \(GenreReport.leastTogether) items of
                      either kind on
        coverage      how many items have a genre at all

      The top genre is the one with most items; of equals the one with more weight, then the first by name. A root of \
      the tree with genres below it, such as Music or Fiction, is passed over: it is a heading, which says only what kind \
      of thing an item is.

      A colour, an arrow, a shade or a sentence is more than chance: of twenty pages about an unchanged taste at most one \
      marks anything. Movies are compared with movies, books with books and records with records. What is grey may be chance.

      Trend, drift and likeness are shown from \(GenreReport.leastToCompare) items with a genre on each side: with fewer \
      there is too little to tell. JSON has them nevertheless, and says so with enough_items and beyond_chance.

      '--by decade' sets the genres against decades; year-added, kind, creator (the \(GenreMatrix.mostCreators) with \
      most items) and rating (to the nearest half star) are others. '--table' prints one table alone and whole: summary, \
      genres, pairs, drift, kinds or coverage.

      JSON has everything in one object; CSV has the genres, the matrix or the table that was asked for. Shares and \
      weights are between 0 and 1, ratings between 0 and 100, and what cannot be told is null. The views genre_share, \
      genre_pair, genre_diversity, genre_drift, kind_overlap and genre_by_decade of the catalog file hold the same for \
      all items; docs/genres.md explains every number, docs/genre-mathematics.md its formula, its test and its SQL.
      """)

  private static let reports = HelpTopic(
    "reports", summary: "What the numbers of 'catalog report' mean.",
    about: ["report"],
    text: """
        mean          the mean of the items' ratings, with how many there are; an item's rating is
                      that of its newest card
        shrunk        (\(GenreReport.priorItems) × the mean of all + the sum) ÷ (\(GenreReport.priorItems) + how many): \
      what --sort rating sorts by
        pages, time   of the books and movies for which they are known
        prices        on the covers of books, a sum for each currency
        year          of release; with --added the year in which the item was added
        histogram     to the nearest half star, of two equally near the higher
        spread        how far ratings typically are from their mean (standard deviation)
        agreement     1 when your ratings rise with the public's, 0 when one says nothing of the
                      other, -1 when you like what it does not (Pearson's correlation); from
                      \(RatingReport.Comparison.leastForCorrelation) items on

      Years, months and days are those of your clock (TZ). In a year in review a card belongs to the year of \
      its date, or, without one, of its writing; a date that is only a year counts for the year and for none of its \
      months. 'Watched, read, played' counts the finished entries of the diary and the dated cards of the year, \
      each item once, with the rating that the year's newest card gives.

      An item without a year is in the totals but in no row, and the report says so. Ratings in JSON and CSV are \
      between 0 and 100; unknown values are null.
      """)

  private static let sources = HelpTopic(
    "sources", summary: "Where results come from.",
    about: ["search", "source"],
    text: """
      'catalog search' asks one source for each kind: iTunes for movies, music, podcasts and apps, Open Library for \
      books, MusicBrainz for records. If it cannot be reached, others answer instead: Wikidata, Inventaire, iTunes, \
      and for the ISBNs of their countries the libraries DNB and BnF. None of them needs a key or an account. \
      'catalog source list' shows them, '--source' asks one alone.

      Open Library, MusicBrainz, Wikidata, Inventaire and Discogs ask for a contact, and some of them refuse requests \
      without one: 'catalog config set contact me@example.org'. It is sent to no other source.

      With a key, TMDB is asked for movies, Discogs for records, and Kakao and Aladin for books in Korea or with \
      Korean words: 'catalog source key tmdb' stores it, 'catalog source test' tests it. A key never appears in an \
      argument, message, cache or catalog.

      The built-in pack holds well-known titles and is searched without a network: with '--offline', with '--source \
      pack', or when no source can be reached.

      The program curl does the network requests. Sources are asked no more often than they allow, even by several \
      runs at once; answers are kept in the cache, which may be deleted at any time. Another address, such as a \
      mirror, is set with 'catalog config set sources.NAME.base_url URL', the country of the shops with 'catalog \
      config set locale.country KR' or '--country'.
      """)

  private static let itunes = HelpTopic(
    "itunes", summary: "The categories of iTunes, its shops, and the four seasons.",
    about: ["search", "seasons", "browse"],
    text: """
      iTunes searches for words everywhere, or in one category of a kind. '--attribute' chooses it, by the word on the \
      left or by Apple's own name beside it, in any case:

        catalog search "song kang ho" --attribute actor
        catalog search 조영욱 --attribute composer --country KR
        catalog search history --attribute description --kind podcast,movie

      A category that only one kind has needs no '--kind'. '--attribute' asks iTunes, even for kinds that another \
      source usually answers, and the built-in pack does not replace it. Apple documents only their names: the \
      explanations are derived from these. E-books have no categories; '--by' searches titles and authors.

      \(attributes(of: .itunes))

      The shop is that of '--country', of 'catalog config set locale.country KR' or of the environment, in this order. \
      Titles, genres and prices are those of its country: Korean in Korea (KR), Japanese in Japan (JP). The details of \
      a result come from the shop that it is from. Some countries have no shop.

      A song says which album it is from: 'catalog show itunes:collection/1441164816' lists its tracks, and 'catalog \
      add r1 --as vinyl' shelves that album as a record. Prices, ages and sizes of a shop are shown but not stored in \
      the catalog, except for the price of a book.

      'catalog seasons' looks for spring, summer, autumn and winter at once: 5 results for spring, 15 for each of the \
      others. '--attribute' looks for them in one category; 'catalog browse --seasons' shows them on the whole screen, where \
      Ctrl-T goes on to the next category.
      """)

  /// The categories that the source declares: a list for each kind.
  private static func attributes(of source: Source) -> Message {
    source.kindsWithAttributes.map { kind -> Message in
      let attributes = source.attributes(kind)
      let rows = attributes.map { attribute in
        let name = "  " + attribute.word.padded(to: 15) + (attribute.parameter ?? "").padded(to: 19)
        return Message(verbatim: name) + Message(words: attribute.help)
      }
      return "The \(attributes.count) of --kind \(kind.rawValue):" + Message(verbatim: "\n\n")
        + rows.joined(separator: "\n")
    }
    .joined(separator: "\n\n")
  }

  private static let output = HelpTopic(
    "output", summary: "Tables, pipes, JSON and CSV.",
    text: """
      Results go to standard output, all else to standard error. A terminal gets a table that fits its width, with \
      colour, and long listings go through a pager. A pipe gets a line for each row, tabs between the columns, no \
      heading and no colour.

        --json[=FIELDS]   JSON: all fields, or only these: --json=id,title
        --jsonl           a JSON object a line
        --csv             comma-separated values with a heading (RFC 4180)
        --tsv             the lines that a pipe gets

      With '--json', commands that change something print what they did: one object with 'changed', 'item', 'kind', \
      'title', 'creators' and 'year', and the numbers of a 'card', an 'entry', a 'copy' or a 'wish' that was written; \
      for several items a list. 'changed' is false if it was so already. With '--quiet' a command that changes \
      something and ends with status 0 prints nothing. 'catalog help json' names all documents and members.

      The names of fields are in snake_case and are stable: new ones may come, none changes. Control and bidirectional \
      characters in titles never reach the terminal. They are also kept out of pipes, unless '--raw' is given; JSON \
      keeps them, escaped. '--safe-for-spreadsheets' puts an apostrophe before a cell that a spreadsheet would take \
      for a formula.

      Where a file is written, '-' is standard output, and a named pipe, a device or what a shell makes of '>(…)' gets \
      the bytes as they come; where one is read, '-' is standard input. A file is written whole or not at all.

      '--color always' and '--color never' override the automatic choice: always colours the lines in a pipe, too, but no \
      JSON, no CSV and no file. NO_COLOR switches colour off, and so does a terminal of which TERM names no kind, or dumb. \
      '--no-pager' prints at once. '--yes' answers every question, '--dry-run' changes nothing; without a terminal \
      nothing waits for an answer.
      """)

  private static let json = HelpTopic(
    "json", summary: "The documents of --json, and the names in them.", about: ["list", "import", "add"],
    text: """
      One thing has one name in every document, and in CSV: 'item' is the number of an item everywhere, and 'id' that \
      of the row itself, beside its own name, such as 'card' or 'copy'. Names ending in '_on' are days, which may lack \
      the day or the month; those ending in '_at' are moments in UTC: 2026-11-28T06:25:10Z. Money is \
      {"amount":12.50,"currency":"EUR"}, in CSV '12.50 EUR'; a rating is a number from 0 to 100. A list is [] when it \
      is empty, and null is unknown.

      --json=FIELDS prints these members of the document, or of each object in a list. New members may come, none \
      changes. The folder docs/json of the program has a JSON schema of each document.

      Documents, and the commands that print them:

      \(JSONDocument.all.map(\.line).joined(separator: "\n"))

      Members, beside those of 'catalog help fields':

      \(JSONName.others.map(\.line).joined(separator: "\n"))
      """)

  private static let environment = HelpTopic(
    "environment", summary: "Files and environment variables.",
    about: ["config", "cache", "profile"],
    text: """
      Files:

        $XDG_DATA_HOME/catalog/catalog.db       the catalog: one SQLite file that is yours
        $XDG_DATA_HOME/catalog/profiles/NAME    the catalog of another profile
        $XDG_CACHE_HOME/catalog/cache.db        answers of sources, and pictures; may be deleted at
                                                any time
        $XDG_CONFIG_HOME/catalog/config.json    settings, which only you can read
        $XDG_CONFIG_HOME/catalog/profile        the profile in use, if it is not the first

      Without these variables the folders are ~/.local/share, ~/.cache and ~/.config. '--db FILE' or CATALOG_DB name \
      another catalog; '--profile NAME', CATALOG_PROFILE and 'catalog profile use' choose that of a profile. Options \
      take precedence over variables, and CATALOG_DB over CATALOG_PROFILE. An empty variable is as none; one with a value \
      that cannot be read is an error, as a wrong option is, and of a key that is none a warning says so.

      Variables:

        CATALOG_DB                the catalog file
        CATALOG_PROFILE           the profile
        CATALOG_BUSY_TIMEOUT      how many seconds to wait while another program writes to it;
                                  10 without it
        CATALOG_TMDB_TOKEN        the key of TMDB; wins over 'catalog source key'
        CATALOG_KAKAO_KEY         the key of Kakao; wins over 'catalog source key'
        CATALOG_ALADIN_KEY        the key of Aladin; wins over 'catalog source key'
        CATALOG_GOOGLEBOOKS_KEY   the key of Google Books; wins over 'catalog source key'
        CATALOG_DISCOGS_TOKEN     the key of Discogs; wins over 'catalog source key'
        HOME, XDG_DATA_HOME, XDG_CACHE_HOME, XDG_CONFIG_HOME
                                  where the files are
        LC_ALL, LC_CTYPE, LANG    whether more than ASCII can be shown
        LC_ALL, LC_MESSAGES, LANG
                                  the language that is spoken, English or Korean, and with the
                                  country the one that sources are asked for; LANGUAGE names
                                  other languages to be spoken
        NO_COLOR, TERM            colour: see 'catalog help output'
        COLUMNS, LINES            the size of the terminal, when it should be another
        VISUAL, EDITOR            the editor of 'catalog edit'
        PAGER, LESS               the pager of long listings; PAGER=cat for none
        BROWSER                   what 'catalog open' starts; without it xdg-open
        COLORTERM, TERM_PROGRAM, KITTY_WINDOW_ID, LC_TERMINAL, KONSOLE_VERSION, TMUX
                                  with TERM, how covers are drawn: see 'catalog cover --help'

      Before an older catalog is brought up to date, a copy is kept beside it: catalog.db.v1.bak, or catalog.db.v1.2.bak \
      where another file has that name. A catalog file with nothing in it is said to be empty: commands that only read \
      leave it as it is.
      """)
}

extension JSONDocument {
  /// `cards: card list, card deck`, in lines of their own.
  fileprivate var line: String {
    let commands = commands.joined(separator: ", ").wrapped(to: 74)
    return ("  " + "\(name) ".padded(to: 18) + commands.joined(separator: "\n" + String(repeating: " ", count: 20)))
  }
}

extension JSONName {
  /// `added_at  time  When it was added.`
  fileprivate var line: String { "  " + "\(name) ".padded(to: 26) + "\(type.words)  ".padded(to: 20) + sentence }
}

extension ExitStatus {
  /// The row of the status in its help page.
  fileprivate var line: Message { Message(verbatim: "  \(rawValue)  ") + meaning }
}

extension Field {
  /// `genres (genre)            genres; edited`
  fileprivate var line: Message {
    let what: Message =
      switch type {
      case .many(.date): "several dates"
      case .many(.grade): "several grades"
      case .many(.price): "several amounts"
      case .grade: "a grade"
      case .many: "several texts"
      case .text, .prose, .place: "text"
      case .code: "a code"
      case .list: "several texts"
      case .people: "names"
      case .genres: "genres"
      case .kind: "movie, book or vinyl"
      case .choice(let words): Message(verbatim: words.joined(separator: ", "))
      case .integer, .count, .real, .year: "a number"
      case .price: "an amount"
      case .rating: "stars"
      case .date: "a date"
      case .moment: "a time"
      case .flag: "yes or no"
      }
    let notes: [Message?] = [
      what, kinds.map { Message("of \($0.map(\.plurals).listed)", context: "kinds") }, isEditable ? "edited" : nil,
      isOnRequest ? "on request" : nil,
    ]
    let shown = word == name ? name : "\(name) (\(word))"
    return Message(verbatim: "  " + shown.padded(to: 26)) + notes.compactMap(\.self).joined(separator: "; ")
  }
}

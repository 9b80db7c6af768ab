internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The genre analysis for programs: a table a measure, and all of them as one JSON object.
struct GenreTables {
  var report: GenreReport
  /// The number of genres; nil for all.
  var top: Int?
  var question = GenreQuestion()

  enum Part: String, CaseIterable, ArgumentValue {
    case summary, findings, genres, pairs, drift, kinds, coverage
  }

  subscript(_ part: Part) -> Table {
    switch part {
    case .summary: summary
    case .findings: findings
    case .genres: genres
    case .pairs: pairs
    case .drift: drift { .init($0.map(\.genre)) }
    case .kinds: kinds
    case .coverage: coverage
    }
  }

  private var summary: Table {
    let members = members
    return Table(columns: members.map { .init($0.key) }, rows: [members.map(\.cell)])
  }

  /// The measures of the selection as a whole.
  private var members: [(key: String, cell: Table.Cell)] {
    [
      ("items", .init(report.items)), ("items_with_genre", .init(report.itemsWithGenre)),
      ("items_without_genre", .init(report.itemsWithoutGenre)), ("enough_items", .init(report.hasEnoughItems)),
      ("rated", .init(report.rated)),
      ("mean_rating", .init(report.meanRating)), ("top_genre", .init(report.top?.name)),
      ("effective_branches", .init(report.effectiveBranches)), ("gini_simpson", .init(report.giniSimpson)),
      ("judged", .init(report.judged)), ("loved", .init(report.loved)),
      ("recent_items_with_genre", .init(report.recentItems)),
      ("earlier_items_with_genre", .init(report.earlierItems)), ("pairs_compared", .init(report.pairsLookedAt)),
    ]
  }

  /// The findings, each with its sentence and its test.
  private var findings: Table {
    Table(
      columns: [
        .init("finding", importance: 8), .init("kind", isHidden: true), .init("genre", isFlexible: true, importance: 9),
        .right("value", 7),
        .right("items", 6), .right("against", 7), .right("against_items", 5), .init("since", importance: 4),
        .init("of"),
        .init("test", importance: 2), .right("p", 3), .right("adjusted_p", 1), .init("query", isFlexible: true),
        .init("sentence", isFlexible: true),
      ],
      rows: report.hasEnoughItems
        ? report.findings.map { finding in
          let numbers = finding.numbers
          let sentence = report.sentence(of: finding, question) { $0 }
          return [
            .init(finding.claim.name), .init(finding.claim.name), .init(finding.genre), .short(numbers.value),
            .init(numbers.items),
            .short(numbers.against), .init(numbers.againstItems), .init(numbers.since?.description),
            .init(finding.kinds.map(\.rawValue)),
            .init(finding.test.rawValue), .init(finding.p, shown: finding.p.fixed(6)),
            .init(finding.adjusted, shown: finding.adjusted.fixed(6)), .init(sentence.terms),
            .init(sentence.words.text(in: nil)),
          ]
        } : [])
  }

  private var genres: Table {
    Table(
      columns: [
        .init("genre", isFlexible: true, importance: 9), .init("ancestors", isFlexible: true), .right("items", 8),
        .right("own_items"), .right("share", 7), .right("weight", 6), .right("rated"), .right("mean_rating", 5),
        .right("shrunk_rating", 4), .right("affinity", 3), .right("momentum", 2), .right("judged"), .right("loved"),
        .right("affinity_p"), .init("affinity_beyond_chance"), .right("recent_items"), .right("recent_expected"),
        .right("momentum_p"), .init("momentum_beyond_chance"),
      ],
      rows: report.genres.prefix(top ?? .max).map { genre in
        [
          .init(genre.name), .init(genre.ancestors), .init(genre.items), .init(genre.ownItems), .short(genre.share),
          .short(genre.weight), .init(genre.rated), .short(genre.meanRating, 1), .short(genre.shrunkRating, 1),
          .short(genre.affinity, 2), .short(genre.momentum, 1), .init(genre.judged), .init(genre.loved),
          .short(genre.affinityChance), .init(genre.isAffinitySignificant), .init(genre.recent),
          .short(genre.recentExpected, 1), .short(genre.trendChance), .init(genre.isTrendSignificant),
        ]
      })
  }

  private var pairs: Table {
    Table(
      columns: [
        .init("genre", isFlexible: true, importance: 4), .init("other", isFlexible: true, importance: 4),
        .right("together", 3), .right("expected", 2), .right("lift", 2), .right("p"),
      ],
      rows: report.pairs.map {
        [
          .init($0.genre), .init($0.other), .init($0.together), .short($0.expected, 1), .short($0.lift, 2),
          .small($0.chance),
        ]
      })
  }

  /// - Parameter moved: the cell for the branches that moved in a year.
  private func drift(_ moved: ([GenreReport.Year.Move]) -> Table.Cell) -> Table {
    Table(
      columns: [
        .right("year", 6), .right("items", 4), .right("items_with_genre", 3), .right("compared_with", 3),
        .right("drift", 5), .right("p", 5), .init("enough_items"), .init("beyond_chance"),
        .init("moved", isFlexible: true, importance: 3), .init("new_genres", isFlexible: true, importance: 4),
      ],
      rows: report.years.map { year in
        [
          .init(year.year), .init(year.items), .init(year.itemsWithGenre), .init(year.comparedWith), .short(year.drift),
          .short(year.chance), .init(year.hasEnoughItems), .init(year.isSignificant),
          moved(year.moved),
          year.newGenres.map { .init($0) } ?? .init(nil as String?),
        ]
      })
  }

  /// A row for each genre that two kinds share, or one without genre when they share none.
  private var kinds: Table {
    Table(
      columns: [
        .init("kind", importance: 6), .init("other", importance: 6), .right("similarity", 5), .init("enough_items"),
        .init("genre", isFlexible: true, importance: 4), .right("weight", 2), .right("other_weight", 2),
        .right("contribution", 3),
      ],
      rows: report.kindPairs.flatMap { pair -> [[Table.Cell]] in
        let pairCells: [Table.Cell] = [
          .init(pair.kind.rawValue), .init(pair.other.rawValue), .short(pair.similarity), .init(pair.hasEnoughItems),
        ]
        guard !pair.shared.isEmpty else {
          return [pairCells + [.init(nil as String?)] + Array(repeating: .init(nil as Double?), count: 3)]
        }
        return pair.shared.map {
          pairCells + [.init($0.genre), .short($0.weight), .short($0.otherWeight), .short($0.contribution)]
        }
      })
  }

  private var coverage: Table {
    Table(
      columns: [
        .init("kind"), .right("items"), .right("items_with_genre"), .right("items_without_genre"),
      ],
      rows: report.kinds.map {
        [.init($0.kind.rawValue), .init($0.items), .init($0.itemsWithGenre), .init($0.items - $0.itemsWithGenre)]
      })
  }

  // MARK: One object

  func write(to json: inout JSONWriter) {
    json.object { json in
      for (key, cell) in members {
        json.key(key)
        json.value(cell.value)
      }
      json.member(
        "of",
        Table(
          columns: ["kind", "basis", "items", "dated", "since", "runs", "count_as"].map { .init($0) },
          rows: report.parts.map { part in
            let runs = report.runs.first { $0.kind == part.kind }
            return [
              .init(part.kind.rawValue), .init(part.basis.rawValue), .init(part.items), .init(part.dated),
              .init(part.since), .init(runs?.effect), .init(runs?.countAs),
            ]
          }))
      json.member("findings", findings)
      json.member("genres", genres)
      json.member("pairs", pairs)
      json.member("drift", drift { .init(value: .table(Self.moves($0))) })
      json.member("kinds", kindPairs)
      json.member("coverage", coverage)
    }
  }

  private static func moves(_ moves: [GenreReport.Year.Move]) -> Table {
    Table(
      columns: [.init("genre"), .init("weight_before"), .init("weight"), .init("part")],
      rows: moves.map { [.init($0.genre), .init($0.before), .init($0.weight), .init($0.part)] })
  }

  /// A row for each two kinds.
  private var kindPairs: Table {
    Table(
      columns: [
        .init("kind"), .init("other"), .init("similarity"), .init("enough_items"), .init("genres"),
      ],
      rows: report.kindPairs.map { pair in
        let shared = Table(
          columns: [.init("genre"), .init("weight"), .init("other_weight"), .init("contribution")],
          rows: pair.shared.map { [.init($0.genre), .init($0.weight), .init($0.otherWeight), .init($0.contribution)] })
        return [
          .init(pair.kind.rawValue), .init(pair.other.rawValue), .init(pair.similarity), .init(pair.hasEnoughItems),
          .init(value: .table(shared)),
        ]
      })
  }
}

extension GenreMatrix {
  /// The name of the column with the buckets: `decade`, `year_added`, …
  private var key: String { dimension == .yearAdded ? "year_added" : dimension.rawValue }

  /// A row for each genre and bucket that have items in common.
  var cells: Table {
    Table(
      columns: [
        .init("genre", isFlexible: true), .init("ancestors", isFlexible: true), .init(key), .right("items"),
      ],
      rows: rows.flatMap { row in
        zip(buckets, row.counts).compactMap { bucket, count in
          count > 0 ? [.init(row.genre), .init(row.ancestors), bucket.cell, .init(count)] : nil
        }
      })
  }

  func write(to json: inout JSONWriter) {
    json.object { json in
      json.member("by", key)
      json.member("items", items)
      json.member("items_with_genre", itemsWithGenre)
      json.member("items_without_genre", itemsWithoutGenre)
      json.member("items_without_\(key)", itemsWithoutBucket)
      if dimension == .creator {
        json.member("other_creators", otherCreators)
        json.member("items_of_others", itemsOfOthers)
      }
      json.member(
        "buckets",
        Table(
          columns: [.init(key), .init("items"), .init("items_with_genre")],
          rows: buckets.map { [$0.cell, .init($0.items), .init($0.itemsWithGenre)] }))
      json.member("cells", cells)
    }
  }
}

extension GenreMatrix.Bucket {
  fileprivate var cell: Table.Cell {
    switch value {
    case .number(let number): .init(number)
    case .kind(let kind): .init(kind.rawValue)
    case .name(let name): .init(name)
    }
  }
}

extension Table.Column {
  /// A column of numbers.
  fileprivate static func right(_ key: String, _ importance: Int = 1) -> Table.Column {
    .init(key, alignment: .right, importance: importance)
  }
}

extension Table.Cell {
  /// A number of which people see so many decimals.
  fileprivate static func short(_ number: Double?, _ decimals: Int = 3) -> Table.Cell {
    .init(number, shown: number.map { $0.fixed(decimals) })
  }

  /// A chance, which may be very small.
  fileprivate static func small(_ chance: Double) -> Table.Cell {
    .init(chance, shown: chance < 0.001 ? "<0.001" : chance.fixed(3))
  }
}

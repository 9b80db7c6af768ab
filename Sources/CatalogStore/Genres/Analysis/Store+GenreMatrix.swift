internal import CatalogModel
internal import SQLite

extension Store {
  /// Counts the genres of the items that `query` selects, in each decade, year added, kind, creator or rating.
  /// - Parameter population: which items; nil for what a person lives with.
  public func genreMatrix(
    _ query: Query = Query(), of population: GenrePopulation? = nil, by dimension: GenreMatrix.Dimension
  ) throws -> GenreMatrix {
    try genreMatrices(query, of: population, by: [dimension]).first ?? GenreMatrix(dimension)
  }

  /// Counts them by several of these at once.
  public func genreMatrices(
    _ query: Query = Query(), of population: GenrePopulation? = nil,
    by dimensions: [GenreMatrix.Dimension] = GenreMatrix.Dimension.allCases
  ) throws -> [GenreMatrix] {
    var (selection, scope) = try genreScope(population, query)
    if !Set(dimensions).isDisjoint(with: [.decade, .rating]) { try readMakers(of: selection, into: &scope) }
    var matrices = dimensions.map { GenreMatrix($0) }
    var buckets: [ItemTable<[Int]>] = []
    for place in matrices.indices {
      matrices[place].items = scope.items
      buckets.append(
        try dimensions[place] == .creator
          ? creators(selection, scope, in: &matrices[place]) : values(selection, scope, in: &matrices[place]))
    }
    try count(selection, scope.members, buckets, in: &matrices)
    return matrices
  }

  /// Counts the genres of selected items in buckets of one's own, numbered from 0.
  /// - Parameter kinds: their places among ``Kind/shelved``; nil for an item that does not count.
  func genreMatrix(
    of selection: Selection, _ kinds: ItemTable<Int?>, in buckets: ItemTable<[Int]>, count: Int
  ) throws -> GenreMatrix {
    var matrices = [GenreMatrix(.yearAdded)]
    matrices[0].buckets = (0..<count).map { .init(value: .number($0)) }
    let members = kinds.map { kind in
      kind.map { GenreScope.Member(kind: UInt8(clamping: $0), date: 0) } ?? GenreScope.Member()
    }
    try self.count(selection, members, [buckets], in: &matrices)
    return matrices[0]
  }

  /// - Parameter buckets: of each item, for each matrix: an item can be in several, or in none.
  private func count(
    _ selection: Selection, _ members: ItemTable<GenreScope.Member>, _ buckets: [ItemTable<[Int]>],
    in matrices: inout [GenreMatrix]
  ) throws {
    var walk = GenreWalk(try GenreTree(db))
    var whole = GenreTable<Int>(walk.tree)
    var tables = matrices.map { _ in GenreTable<Int>(walk.tree) }
    let labels = GenreMatrix.strataOfKind
    let needsFacts = matrices.contains { [.yearAdded, .decade, .rating].contains($0.dimension) }
    var facts = GenreFacts()
    try forEachItem(of: selection, walk.tree) { id, genres in
      guard let place = members.place(of: id), members[place].isIn else { return }
      walk.next(genres)
      if needsFacts { facts.add(members[place], genres, line: walk.line, of: walk.tree) }
      let (kind, label) = (Int(members[place].kind), min(genres.count, labels) - 1)
      whole.add(1, to: walk.line, in: GenreStratum(kind: kind, value: label))
      for table in tables.indices {
        for bucket in buckets[table][place] {
          tables[table].add(1, to: walk.line, in: GenreStratum(kind: kind, value: bucket * labels + label))
        }
      }
    }
    func byStratum(_ table: GenreTable<Int>, _ genre: Int, _ bucket: Int = 0) -> [Int] {
      Kind.shelved.indices.flatMap { kind in
        (0..<labels).map { table[genre, GenreStratum(kind: kind, value: bucket * labels + $0)] }
      }
    }
    let runs = matrices.contains { $0.dimension == .yearAdded } ? GenreRuns(facts, walk.tree) : nil
    let makers = matrices.contains { [.decade, .rating].contains($0.dimension) } ? GenreMakers(facts, walk.tree) : nil
    for (place, table) in tables.enumerated() {
      matrices[place].itemsWithGenre = walk.items
      matrices[place].withGenreByStratum = byStratum(whole, walk.tree.count)
      matrices[place].makersDivisor = makers?.divisor ?? 1
      matrices[place].timelessKinds = Set(Kind.shelved.indices.filter { runs?.kinds[$0].tellsTime == false })
      let all = matrices[place].buckets.indices
      for bucket in all {
        matrices[place].buckets[bucket].byStratum = byStratum(table, walk.tree.count, bucket)
        matrices[place].buckets[bucket].itemsWithGenre = matrices[place].buckets[bucket].byStratum.reduce(0, +)
      }
      matrices[place].rows = walk.ranked.map { number in
        let countsByStratum = all.map { byStratum(table, number, $0) }
        return GenreMatrix.Row(
          genre: walk.tree.names[number], ancestors: walk.tree.ancestors(of: number), items: walk.counts[number],
          isHeading: walk.tree.isHeading(number), counts: countsByStratum.map { $0.reduce(0, +) },
          byStratum: byStratum(whole, number), countsByStratum: countsByStratum,
          divisor: runs?.divisor(of: number, margin: 2) ?? 1)
      }
    }
  }

  // MARK: Buckets

  /// Makes a bucket of each decade, year, kind or rating that an item has.
  /// - Returns: the buckets of each item, one at most.
  private func values(
    _ selection: Selection, _ scope: GenreScope, in matrix: inout GenreMatrix
  ) throws -> ItemTable<[Int]> {
    var values: ItemTable<Int?> = scope.members.map { _ in nil }
    switch matrix.dimension {
    case .yearAdded: values = scope.members.map { $0.date > 0 ? $0.year : nil }
    case .kind: values = scope.members.map { $0.isIn ? Int($0.kind) : nil }
    case .rating:
      try forEachRating(of: selection) { id, rating in
        guard let place = values.place(of: id) else { return false }
        // The nearest half star.
        defer { values[place] = (rating + 5) / 10 * 10 }
        return values[place] != nil
      }
    case .decade, .creator:
      let range = ReleaseYear.range
      try db.forEach("SELECT id, year FROM item WHERE year IS NOT NULL AND (\(selection.condition ?? "true"))") { row in
        // No year is 0.
        if let place = values.place(of: row.integer(0)), let year = row.integer(1, in: range), year != 0 {
          values[place] = year - (year - range.lowerBound) % 10
        }
        return true
      }
    }
    var counts: [Int: Int] = [:]
    for place in 0..<values.count {
      if !scope.members[place].isIn { values[place] = nil }
      if let value = values[place] { counts[value, default: 0] += 1 }
    }
    let isKind = matrix.dimension == .kind
    matrix.buckets = counts.sorted { $0.key < $1.key }.map {
      .init(value: isKind ? .kind(Kind.shelved[$0]) : .number($0), items: $1)
    }
    matrix.itemsWithoutBucket = matrix.items - counts.values.reduce(0, +)
    let numbers = Dictionary(uniqueKeysWithValues: zip(counts.keys.sorted(), (0...).lazy.map { [$0] }))
    return values.map { value in value.flatMap { numbers[$0] } ?? [] }
  }

  /// Makes a bucket of each of the creators with most items. All spellings of a name are one's.
  /// - Returns: the buckets of each item.
  private func creators(
    _ selection: Selection, _ scope: GenreScope, in matrix: inout GenreMatrix
  ) throws -> ItemTable<[Int]> {
    var people = try PeopleByName(db)
    var makers: ItemTable<[Int]> = scope.members.map { _ in [] }
    var counts = Array(repeating: 0, count: people.count)
    try forEachMaker(of: selection, &people) { id, kind, number in
      guard let place = makers.place(of: id), scope.members[place].isIn,
        Kind.shelved[Int(scope.members[place].kind)] == kind, !makers[place].contains(number)
      else { return }
      makers[place].append(number)
      counts[number] += 1
    }
    // The most frequent ones, of equals the first by name.
    let top = counts.indices.filter { counts[$0] > 0 }.sorted { (counts[$1], $0) < (counts[$0], $1) }
      .prefix(GenreMatrix.mostCreators)
    let buckets = Dictionary(uniqueKeysWithValues: zip(top, 0...))
    matrix.buckets = top.map { .init(value: .name(people.name($0)), items: counts[$0]) }
    matrix.otherCreators = counts.count { $0 > 0 } - top.count
    matrix.itemsWithoutBucket = matrix.items - makers.all.count { !$0.isEmpty }
    let found = makers.map { $0.compactMap { buckets[$0] }.sorted() }
    matrix.itemsOfOthers = zip(makers.all, found.all).count { !$0.isEmpty && $1.isEmpty }
    return found
  }
}

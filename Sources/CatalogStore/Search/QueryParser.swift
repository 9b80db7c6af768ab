internal import CatalogModel
internal import FoundationEssentials

/// Parses the tokens of a query. `or` binds least, then `and` or a blank, then `not`, `-` and `^`.
struct QueryParser {
  private typealias Token = QueryLexer.Token
  private typealias Condition = Query.Condition

  private let lexer: QueryLexer
  private let tokens: [QueryLexer.Token]
  private let now: Date
  private let localTime: LocalTime
  /// The saved queries for `@name`.
  private let saved: SavedQueries
  /// The saved queries around this one, the outermost first.
  private let path: [SavedQuery]
  private var place = 0
  private var depth = 0
  private var terms = 0

  init(
    _ lexer: QueryLexer, now: Date, at localTime: LocalTime, saved: SavedQueries, within path: [SavedQuery] = []
  ) {
    (self.lexer, tokens, self.now, self.saved, self.path) = (lexer, lexer.tokens, now, saved, path)
    self.localTime = localTime
  }

  mutating func query() throws(Query.Problem) -> Query {
    guard !tokens.isEmpty else { return Query() }
    let condition = try alternatives()
    if let token = current { throw lexer.problem("there is no opening parenthesis for this one", at: token.range) }
    return Query(condition, phrase: phrase)
  }

  // MARK: The grammar

  private mutating func alternatives() throws(Query.Problem) -> Condition {
    var parts = [try conjunction()]
    while isOperator(.or) {
      place += 1
      parts.append(try conjunction())
    }
    return .any(of: parts)
  }

  private mutating func conjunction() throws(Query.Problem) -> Condition {
    var parts = [try factor()]
    while let token = current, token.kind != .close, !isOperator(.or) {
      if isOperator(.and) { place += 1 }
      parts.append(try factor())
    }
    return .all(of: parts)
  }

  /// Parses an operand, possibly negated.
  private mutating func factor() throws(Query.Problem) -> Condition {
    guard let token = current else {
      throw lexer.problem("the query is not complete", at: lexer.typed.count..<lexer.typed.count)
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Query.mostNested else {
      throw lexer.problem("the parentheses are nested more than \(Query.mostNested) deep", at: token.range)
    }
    if isNegation {
      place += 1
      return .not(try factor())
    }
    place += 1
    switch token.kind {
    case .open:
      if current?.kind == .close { throw lexer.problem("there is nothing between the parentheses", at: token.range) }
      guard current != nil else { throw lexer.problem("there is nothing after this parenthesis", at: token.range) }
      let group = try alternatives()
      guard current?.kind == .close else { throw lexer.problem("this lacks a closing parenthesis", at: token.range) }
      place += 1
      return group
    case .close: throw lexer.problem("there is nothing before this parenthesis", at: token.range)
    case .term(let name, let value, _): return try term(name, value, of: token)
    case .saved(let name): return try saved(name, of: token)
    case .quoted(let text):
      let isCode = (try? ISBN(text)) != nil
      let words = (isCode ? [text[...]] : text.split(whereSeparator: \.isWhitespace)).map { word($0) }
      for _ in words { try count(token) }
      return .all(of: words)
    case .word, .sign, .and, .or, .not:
      try count(token)
      return word(lexer.text(token.range)[...])
    }
  }

  /// A word. An ISBN in any form becomes its 13 digits.
  private func word(_ text: Substring) -> Condition {
    .word((try? ISBN(String(text)))?.digits13 ?? String(text))
  }

  private var current: Token? { place < tokens.count ? tokens[place] : nil }
  private var next: Token? { place + 1 < tokens.count ? tokens[place + 1] : nil }

  /// Whether the current token is this operator and an operand follows. At the end it is a word. At the beginning this
  /// is not asked.
  private func isOperator(_ kind: Token.Kind) -> Bool {
    current?.kind == kind && next.map { $0.kind != .close } ?? false
  }

  /// Whether the token negates what follows. A query that begins with 'not' and a word is a title, Not Fade Away,
  /// unless 'NOT' is in capitals.
  private var isNegation: Bool {
    guard let current, let next, next.kind != .close else { return false }
    switch (current.kind, next.kind) {
    case (.sign, _): return true
    case (.not, .word), (.not, .and), (.not, .or), (.not, .not):
      return place > 0 || lexer.text(current.range) == "NOT"
    case (.not, _): return true
    default: return false
    }
  }

  private mutating func count(_ token: Token) throws(Query.Problem) {
    terms += 1
    guard terms <= Query.mostTerms else {
      throw lexer.problem("the query has more than \(Query.mostTerms) words and values", at: token.range)
    }
  }

  // MARK: Saved queries

  /// Parses a saved query at its name. Relative dates count from now.
  private mutating func saved(_ name: String, of token: Token) throws(Query.Problem) -> Condition {
    try count(token)
    guard let query = saved[name] else {
      var problem = lexer.problem("there is no saved query '\(name)'", at: token.range)
      problem.unknownSaved = Query.UnknownName(name: name, among: saved.names)
      throw problem
    }
    if let place = path.firstIndex(where: { $0.key == query.key }) {
      let circle = (path[place...] + [query]).map { "@\($0.name)" }.joined(separator: " → ")
      throw lexer.problem("a saved query uses itself: '\(circle)'", at: token.range)
    }
    do {
      var parser = QueryParser(
        try QueryLexer.read(query.arguments), now: now, at: localTime, saved: saved,
        within: path + [query])
      (parser.depth, parser.terms) = (depth, terms)
      let condition = try parser.query().condition
      terms = parser.terms
      return .saved(query.name, condition)
    } catch {
      var problem = lexer.problem(error.message, at: token.range)
      (problem.savedQuery, problem.unknownField) = (error.savedQuery ?? query.name, error.unknownField)
      problem.unknownSaved = error.unknownSaved
      throw problem
    }
  }

  // MARK: Terms

  private mutating func term(
    _ name: String, _ value: Range<Int>, of token: Token
  ) throws(Query.Problem) -> Condition {
    let nameRange = token.range.lowerBound..<value.lowerBound - 1
    if Query.tests.contains(name) {
      guard let field = Field.named(lexer.text(value)), !field.isAlwaysThere else {
        throw lexer.problem(
          value.isEmpty
            ? "'\(name + ":")' has no value after the colon"
            : """
            '\(name + ":" + lexer.text(value))' is not understood: '\(name + ":")' goes before a field such as \
            'cover'
            """,
          at: value.isEmpty ? token.range : value)
      }
      try count(token)
      return .present(field)
    }
    guard let field = Field.named(name) else {
      var problem = lexer.problem("there is no field '\(name)'", at: nameRange)
      problem.unknownField = name
      throw problem
    }
    var comparisons: [Query.Comparison] = []
    for part in try lexer.parts(of: value, field.type) {
      try count(token)
      let reader = ValueReader(
        field: field, name: name, now: now, localTime: localTime, isLiteral: part.isQuoted || part.isExact,
        isExact: part.isExact)
      do {
        comparisons.append(try reader.comparison(part.text))
      } catch {
        // A quote within quotes takes two places.
        let place = part.isQuoted ? nil : error.place
        let start = part.range.lowerBound + (place?.lowerBound ?? 0)
        throw lexer.problem(error.message, at: place.map { start..<start + $0.count } ?? part.range)
      }
    }
    guard !comparisons.isEmpty else {
      throw lexer.problem("'\(lexer.text(token.range))' has no value after the colon", at: token.range)
    }
    return .field(field, comparisons)
  }

  // MARK: What titles are ranked by

  private var phrase: String {
    var words: [String] = []
    // Operators between words count if another word follows.
    var between: [String] = []
    for (place, token) in tokens.enumerated() {
      switch token.kind {
      case .word where place == 0 || tokens[place - 1].kind != .sign:
        words += between + [lexer.text(token.range)]
        between = []
      case .quoted(let text) where place == 0 || tokens[place - 1].kind != .sign:
        words += between + text.split(whereSeparator: \.isWhitespace).map(String.init)
        between = []
      case .and, .or, .not: between.append(lexer.text(token.range))
      default: between = []
      }
    }
    // A title may begin and end with an operator.
    let isAllWords = tokens.allSatisfy { [.word, .and, .or, .not].contains($0.kind) }
    return (isAllWords ? tokens.map { lexer.text($0.range) } : words).joined(separator: " ")
  }
}

internal import CatalogModel
internal import FoundationEssentials

/// Splits a query into operators, words and terms, each with its range.
struct QueryLexer {
  struct Token {
    enum Kind: Hashable {
      case open, close
      /// A `-` or `^` that negates what follows.
      case sign
      case and, or, not
      /// A word. The parser decides whether and, or and not are words.
      case word
      /// A text in double quotes, without operators.
      case quoted(String)
      /// The name of a saved query, without its `@`.
      case saved(String)
      /// A name with a colon, the range of its value, and whether the value ends with a closing quote.
      case term(name: String, value: Range<Int>, isQuoted: Bool)
    }

    var kind: Kind
    var range: Range<Int>
  }

  /// The typed query, with a blank between arguments. Scalars, because a combining mark after a quote is part of the
  /// text.
  private(set) var typed: [Unicode.Scalar] = []
  private(set) var tokens: [Token] = []
  /// Whether a shell has split the query, so that values may contain blanks.
  private let isOfArguments: Bool
  /// The number of open parentheses.
  private var depth = 0

  private init(isOfArguments: Bool) { self.isOfArguments = isOfArguments }

  static func read(_ arguments: [String]) throws(Query.Problem) -> QueryLexer {
    var lexer = QueryLexer(isOfArguments: true)
    lexer.typed = Array(arguments.joined(separator: " ").unicodeScalars)
    var start = 0
    for argument in arguments {
      let end = start + argument.unicodeScalars.count
      let first = lexer.tokens.count
      try lexer.read(start..<end)
      lexer.joinValues(from: first)
      start = end + 1
    }
    return lexer
  }

  static func read(line: String) throws(Query.Problem) -> QueryLexer {
    var lexer = QueryLexer(isOfArguments: false)
    lexer.typed = Array(line.unicodeScalars)
    try lexer.read(0..<lexer.typed.count)
    guard !lexer.tokens.isEmpty else {
      throw Query.Problem(message: "the query is empty: 'id:1..' is everything", typed: line, range: 0..<0)
    }
    return lexer
  }

  func text(_ range: Range<Int>) -> String { String(scalars: typed[range]) }

  func problem(_ message: Message, at range: Range<Int>) -> Query.Problem {
    Query.Problem(message: message, typed: String(scalars: typed), range: range)
  }

  // MARK: One after the other

  private mutating func read(_ range: Range<Int>) throws(Query.Problem) {
    var place = range.lowerBound
    while place < range.upperBound {
      switch typed[place] {
      case let scalar where scalar.properties.isWhitespace: place += 1
      case "(":
        depth += 1
        add(.open, &place, to: place + 1)
      case ")":
        depth -= 1
        add(.close, &place, to: place + 1)
      case "-", "^":
        // A sign alone is a word, which matches nothing.
        let next = place + 1
        let isSign = next < range.upperBound && !typed[next].properties.isWhitespace && typed[next] != ")"
        add(isSign ? .sign : .word, &place, to: next)
      case "\"":
        let (text, end) = try quoted(at: place, in: range)
        add(.quoted(text), &place, to: end)
      case "@": try readName(&place, in: range)
      default: try readWord(&place, in: range)
      }
    }
  }

  private mutating func add(_ kind: Token.Kind, _ place: inout Int, to end: Int) {
    tokens.append(Token(kind: kind, range: place..<end))
    place = end
  }

  /// The text in the double quotes at `place`, and its end. Two double quotes within it stand for one.
  private func quoted(at place: Int, in range: Range<Int>) throws(Query.Problem) -> (text: String, end: Int) {
    guard let quoted = Self.quoted(typed, at: place, in: range) else {
      throw problem("this lacks a closing quote", at: place..<range.upperBound)
    }
    return quoted
  }

  static func quoted(_ typed: [Unicode.Scalar], at place: Int, in range: Range<Int>) -> (text: String, end: Int)? {
    var text = String.UnicodeScalarView()
    var place = place + 1
    while place < range.upperBound {
      let isQuote = typed[place] == "\""
      if isQuote, place + 1 == range.upperBound || typed[place + 1] != "\"" { return (String(text), place + 1) }
      text.append(typed[place])
      place += isQuote ? 2 : 1
    }
    return nil
  }

  /// Reads the name of a saved query, in quotes if it has blanks. A number is a word instead: `@1` means a recent view.
  private mutating func readName(_ place: inout Int, in range: Range<Int>) throws(Query.Problem) {
    let start = place + 1
    if start < range.upperBound, typed[start] == "\"" {
      let (name, end) = try quoted(at: start, in: range)
      if name.trimmingBlanks.isEmpty { throw problem("a name is missing between the quotes", at: place..<end) }
      return add(.saved(name), &place, to: end)
    }
    let end =
      typed[start..<range.upperBound].firstIndex { $0.properties.isWhitespace || $0 == "(" || $0 == ")" || $0 == "\"" }
      ?? range.upperBound
    let isName = typed[start..<end].contains { !("0"..."9").contains($0) }
    guard isName else { return try readWord(&place, in: range) }
    add(.saved(text(start..<end)), &place, to: end)
  }

  /// Reads a word or term, up to a blank outside quotes or to the parenthesis that closes an open one.
  private mutating func readWord(_ place: inout Int, in range: Range<Int>) throws(Query.Problem) {
    let name = name(at: place, in: range)
    var end = place
    if let name {
      end = name.end
      // Quoted values, separated by commas.
      while let start = beginningOfQuote(at: end, in: range) {
        end = try quoted(at: start, in: range).end
        guard end + 1 < range.upperBound, typed[end] == ",", !typed[end + 1].properties.isWhitespace else { break }
        end += 1
      }
    }
    let isQuoted = name.map { end > $0.end && typed[end - 1] == "\"" } ?? false
    if !isQuoted {
      // A parenthesis closes one in the word, title:(500), or one before it, (genre:jazz).
      var inner = 0
      while end < range.upperBound, !typed[end].properties.isWhitespace {
        if typed[end] == "(" { inner += 1 }
        if typed[end] == ")" { inner -= 1 }
        if inner < 0, depth > 0 { break }
        end += 1
      }
    }
    if let name {
      // `Mission:` and `Country: The Best Of` are titles; a field lacks its value. `http://…` is an address.
      let isTitle = isOfArguments && end < range.upperBound && typed[end].properties.isWhitespace
      let isTerm =
        end > name.end ? !typed[name.end..<end].starts(with: ["/", "/"]) : !isTitle && Query.names.contains(name.text)
      if isTerm {
        return add(.term(name: name.text, value: name.end..<end, isQuoted: isQuoted), &place, to: end)
      }
    }
    add(Self.keyword(text(place..<end)) ?? .word, &place, to: end)
  }

  private static func keyword(_ word: String) -> Token.Kind? {
    switch word {
    case "and", "AND": .and
    case "or", "OR": .or
    case "not", "NOT": .not
    default: nil
    }
  }

  /// The name and colon at `place`, and their end. A title with a colon in it goes into quotes.
  private func name(at place: Int, in range: Range<Int>) -> (text: String, end: Int)? {
    let colon = typed[place..<range.upperBound].firstIndex { !Self.isOfName($0) }
    guard let colon, colon > place, typed[colon] == ":" else { return nil }
    return (text(place..<colon).lowercased(), colon + 1)
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_", "\u{AC00}"..."\u{D7A3}", "\u{1100}"..."\u{11FF}": true
    default: false
    }
  }

  /// The place of the double quote that begins a value at `place`, possibly after a `=`.
  private func beginningOfQuote(at place: Int, in range: Range<Int>) -> Int? {
    let start = place < range.upperBound && typed[place] == "=" ? place + 1 : place
    return start < range.upperBound && typed[start] == "\"" ? start : nil
  }

  /// One of several values of a term.
  struct Part {
    var text: String
    var range: Range<Int>
    var isQuoted: Bool
    /// Whether it followed a `=`.
    var isExact: Bool
  }

  /// The alternative values of a term. A comma separates them, except before a blank (`Earth, Wind & Fire`), and in
  /// prose only between quotes.
  func parts(of value: Range<Int>, _ type: FieldType) throws(Query.Problem) -> [Part] {
    var parts: [Part] = []
    var place = value.lowerBound
    while place < value.upperBound {
      let isExact = typed[place] == "="
      if isExact { place += 1 }
      if place < value.upperBound, typed[place] == "\"" {
        guard let (text, end) = Self.quoted(typed, at: place, in: value) else {
          throw problem("this lacks a closing quote", at: place..<value.upperBound)
        }
        if text.isEmpty { throw problem("a value is missing between the quotes", at: place..<end) }
        parts.append(Part(text: text, range: place..<end, isQuoted: true, isExact: isExact))
        // Skips the comma.
        place = end + 1
        continue
      }
      var end = value.upperBound
      if type.element != .prose {
        end =
          (place..<value.upperBound).first { place in
            typed[place] == "," && place + 1 < value.upperBound && !typed[place + 1].properties.isWhitespace
              && !(type.element == .price && isGroup(at: place, in: value))
          } ?? end
      }
      let blanks = typed[place..<end].prefix { $0.properties.isWhitespace }.count
      let text = text(place..<end).trimmingBlanks
      if !text.isEmpty {
        let start = place + blanks
        parts.append(Part(text: text, range: start..<max(start, end), isQuoted: false, isExact: isExact))
      }
      place = end + 1
    }
    return parts
  }

  /// Whether a comma groups digits by three: `12,000`.
  private func isGroup(at place: Int, in value: Range<Int>) -> Bool {
    func isDigit(_ place: Int) -> Bool { value.contains(place) && ("0"..."9").contains(typed[place]) }
    return isDigit(place - 1) && (1...3).allSatisfy { isDigit(place + $0) } && !isDigit(place + 4)
  }

  /// The places of the values of a field with this key, in the order of the query.
  func places(of key: String, in field: Field) -> [Range<Int>] {
    tokens.flatMap { token -> [Range<Int>] in
      guard case .term(let name, let value, _) = token.kind, Field.named(name) == field else { return [] }
      return ((try? parts(of: value, field.type)) ?? []).filter { Folding.nameKey($0.text) == key }.map(\.range)
    }
  }

  var namesSaved: Bool { tokens.contains { if case .saved = $0.kind { true } else { false } } }

  // MARK: Values with blanks

  /// Extends the values of text fields in a quoted argument over blanks, up to the next term, sign or parenthesis. An
  /// 'and', 'or' or 'not' before that is left out. Other values are extended over the words with which they can be
  /// read: `seen:2024년 5월`.
  private mutating func joinValues(from first: Int) {
    var joined: [Token] = Array(tokens[..<first])
    var rest = tokens[first...]
    while var token = rest.popFirst() {
      if case .term(let name, let value, isQuoted: false) = token.kind, let field = Field.named(name), !rest.isEmpty {
        var words = rest.prefix(while: isPlain)
        if !field.type.mayHaveBlanks {
          words = words.prefix(Self.mostWordsOfValue)
          while let last = words.last, !field.canRead(text(value.lowerBound..<last.range.upperBound), as: name) {
            words = words.dropLast()
          }
        }
        // Behind an operator, an unknown field is still a field.
        if let place = words.indices.dropFirst().first(where: { !isWord(words[$0]) && isSign(words[$0 - 1]) }) {
          words = words[..<place]
        }
        if rest.dropFirst(words.count).first.map({ $0.kind != .close }) ?? false {
          while let last = words.last, isSign(last) { words = words.dropLast() }
        }
        if let last = words.last {
          token.kind = .term(name: name, value: value.lowerBound..<last.range.upperBound, isQuoted: false)
          token.range = token.range.lowerBound..<last.range.upperBound
          rest = rest.dropFirst(words.count)
        }
      }
      joined.append(token)
    }
    tokens = joined
  }

  /// The most words behind the first one of a value that is no text.
  private static let mostWordsOfValue = 5

  private func isSign(_ token: Token) -> Bool { [.and, .or, .not].contains(token.kind) }
  private func isWord(_ token: Token) -> Bool { token.kind == .word || isSign(token) }

  private func isPlain(_ token: Token) -> Bool {
    // An unknown name is part of a title: Re:Zero.
    if case .term(let name, _, _) = token.kind { return !Query.names.contains(name) }
    return isWord(token)
  }
}

extension Field {
  fileprivate func canRead(_ text: String, as name: String) -> Bool {
    let reader = ValueReader(
      field: self, name: name, now: Date(timeIntervalSince1970: 0), localTime: .utc, isLiteral: true, isExact: false)
    return (try? reader.comparison(text)) != nil
  }
}

extension FieldType {
  /// Whether typed values may contain blanks.
  fileprivate var mayHaveBlanks: Bool {
    switch element {
    case .text, .prose, .code, .place, .list, .people, .genres: true
    default: false
    }
  }
}

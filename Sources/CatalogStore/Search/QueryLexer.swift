internal import CatalogModel

/// Takes a query apart into its signs, words and terms, each with the place where it stands.
struct QueryLexer {
  struct Token {
    enum Kind: Hashable {
      case open, close
      /// A `-` or `^` before what it turns round.
      case sign
      case and, or, not
      /// A word. Whether and, or and not are words, the parser says.
      case word
      /// Words between double quotes, where nothing has a meaning.
      case quoted(String)
      /// The name of a saved query behind its `@`.
      case saved(String)
      /// A name with a colon, the place of what follows it, and whether that ends with a closing quote.
      case term(name: String, value: Range<Int>, isQuoted: Bool)
    }

    var kind: Kind
    var range: Range<Int>
  }

  /// The query as it was typed, with a blank between its arguments. Scalars, since a mark behind a quote is of the text.
  private(set) var typed: [Unicode.Scalar] = []
  private(set) var tokens: [Token] = []
  /// Whether a shell has taken it apart already, so that blanks may belong to a value.
  private let isOfArguments: Bool
  /// How many parentheses are open.
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
      throw Query.Problem(words: "the query is empty: 'id:1..' is everything", typed: line, range: 0..<0)
    }
    return lexer
  }

  func text(_ range: Range<Int>) -> String { String(scalars: typed[range]) }

  func problem(_ words: Wording, at range: Range<Int>) -> Query.Problem {
    Query.Problem(words: words, typed: String(scalars: typed), range: range)
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
        // One alone is a word, though nothing that is found.
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

  /// The text between the double quote at `place` and the one that closes it, two within being one that is meant, and where
  /// it ends.
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

  /// The name of a saved query, in quotes where it has blanks. A number is none: `@1` is what was viewed last, and here a word.
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

  /// A word or a term, up to a blank outside of quotes, or to a parenthesis that closes what is open.
  private mutating func readWord(_ place: inout Int, in range: Range<Int>) throws(Query.Problem) {
    let name = name(at: place, in: range)
    var end = place
    if let name {
      end = name.end
      // Values in quotes, with commas between them.
      while let start = beginningOfQuote(at: end, in: range) {
        end = try quoted(at: start, in: range).end
        guard end + 1 < range.upperBound, typed[end] == ",", !typed[end + 1].properties.isWhitespace else { break }
        end += 1
      }
    }
    let isQuoted = name.map { end > $0.end && typed[end - 1] == "\"" } ?? false
    if !isQuoted {
      // A parenthesis closes what was opened in the word, title:(500), or else what was opened before it, (genre:jazz).
      var inner = 0
      while end < range.upperBound, !typed[end].properties.isWhitespace {
        if typed[end] == "(" { inner += 1 }
        if typed[end] == ")" { inner -= 1 }
        if inner < 0, depth > 0 { break }
        end += 1
      }
    }
    if let name {
      // `Mission:` and `Country: The Best Of` are titles; of a field the value is missing. `http://…` is an address.
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

  /// The name at `place` with a colon behind it, and where that ends. A title may have a colon, too: a name is one ASCII word,
  /// or the Korean one of a field.
  private func name(at place: Int, in range: Range<Int>) -> (text: String, end: Int)? {
    let colon = typed[place..<range.upperBound].firstIndex { !Self.isOfName($0) }
    guard let colon, colon > place, typed[colon] == ":" else { return nil }
    let name = text(place..<colon).lowercased()
    guard name.utf8.allSatisfy({ $0 < 0x80 }) || KoreanWords.fields[name] != nil else { return nil }
    return (name, colon + 1)
  }

  private static func isOfName(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "_", "\u{AC00}"..."\u{D7A3}", "\u{1100}"..."\u{11FF}": true
    default: false
    }
  }

  /// Where the double quote of a value at `place` stands, which may have a `=` before it.
  private func beginningOfQuote(at place: Int, in range: Range<Int>) -> Int? {
    let start = place < range.upperBound && typed[place] == "=" ? place + 1 : place
    return start < range.upperBound && typed[start] == "\"" ? start : nil
  }

  /// Whether a saved query is named.
  var namesSaved: Bool { tokens.contains { if case .saved = $0.kind { true } else { false } } }

  // MARK: Values with blanks

  /// In an argument, which a shell had in quotes, the value of a text goes on over blanks up to the next term, sign or
  /// parenthesis, and to the 'and', 'or' or 'not' before it.
  private mutating func joinValues(from first: Int) {
    var joined: [Token] = Array(tokens[..<first])
    var rest = tokens[first...]
    while var token = rest.popFirst() {
      if case .term(let name, let value, isQuoted: false) = token.kind, Field.named(name)?.type.mayHaveBlanks ?? false {
        var words = rest.prefix(while: isPlain)
        // Behind an 'or' it is a field, if one that there is not.
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

  private func isSign(_ token: Token) -> Bool { [.and, .or, .not].contains(token.kind) }
  private func isWord(_ token: Token) -> Bool { token.kind == .word || isSign(token) }

  private func isPlain(_ token: Token) -> Bool {
    // No field, so part of a title: Re:Zero.
    if case .term(let name, _, _) = token.kind { return !Query.names.contains(name) }
    return isWord(token)
  }
}

extension FieldType {
  /// Whether a value that is typed may have blanks in it.
  fileprivate var mayHaveBlanks: Bool {
    switch element {
    case .text, .prose, .code, .place, .list, .people, .genres: true
    default: false
    }
  }
}

/// One word, or pair of words, recognised as an argument: the first of the two steps of parsing.
///
/// Matching needs only `ArgumentInfo`, so it is the same code for every command; storing the values comes after.
struct ArgumentMatch: Equatable {
  /// The argument's place in the list that was matched against.
  var index: Int
  /// The value as typed; nil for a flag and for an option without its optional value.
  var value: String?
}

/// Matches words with arguments.
struct ArgumentMatcher {
  let arguments: [ArgumentInfo]
  private(set) var matches: [ArgumentMatch] = []
  private var words: ArraySlice<String>
  private var loose: [String] = []

  private init(_ arguments: [ArgumentInfo], _ words: ArraySlice<String>) {
    self.arguments = arguments
    self.words = words
  }

  /// Matches all words, and checks that nothing is missing.
  static func match(
    _ words: ArraySlice<String>, with arguments: [ArgumentInfo]
  ) throws(UsageError) -> [ArgumentMatch] {
    var matcher = ArgumentMatcher(arguments, words)
    while let word = matcher.words.popFirst() {
      if word == "--" {
        matcher.loose += matcher.words
        break
      } else if matcher.isOption(word) {
        try matcher.matchOption(word)
      } else {
        matcher.loose.append(word)
      }
    }
    try matcher.placeLooseWords()
    try matcher.checkRequiredOptions()
    return matcher.matches
  }

  /// Matches and removes the options at the front. Stops at the first word that is not one of them.
  static func matchLeading(
    _ words: inout ArraySlice<String>, with arguments: [ArgumentInfo]
  ) throws(UsageError) -> [ArgumentMatch] {
    var matcher = ArgumentMatcher(arguments, words)
    while let word = matcher.words.first, matcher.isOption(word), matcher.isKnown(word) {
      matcher.words.removeFirst()
      try matcher.matchOption(word)
    }
    words = matcher.words
    return matcher.matches
  }

  /// Whether a word has the form of an option. `-` alone means standard input, `-5` is a number, `-2w` a relative date,
  /// and `-genre:pop` may be a term.
  private func isOption(_ word: String) -> Bool {
    guard word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 else { return false }
    guard let second = word.dropFirst().first else { return false }
    let isNumber = second.isASCII && second.isNumber || second == "." && Double(word) != nil
    return (!isNumber || arguments.contains { $0.short == second }) && !arguments.contains { $0.isTerm(word) }
  }

  /// Whether the option at the front of a word is one of ours.
  private func isKnown(_ word: String) -> Bool {
    if word.hasPrefix("--") { return index(named: word.dropFirst(2).prefix { $0 != "=" }) != nil }
    return word.dropFirst().first.flatMap { index(of: $0) } != nil
  }

  private func index(named name: Substring) -> Int? {
    arguments.firstIndex { $0.kind != .positional && $0.name == name }
  }

  private func index(of short: Character) -> Int? {
    arguments.firstIndex { $0.short == short }
  }

  private mutating func matchOption(_ word: String) throws(UsageError) {
    if word.hasPrefix("--") { try matchLong(word) } else { try matchShort(word) }
  }

  /// `--name`, `--name=value` or `--name value`.
  private mutating func matchLong(_ word: String) throws(UsageError) {
    let parts = word.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard let index = index(named: parts[0]) else {
      throw unknown("--\(parts[0])", value: parts.count > 1 ? String(parts[1]) : words.first)
    }
    if parts.count == 1 {
      matches.append(ArgumentMatch(index: index, value: try nextValue(for: index, written: word)))
    } else if arguments[index].kind == .flag {
      throw UsageError("option \("--\(parts[0])".quoted) takes no value")
    } else {
      matches.append(ArgumentMatch(index: index, value: String(parts[1])))
    }
  }

  /// `-n value`, `-nvalue`, or flags in a bundle: `-abc`.
  private mutating func matchShort(_ word: String) throws(UsageError) {
    var rest = word.dropFirst()
    while let letter = rest.popFirst() {
      guard let index = index(of: letter) else { throw unknown("-\(letter)") }
      if arguments[index].kind == .flag {
        matches.append(ArgumentMatch(index: index, value: nil))
      } else {
        let value = rest.isEmpty ? try nextValue(for: index, written: "-\(letter)") : String(rest)
        matches.append(ArgumentMatch(index: index, value: value))
        return
      }
    }
  }

  /// The word after an option that takes a value. It must not look like an option, unless
  /// ``ArgumentInfo/isDashedValue`` accepts it.
  private mutating func nextValue(for index: Int, written name: String) throws(UsageError) -> String? {
    let argument = arguments[index]
    if argument.kind == .flag || argument.isValueOptional { return nil }
    if let next = words.first, !isOption(next) || argument.isDashedValue?(next) == true {
      words.removeFirst()
      return next
    }
    let isLong = name.hasPrefix("--")
    let hint: Message? =
      words.isEmpty ? nil : "a value that begins with '-' is written \("\(name)\(isLong ? "=" : "")…".quoted)"
    throw UsageError("option \(name.quoted) needs a value", hint: hint)
  }

  /// - Parameter value: the word that would be its value.
  private func unknown(_ option: String, value: String? = nil) -> UsageError {
    if option.hasPrefix("--"), let term = arguments.lazy.compactMap({ $0.term(meantBy: option) }).first {
      return UsageError("unknown option \(option.quoted)" + "; did you mean \((term + (value ?? "…")).quoted)?")
    }
    let names = arguments.filter { $0.kind != .positional && !$0.isHidden }.map { "--\($0.name)" } + ["--help"]
    return UsageError("unknown option \(option.quoted)" + Suggestion.phrase(for: option, among: names))
  }

  /// Gives the words without a name to the positions, keeping enough for the required ones that come later.
  private mutating func placeLooseWords() throws(UsageError) {
    let positions = arguments.indices.filter { arguments[$0].kind == .positional }
    var stillRequired = positions.count { arguments[$0].isRequired }
    var rest = loose[...]
    for position in positions {
      let argument = arguments[position]
      if argument.isRequired { stillRequired -= 1 }
      let spare = rest.count - stillRequired
      if argument.isRequired && rest.isEmpty { throw missing(argument) }
      // A required one takes its word even when those behind it then lack theirs: the message names the latter.
      let count = max(argument.isRepeated ? spare : min(1, spare), argument.isRequired ? 1 : 0)
      let values =
        argument.isJoined && count > 1 ? [rest.prefix(count).joined(separator: " ")] : Array(rest.prefix(count))
      matches += values.map { ArgumentMatch(index: position, value: $0) }
      rest = rest.dropFirst(count)
    }
    if let word = rest.first { throw UsageError("unexpected word \(word.quoted)") }
  }

  private func checkRequiredOptions() throws(UsageError) {
    for (index, argument) in arguments.enumerated()
    where argument.isRequired && argument.kind == .option && !matches.contains(where: { $0.index == index }) {
      throw missing(argument)
    }
  }

  private func missing(_ argument: ArgumentInfo) -> UsageError {
    guard case .values(let choices) = argument.completion else { return UsageError("missing \(argument.label)") }
    return UsageError("missing \(argument.label)", hint: "one of \(choices.joined(separator: ", "))")
  }
}

extension [ArgumentMatch] {
  /// The second step of parsing: stores the values where the arguments point.
  func assign<Root>(to root: inout Root, with arguments: [Argument<Root>]) throws(UsageError) {
    for (place, match) in enumerated() {
      let argument = arguments[match.index]
      let isFirst = !self[..<place].contains { $0.index == match.index }
      do {
        try argument.assign(&root, match.value, isFirst)
      } catch {
        let usage = error as? UsageError
        let problem = usage?.message ?? Message(verbatim: "\(error)")
        var wrong = UsageError("\(argument.info.label): \(problem)", hint: usage?.hint)
        wrong.problem = UsageError.Problem(argument.info.name, problem)
        throw wrong
      }
    }
  }
}

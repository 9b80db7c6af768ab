/// An argument of a command, with the property of `Root` that receives its value.
///
/// The type of the property decides the number of values: `V` one, `V?` at most one, `[V]` any number.
///
///     .positional("title", \.title, help: "The title as printed on the item."),
///     .option("year", short: "y", \.year, help: "Year of release."),
///     .flag("all", \.showsAll, help: "Show every result."),
public struct Argument<Root: Sendable>: Sendable {
  /// A property of `Root` that holds a `Value`.
  public typealias Path<Value> = any (WritableKeyPath<Root, Value> & Sendable)

  /// The same, made when a word is stored: a command line has few of the words it could have.
  public typealias LazyPath<Value> = @Sendable () -> Path<Value>

  /// Stores one word. The word is nil for a flag and for an option written without its optional value;
  /// `isFirst` is true when the argument was not given before, so that a list can drop its default.
  typealias Assign = @Sendable (_ root: inout Root, _ word: String?, _ isFirst: Bool) throws -> Void

  /// Name, help and the rest that help, completion and the parser need.
  public var info: ArgumentInfo
  let assign: Assign

  /// The same argument, without a line in help and completion.
  public var hidden: Argument {
    var copy = self
    copy.info.isHidden = true
    return copy
  }

  /// The same argument for terms like `genre:pop`, which may be negated: a word `-genre:…` is then not an option.
  ///
  ///     .positional("query", \.words, help: "…").terms(["genre", "year"])     // list -genre:pop year:1959
  /// - Parameters:
  ///   - names: called when a word may be such a term.
  ///   - sign: the character between a name and its value.
  public func terms(_ names: @autoclosure @escaping @Sendable () -> [String], sign: Character = ":") -> Argument {
    var copy = self
    copy.info.termNames = names
    copy.info.termSign = sign
    return copy
  }

  /// The same option for values that may begin with a dash, as in `--sort -year`: the word after it is then not an
  /// option.
  /// - Parameter isValue: whether a word with a dash is such a value.
  public func dashed(_ isValue: @escaping @Sendable (String) -> Bool) -> Argument {
    var copy = self
    copy.info.isDashedValue = isValue
    return copy
  }

  /// The same argument for a type that holds a `Root`, so that several commands share a group of options.
  public func lifted<Whole>(_ path: @autoclosure @escaping Argument<Whole>.LazyPath<Root>) -> Argument<Whole> {
    Argument<Whole>(info: info) { [assign] whole, word, isFirst in try assign(&whole[keyPath: path()], word, isFirst) }
  }
}

extension Array {
  /// The same arguments for a type that holds their root, under a heading of their own in help.
  public func lifted<Part, Whole>(
    _ path: @autoclosure @escaping Argument<Whole>.LazyPath<Part>, heading: String? = nil
  ) -> [Argument<Whole>] where Element == Argument<Part> {
    map { argument in
      var lifted = argument.lifted(path())
      lifted.info.heading = heading ?? lifted.info.heading
      return lifted
    }
  }
}

// MARK: - Positions

extension Argument {
  /// A word that must be given.
  public static func positional<V: ArgumentValue>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<V>, value: String? = nil, completion: CompletionKind? = nil,
    help: String
  ) -> Argument {
    Argument(info: .positional(name, V.self, value, completion, help, isRequired: true)) { root, word, _ in
      root[keyPath: path()] = try V(argument: word ?? "")
    }
  }

  /// A word that may be left out.
  public static func positional<V: ArgumentValue>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<V?>, value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    Argument(info: .positional(name, V.self, value, completion, help, isRequired: false)) { root, word, _ in
      root[keyPath: path()] = try V(argument: word ?? "")
    }
  }

  /// One or several words; none are fine too when it is not required.
  public static func positional<V: ArgumentValue>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<[V]>, isRequired: Bool = true, value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    var info = ArgumentInfo.positional(name, V.self, value, completion, help, isRequired: isRequired)
    info.isRepeated = true
    return Argument(info: info) { root, word, isFirst in
      if isFirst { root[keyPath: path()] = [] }
      root[keyPath: path()].append(try V(argument: word ?? ""))
    }
  }
}

// MARK: - Phrases

extension Argument {
  /// One or several words that are one value, with blanks between them: `show kind of blue`.
  public static func phrase<V: ArgumentValue>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<V?>, isRequired: Bool = true, value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    var info = ArgumentInfo.positional(name, V.self, value, completion, help, isRequired: isRequired)
    (info.isRepeated, info.isJoined) = (true, true)
    return Argument(info: info) { root, words, _ in root[keyPath: path()] = try V(argument: words ?? "") }
  }
}

extension Argument {
  /// The same for a property that always has a value: the words must be given.
  public static func phrase<V: ArgumentValue>(
    _ name: String, _ path: @autoclosure @escaping LazyPath<V>, value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    var info = ArgumentInfo.positional(name, V.self, value, completion, help, isRequired: true)
    (info.isRepeated, info.isJoined) = (true, true)
    return Argument(info: info) { root, words, _ in root[keyPath: path()] = try V(argument: words ?? "") }
  }
}

// MARK: - Options

extension Argument {
  /// An option whose property has a default. If it is required, the command fails without it.
  public static func option<V: ArgumentValue>(
    _ name: String, short: Character? = nil, _ path: @autoclosure @escaping LazyPath<V>, isRequired: Bool = false,
    value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    var info = ArgumentInfo.option(name, short, V.self, value, completion, help)
    info.isRequired = isRequired
    return Argument(info: info) { root, word, _ in root[keyPath: path()] = try V(argument: word ?? "") }
  }

  /// An option whose property is nil by default.
  public static func option<V: ArgumentValue>(
    _ name: String, short: Character? = nil, _ path: @autoclosure @escaping LazyPath<V?>, value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    Argument(info: .option(name, short, V.self, value, completion, help)) { root, word, _ in
      root[keyPath: path()] = try V(argument: word ?? "")
    }
  }

  /// An option that can be given several times; with a separator one word can hold several values as well.
  ///
  ///     .option("kind", \.kinds, separator: ",", help: "…")     // --kind movie,book --kind vinyl
  public static func option<V: ArgumentValue>(
    _ name: String, short: Character? = nil, _ path: @autoclosure @escaping LazyPath<[V]>, separator: Character? = nil,
    value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    var info = ArgumentInfo.option(name, short, V.self, value, completion, help)
    info.isRepeated = true
    return Argument(info: info) { root, word, isFirst in
      if isFirst { root[keyPath: path()] = [] }
      let word = word ?? ""
      let parts = separator.map { word.split(separator: $0).map(String.init) } ?? [word]
      if parts.isEmpty { throw UsageError("the value is empty") }
      for part in parts { root[keyPath: path()].append(try V(argument: part)) }
    }
  }

  /// An option with an optional value: `--json` sets `implied`, and `--json=title,year` sets the parsed value.
  ///
  /// The value must follow an equals sign, since a separate word could be another argument.
  public static func option<V: ArgumentValue>(
    _ name: String, short: Character? = nil, _ path: @autoclosure @escaping LazyPath<V?>, implied: V,
    value: String? = nil,
    completion: CompletionKind? = nil, help: String
  ) -> Argument {
    var info = ArgumentInfo.option(name, short, V.self, value, completion, help)
    info.isValueOptional = true
    return Argument(info: info) { root, word, _ in
      root[keyPath: path()] = try word.map { try V(argument: $0) } ?? implied
    }
  }
}

// MARK: - Flags

extension Argument {
  /// A flag that turns a Boolean on.
  public static func flag(
    _ name: String, short: Character? = nil, _ path: @autoclosure @escaping LazyPath<Bool>, help: String
  ) -> Argument {
    flag(name, short: short, path(), sets: true, help: help)
  }

  /// A flag that stores a value of its own: `--csv` sets the format, `--no-pager` turns the pager off.
  public static func flag<V: Sendable>(
    _ name: String, short: Character? = nil, _ path: @autoclosure @escaping LazyPath<V>, sets value: V, help: String
  ) -> Argument {
    let info = ArgumentInfo(kind: .flag, name: name, short: short, valueName: "", help: help)
    return Argument(info: info) { root, _, _ in root[keyPath: path()] = value }
  }
}

extension ArgumentInfo {
  fileprivate static func positional<V: ArgumentValue>(
    _ name: String, _: V.Type, _ value: String?, _ completion: CompletionKind?, _ help: String, isRequired: Bool
  ) -> ArgumentInfo {
    ArgumentInfo(
      kind: .positional, name: name, valueName: value ?? name.uppercased(), help: help,
      completion: completion ?? V.completion, isRequired: isRequired)
  }

  fileprivate static func option<V: ArgumentValue>(
    _ name: String, _ short: Character?, _: V.Type, _ value: String?, _ completion: CompletionKind?, _ help: String
  ) -> ArgumentInfo {
    ArgumentInfo(
      kind: .option, name: name, short: short, valueName: value ?? V.valueName ?? name.uppercased(), help: help,
      completion: completion ?? V.completion)
  }
}

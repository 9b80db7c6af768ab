import Glibc

/// The arguments after the mode of the tool.
struct Options {
  private var values: [String: String] = [:]

  private static let names = [
    "--count", "--seed", "--members", "--program", "--deed", "--only", "--fault",
    "--sync-every", "--kills", "--pushes", "--folder",
  ]

  init(_ words: some Sequence<String>) {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      guard Self.names.contains(word) else { Self.stop("'\(word)' is not known") }
      guard let value = words.popFirst() else { Self.stop("'\(word)' wants a value") }
      values[word] = value
    }
  }

  subscript(_ name: String) -> String? { values[name] }

  func number(_ name: String) -> Int? {
    guard let value = values[name] else { return nil }
    guard let number = Int(value), number >= 0 else { Self.stop("'\(name)' wants a number") }
    return number
  }

  /// Writes to standard error.
  static func complain(_ text: String) { _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) } }

  static func stop(_ text: String) -> Never {
    complain("torture: \(text)\n")
    exit(2)
  }

  /// Prints the progress every few seconds.
  static func progress(of count: Int) -> (Int) -> Void {
    var last = ContinuousClock.now
    return { number in
      guard last.duration(to: .now) > .seconds(10) else { return }
      last = .now
      complain("\(number) of \(count)\n")
    }
  }
}

internal import CommandLineKit

/// How many there shall be at most: a whole number from 1 on.
struct Count: ArgumentValue, Hashable {
  var number: Int

  init(_ number: Int) { self.number = number }

  init(argument word: String) throws {
    number = try Int(argument: word)
    guard number >= 1 else { throw UsageError("\(word.quoted) is out of range: it starts at 1") }
  }

  static var valueName: String? { "N" }
}

import Testing

/// Words that a command refuses, and what it says.
struct BadInput: CustomTestStringConvertible {
  var words: [String]
  /// Part of what stands on standard error.
  var errors: String
  var status: Int32

  init(_ words: String..., errors: String, status: Int32 = 2) {
    (self.words, self.errors, self.status) = (words, errors, status)
  }

  var testDescription: String { words.joined(separator: " ").prefix(60).description }
}

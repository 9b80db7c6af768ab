import Testing

/// Words that a command refuses, and its error.
struct BadInput: CustomTestStringConvertible {
  var words: [String]
  /// A part of standard error.
  var errors: String
  var status: Int32

  init(_ words: String..., errors: String, status: Int32 = 2) {
    (self.words, self.errors, self.status) = (words, errors, status)
  }

  var testDescription: String { words.joined(separator: " ").prefix(60).description }
}

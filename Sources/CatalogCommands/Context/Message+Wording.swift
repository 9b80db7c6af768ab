internal import CatalogModel
internal import CommandLineKit

extension Message {
  /// Makes a translatable message of a module's wording; each value becomes an interpolation.
  init(_ wording: Wording) {
    var text = Interpolation(literalCapacity: 0, interpolationCount: wording.parts.count)
    for part in wording.parts {
      switch part {
      case .words(let words): text.appendLiteral(words)
      case .value(let value): text.appendInterpolation(value)
      case .wording(let wording): text.appendInterpolation(Message(wording))
      }
    }
    self.init(stringInterpolation: text)
  }
}

extension UsageError {
  /// Parses typed text.
  /// - Throws: a parse error as a ``UsageError``.
  static func reading<Value>(_ read: () throws -> Value) throws -> Value {
    do { return try read() } catch let error as any WordedError { throw UsageError(Message(error.words)) }
  }
}

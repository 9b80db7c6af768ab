internal import CatalogModel
internal import CommandLineKit

extension Message {
  /// What a module says that speaks no language: each value has a place of its own.
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
  /// Reads what was typed.
  /// - Throws: what is wrong with it, as a mistake of the line.
  static func reading<Value>(_ read: () throws -> Value) throws -> Value {
    do { return try read() } catch let error as any WordedError { throw UsageError(Message(error.words)) }
  }
}

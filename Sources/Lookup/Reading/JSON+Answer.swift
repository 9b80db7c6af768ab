package import CatalogModel

extension JSON.Form {
  /// The form of an answer. The largest recorded one has 6 900 values, 533 in one list, and its longest text 3 300
  /// bytes; a box of two hundred discs at MusicBrainz may reach 150 000 values. With these limits an answer takes at
  /// most 64 MiB, including its own bytes; `fuzz-answers --heavy` checks this.
  package static let answer = JSON.Form(
    deepest: 64, mostValues: 200_000, mostTogether: 10_000, longestText: 1 << 20, isLenient: true)
}

extension JSON {
  package init(answer bytes: [UInt8]) throws(SourceError) {
    do throws(JSON.Problem) {
      self = try JSON(bytes, as: .answer)
    } catch {
      switch error.reason {
      case .empty: throw .unreadable("an empty answer")
      case .markup: throw .unreadable("an HTML page instead of an answer")
      case .otherText: throw .unreadable("text that is not JSON")
      case .notUTF8: throw .unreadable("text that is not valid UTF-8")
      case .cutShort: throw .unreadable("an answer that is cut short")
      case .tooDeep: throw .unreadable("an answer nested too deeply")
      case .tooMuch: throw .tooMuch
      case .repeatedKey, .halfCharacter, .notAlone, .malformed: throw .anotherShape
      }
    }
  }
}

extension SourceError {
  static var anotherShape: SourceError { .unreadable("an answer in an undocumented form") }
  static var tooMuch: SourceError { .unreadable("an answer that is too large to read") }
}

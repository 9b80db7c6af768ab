internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// One word of several references: its own meaning, and the word as typed, since it may belong to a title.
struct ReferenceWord: ArgumentValue, Hashable {
  var typed: String
  var reference: Reference

  init(argument word: String) throws {
    typed = word.trimmingBlanks
    reference = try Reference(argument: word)
  }

  /// Whether the word is a title by itself: it was quoted and contains a blank.
  fileprivate var isTitle: Bool {
    if case .words = reference { typed.contains(where: \.isWhitespace) } else { false }
  }

  static var valueName: String? { "REF" }
}

/// One reference or title among several words.
enum NamedThing: Hashable {
  /// Any reference except words.
  case reference(Reference)
  /// The words of one title; or of several titles of one word each, if nothing matches them all.
  case title([String])
}

extension [ReferenceWord] {
  /// The references and titles that the words stand for. A reference stands for itself, and so does a quoted title. The
  /// words between them form one title, with its numbers: `2001 a space odyssey`.
  var things: [NamedThing] {
    var things: [NamedThing] = []
    var loose: [ReferenceWord] = []
    func endTitle() {
      let isTitle = loose.contains { if case .words = $0.reference { true } else { false } }
      things += isTitle ? [.title(loose.map(\.typed))] : loose.map { .reference($0.reference) }
      loose = []
    }
    for word in self {
      switch word.reference {
      case .item: loose.append(word)
      case .words where !word.isTitle: loose.append(word)
      case .words:
        endTitle()
        things.append(.title([word.typed]))
      case .result, .recent, .external, .isbn, .barcode:
        endTitle()
        things.append(.reference(word.reference))
      }
    }
    endTitle()
    return things
  }
}

extension Context {
  /// The targets of all words, before anything is changed.
  func targets(_ words: [ReferenceWord], in store: Store) throws -> [ResolvedReference] {
    try references(words, in: store).map { try target($0, in: store) }
  }

  /// The items of all words; a target that is not in the catalog is an error.
  func items(_ words: [ReferenceWord], in store: Store) throws -> [ItemID] {
    try references(words, in: store).map { try item($0, in: store) }
  }

  /// The references that the words stand for.
  func references(_ words: [ReferenceWord], in store: Store) throws -> [Reference] {
    try words.things.flatMap { thing -> [Reference] in
      switch thing {
      case .reference(let reference): [reference]
      case .title(let words): try titles(words, in: store).map { .words($0) }
      }
    }
  }

  /// One title, or several of one word each if nothing matches all the words, and each word is a title.
  private func titles(_ words: [String], in store: Store) throws -> [String] {
    let together = words.joined(separator: " ")
    guard words.count > 1, try store.search(together, limit: 1).isEmpty else { return [together] }
    let areTitles = try words.allSatisfy { word in
      try store.search(word, limit: 21).contains { Folding.fold(try store.item($0).record.title) == Folding.fold(word) }
    }
    return areTitles ? words : [together]
  }
}

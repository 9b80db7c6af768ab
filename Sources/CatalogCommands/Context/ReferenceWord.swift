internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// One of the words that say which ones: what it means by itself, and how it was typed, since it may belong to a title.
struct ReferenceWord: ArgumentValue, Hashable {
  var typed: String
  var reference: Reference

  init(argument word: String) throws {
    typed = word.trimmingBlanks
    reference = try Reference(argument: word)
  }

  /// Whether it is a title by itself: in the quotes of a shell it holds a blank.
  fileprivate var isTitle: Bool {
    if case .words = reference { typed.contains(where: \.isWhitespace) } else { false }
  }

  static var valueName: String? { "REF" }
}

/// One of the things that several words stand for.
enum NamedThing: Hashable {
  /// Anything but words.
  case reference(Reference)
  /// The words of a title; or, where nothing has them all, of several titles of one word each.
  case title([String])
}

extension [ReferenceWord] {
  /// What the words stand for. Each that is a reference stands for itself, and so does a title in quotes. The words
  /// between them are one title each time, whose numbers belong to it: `2001 a space odyssey`.
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
  /// What several words mean, before anything is done.
  func targets(_ words: [ReferenceWord], in store: Store) throws -> [Target] {
    try references(words, in: store).map { try target($0, in: store) }
  }

  /// The same where only items will do.
  func items(_ words: [ReferenceWord], in store: Store) throws -> [ItemID] {
    try references(words, in: store).map { try item($0, in: store) }
  }

  /// The references that several words stand for.
  func references(_ words: [ReferenceWord], in store: Store) throws -> [Reference] {
    try words.things.flatMap { thing -> [Reference] in
      switch thing {
      case .reference(let reference): [reference]
      case .title(let words): try titles(words, in: store).map { .words($0) }
      }
    }
  }

  /// One title, or several of one word each where nothing in the catalog has all the words, and each is a title.
  private func titles(_ words: [String], in store: Store) throws -> [String] {
    let together = words.joined(separator: " ")
    guard words.count > 1, try store.search(together, limit: 1).isEmpty else { return [together] }
    let areTitles = try words.allSatisfy { word in
      try store.search(word, limit: 21).contains { Folding.fold(try store.item($0).record.title) == Folding.fold(word) }
    }
    return areTitles ? words : [together]
  }
}

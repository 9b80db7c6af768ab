internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup

/// A reference to a copy: its number, `c7`, or a reference to an item that has only one copy: `42`, `r3`, words.
enum CopyReference: Hashable {
  case copy(CopyID)
  /// The only copy of an item.
  case item(Reference)
}

extension CopyReference: ArgumentValue {
  init(argument word: String) throws {
    guard let id = CopyID(word.trimmingBlanks) else {
      self = .item(try Reference(argument: word))
      return
    }
    guard id.rawValue > 0 else {
      throw UsageError(
        "\(word.quoted) is not a copy number: copies start at c1", hint: "'catalog copy list' shows them")
    }
    self = .copy(id)
  }

  static var valueName: String? { "COPY" }
  static var completion: CompletionKind { .dynamic("copies") }
}

/// The reference as it is typed.
extension CopyReference: CustomStringConvertible {
  var description: String {
    switch self {
    case .copy(let id): "\(id)"
    case .item(let reference): "\(reference)"
    }
  }
}

extension Context {
  /// The details of a copy in one line.
  func line(of copy: Copy) -> Message { copy.line(money: moneyLanguage) }

  /// The copies that the words name: one for each word if all are numbers of copies or items, or the only copy of a
  /// title.
  func copies(_ words: [String], in store: Store) throws -> [Copy] {
    let references = try words.map { try CopyReference(argument: $0) }
    let areNumbers = references.allSatisfy { reference in
      switch reference {
      case .copy, .item(.item), .item(.result), .item(.isbn), .item(.barcode), .item(.external): true
      case .item: false
      }
    }
    guard areNumbers else {
      return [try copy(CopyReference(argument: words.joined(separator: " ")), in: store)]
    }
    return try references.map { try copy($0, in: store) }.withoutRepeats(by: \.id)
  }

  /// The copy that a reference names. A person at a terminal chooses from several copies of an item.
  /// - Throws: ``Failure`` when there is no such copy, the item has none, or the person cannot be asked.
  func copy(_ reference: CopyReference, in store: Store) throws -> Copy {
    switch reference {
    case .copy(let id): return try store.copy(id)
    case .item(let reference):
      let id = try item(reference, in: store)
      let copies = try store.copies(of: id)
      if let only = copies.first, copies.count == 1 { return only }
      let name = try store.item(id).line
      guard let first = copies.first else {
        throw Failure("there is no copy of \(name)", hint: "add one: catalog copy add \(id)")
      }
      let many: Message = "there are \(copies.count) copies of \(name)"
      guard terminal.isInputTerminal, terminal.isErrorTerminal else {
        let lines = copies.map { "\($0.id)  \(text(line(of: $0)))" }
        throw Failure(
          many + Message(verbatim: ":\n  " + lines.joined(separator: "\n  ")), hint: "name one: \(first.id)")
      }
      note(many + Message(verbatim: ":"))
      let choices = copies.map { "\($0.id)  \(text(line(of: $0)))" }
      guard let place = try prompt.choose("Which one?", from: choices, option: "\(first.id)") else {
        throw Failure("none was chosen")
      }
      return copies[place]
    }
  }
}

extension Copy {
  /// The details of a copy in one line: `VG+/VG, LP, K2/3, ₩25,000, Ada has it`.
  /// - Parameter language: the language for amounts of money.
  func line(money language: String) -> Message {
    let known = [facts.grades, facts.format, facts.place, facts.price?.text(in: language)].compactMap(\.self)
    let parts = known.map { Message(verbatim: $0) } + (holder.map { [$0.words] } ?? [])
    return parts.isEmpty ? "no details yet" : parts.joined(separator: ", ")
  }

  /// Whether ``line(money:)`` has details to show.
  var hasLine: Bool {
    facts.grades != nil || facts.format != nil || facts.place != nil || facts.price != nil || holder != nil
  }
}

extension Copy.Holder {
  /// `Ada has it until 2026-12-01`.
  var words: Message { due.map { "\(person) has it until \($0)" } ?? "\(person) has it" }
}

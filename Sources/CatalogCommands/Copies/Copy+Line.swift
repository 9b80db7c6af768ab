internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

extension Context {
  /// The details of a copy in one line.
  func line(of copy: Copy) -> Message { copy.line(money: moneyLanguage) }
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
  var words: Message { due.map { "\(person) has it until \($0.words)" } ?? "\(person) has it" }
}

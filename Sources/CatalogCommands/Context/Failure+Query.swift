internal import CatalogStore
internal import CommandLineKit

extension Failure {
  /// Says what was looked for in vain.
  /// - Parameters:
  ///   - words: the query as it was typed.
  ///   - lookUp: the words of it that a source could be asked for.
  static func nothingMatches(_ words: [String], _ thing: Message, lookUp: [String] = []) -> Failure {
    let typed = words.joined(separator: " ").quoted.dropFirst().dropLast()
    return Failure(
      "no \(thing) matches \(typed)",
      hint: lookUp.isEmpty
        ? "see what there is: catalog list; how to ask: catalog help query"
        : "look it up: catalog search \(lookUp.map(\.shellWord).joined(separator: " "))")
  }

  /// Says what is wrong with a query.
  init(_ problem: Query.Problem) {
    guard let name = problem.unknownField else {
      self.init(Message(verbatim: problem.description), hint: "see 'catalog help query'", status: .misused)
      return
    }
    self.init(
      Message(verbatim: problem.description) + Suggestion.phrase(for: name, among: Query.names.sorted()),
      hint: "'catalog help query' lists the fields; a word with a colon goes into quotes: '\"Re:Zero\"'",
      status: .misused)
  }
}

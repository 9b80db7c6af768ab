internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The question of a page of genres, for the commands that it proposes.
struct GenreQuestion {
  /// The query as typed.
  var words: [String] = []
  /// `--of`, if it was given.
  var population: GenrePopulation?
  /// The kinds of the report, and what dates them: the population where `--of` does not say it.
  var parts: [GenreReport.Part] = []

  /// The terms of a query for the items of the question.
  var terms: [String] {
    let isChoice = words.contains { ["or", "|", "또는"].contains($0.lowercased()) }
    return (isChoice ? ["("] + words + [")"] : words) + (population?.terms ?? [])
  }

  /// The command that lists those items of the question that some terms select.
  func listing(_ found: String...) -> String {
    let finished = parts.filter { $0.basis == .finished }
    let seen: [String]
    if population != nil || finished.isEmpty {
      seen = []
    } else if finished.count == parts.count {
      seen = ["seen:any"]
    } else {
      let others = parts.filter { $0.basis != .finished }.map(\.kind.rawValue)
      seen = ["(", "seen:any", "or", "kind:\(others.joined(separator: ","))", ")"]
    }
    return (["catalog list"] + (found.filter { !words.contains($0) } + terms + seen).map(\.shellWord))
      .joined(separator: " ")
  }

  /// The same question with other options.
  func genres(_ options: String...) -> String {
    (["catalog genres"] + options + (population.map { ["--of \($0.rawValue)"] } ?? []) + words.map(\.shellWord))
      .joined(separator: " ")
  }
}

extension GenrePopulation {
  /// The terms of a query for the same items.
  fileprivate var terms: [String] {
    switch self {
    case .watched: ["seen:any"]
    case .owned: ["has:copies"]
    case .rated: ["has:rating"]
    case .all: ["-status:wished"]
    }
  }
}

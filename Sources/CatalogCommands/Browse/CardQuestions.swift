internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes

/// The questions for a card on the terminal: a rating, then a comment.
struct CardQuestions {
  var context: Context

  struct Words {
    var rating: Rating?
    var comment: String?
    /// The editor's file that holds the comment until it is in the catalog; nil when it was typed at the prompt.
    var file: EditorFile?

    /// The options of `card add` for the rating.
    var stars: [String] { rating.map { ["--stars", "\($0)"] } ?? [] }
    /// The options of `card add` for the answers.
    var options: [String] { stars + (comment.map { ["--comment=\($0)"] } ?? []) }
  }

  /// Asks for the rating and the comment.
  ///
  /// - Returns: the answers; nil when there are none, or after Ctrl-C.
  func ask(about target: ResolvedReference, in store: Store) throws -> Words? {
    context.note("A card for \(try context.line(of: target, in: store))")
    let word =
      switch target {
      case .item(let id): "\(id)"
      case .candidate(let candidate): "\(candidate.id)"
      }
    do {
      var words = Words()
      while true {
        guard let typed = try answer("Rating (4.5, 9/10 or 87%; Enter for none):") else { return nil }
        guard !typed.isEmpty else { break }
        do {
          words.rating = try Rating(typed)
          break
        } catch {
          say(Failure(error))
        }
      }
      while true {
        guard let typed = try answer("Words (Enter for none, e for the editor):") else { return nil }
        if typed.isEmpty, words.rating == nil { return nil }
        do {
          guard typed == "e" else {
            words.comment = try Store.checkCard(rating: words.rating, comment: typed)
            return words
          }
          let edited = try context.edit(
            "", named: "card",
            retry: { file in
              (["catalog card add", word.shellWord] + words.stars + ["- < \(file)"]).joined(separator: " ")
            }
          ) { try Store.checkCard(rating: words.rating, comment: $0) }
          (words.comment, words.file) = (edited.value, edited.file)
          return words
        } catch let error as Interrupted {
          throw error
        } catch {
          say(Failure(error))
        }
      }
    } catch is Interrupted {
      return nil
    }
  }

  private func answer(_ question: Message) throws -> String? {
    try context.prompt.ask(question, option: "catalog card add")?.trimmingBlanks
  }

  private func say(_ failure: Failure) {
    let hints = failure.hints.map { " (\(context.text($0)))" } ?? ""
    context.note(verbatim: "\(failure.spoken(on: context.terminal))\(hints)")
  }
}

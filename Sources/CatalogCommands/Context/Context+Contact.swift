internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// Whether the question for a contact has been dealt with in this run.
final class ContactQuestion {
  fileprivate(set) var isSettled = false

  /// Keeps the question from being asked, where the terminal shows something else.
  func settle() { isSettled = true }
}

extension Context {
  /// Asks the person, once for all time, for the contact that some sources want; without a terminal nothing is asked.
  ///
  /// An answer is kept as the setting `contact`; an empty one is kept as asked.
  func askForContact() throws {
    guard !contactQuestion.isSettled else { return }
    contactQuestion.settle()
    guard terminal.isInputTerminal, terminal.isErrorTerminal, listener == nil, !globals.isOffline, !globals.isDryRun,
      !globals.saysYes, let path = places.configuration, try lacksContact(), try !configuration().wasAskedForContact
    else { return }
    let names = sources.filter(\.asksForContact).map(\.name)
    note(
      """
      \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "") ask programs for a contact, and some \
      refuse requests without one. It is sent only to them.
      """)
    while true {
      let typed = try prompt.ask("Your e-mail address or page (Enter for none):", option: "config set contact")
      let word = typed?.trimmingBlanks ?? ""
      do {
        let contact = word.isEmpty ? nil : try Contact(argument: word)
        return try Configuration.change(at: path) { $0.answer(contact: contact) }
      } catch let error as UsageError {
        note(Failure(error))
      }
    }
  }

  /// Whether sources that want a contact get none.
  func lacksContact() throws -> Bool { try !identity().hasContact }

  /// The content of the `User-Agent`, with the contact that the person has set.
  func identity() throws -> Identity { Release.identity(contact: try configuration()["contact"]) }
}

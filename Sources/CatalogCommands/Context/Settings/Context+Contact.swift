internal import CatalogModel
internal import CommandLineKit
internal import Lookup

extension Context {
  /// Asks the person for the contact that some sources want. It asks once for all runs, and only at a terminal.
  ///
  /// An answer is saved as the setting `contact`; an empty answer is saved, too, so that the question is not repeated.
  func askForContact() throws {
    guard !state.isContactSettled else { return }
    state.isContactSettled = true
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

internal import CatalogStore
internal import CommandLineKit

/// Changes by others that a person is about to overwrite. Thrown before anything is written.
struct Conflict: Error {
  /// The base, the current and the wanted value of each conflict.
  var lines: [Message] = []

  /// The line of one field.
  static func line(_ name: Message, seen: String, now: String, wanted: String) -> Message {
    "\(name): \(Draft.shown(seen)) → \(Draft.shown(now)); yours is \(Draft.shown(wanted))"
  }

  /// The fields that are another now than the person saw, and would be another again.
  init(_ seen: Seen?, now: [String: String], wanted: [String: String]) {
    lines = (seen?.fields ?? [:]).sorted { $0.key < $1.key }.compactMap { name, seen in
      guard let now = now[name], let wanted = wanted[name], now != seen, now != wanted else { return nil }
      return Self.line(Message(Message(words: name), context: "field"), seen: seen, now: now, wanted: wanted)
    }
  }

  init(lines: [Message] = []) { self.lines = lines }

  /// - Throws: this conflict, unless the person has agreed to all its lines.
  func check(_ agreed: Set<Message>) throws {
    if !agreed.isSuperset(of: lines) { throw self }
  }
}

extension Context {
  /// Writes a decision that a person made some time ago. They are asked first when it would overwrite changes by
  /// others.
  ///
  /// - Parameter write: one transaction, which throws a ``Conflict`` before it ends. It gets the lines of the conflicts
  ///   that the person has agreed to.
  /// - Throws: ``Failure`` when the person says no, or cannot be asked; nothing was changed then. What a page showed is
  ///   never overwritten unseen: a yes to another question of the command is none to this.
  func settling<T>(_ write: (_ agreed: Set<Message>) throws -> T) throws -> T {
    var agreed: Set<Message> = []
    while true {
      do { return try write(agreed) } catch let conflict as Conflict {
        warn("these values were changed elsewhere in the meantime:")
        for line in conflict.lines { note("  \(line)") }
        guard seen == nil, globals.saysYes || terminal.isInputTerminal && terminal.isErrorTerminal else {
          throw Failure("nothing was changed", hint: "--yes overwrites it with your change")
        }
        guard try confirm("Overwrite it with your change?") else { throw Failure("nothing was changed") }
        // A further change leads to another question.
        agreed.formUnion(conflict.lines)
      }
    }
  }
}

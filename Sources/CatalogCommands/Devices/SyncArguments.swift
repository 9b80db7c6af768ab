internal import CatalogModel
internal import CommandLineKit
internal import Git

/// The address of a remote: any that git accepts, without a password. It is stored in the history and the tree's
/// settings, and shown in messages.
struct SyncRemote: ArgumentValue {
  var address = ""

  /// Nowhere yet.
  init() {}

  init(argument: String) throws {
    guard !argument.isEmpty else {
      throw UsageError("the address is empty", hint: "for example: git@example.org:me/catalog.git")
    }
    guard argument != "-" else {
      throw UsageError("a remote is no stream", hint: "for example: git@example.org:me/catalog.git")
    }
    guard !RemoteAddress.hasPassword(argument) else {
      throw UsageError(
        "the address contains a password, which others could read",
        hint:
          "let git keep it: git config --global credential.helper store; then name \(RemoteAddress.redacted(argument).shellWord)"
      )
    }
    address = argument
  }

  static var valueName: String? { "REMOTE" }
  static var completion: CompletionKind { .files }
}

/// The name of a device. Commit messages and reports contain it, so it is one line.
struct DeviceName: ArgumentValue {
  var name: String

  /// In characters.
  static let longest = 60

  init(argument: String) throws {
    let name = argument.trimmingBlanks
    guard !name.isEmpty else {
      throw UsageError("the name of the device is empty", hint: "for example: --device laptop")
    }
    guard name.count <= Self.longest else {
      throw UsageError("a device's name has at most \(Self.longest) characters: this one has \(name.count)")
    }
    // Also what separates lines and turns the direction of writing.
    guard
      !name.unicodeScalars.contains(where: { scalar in
        [.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
      })
    else { throw UsageError("a device's name is one line, without control characters") }
    self.name = name
  }

  static var valueName: String? { "NAME" }
}

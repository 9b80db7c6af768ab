internal import CommandLineKit
internal import Lookup

extension Source {
  /// The name in a message. That of the built-in pack is translated; the others are proper names.
  var words: Message { isBuiltIn ? Message(words: name) : Message(verbatim: name) }
}

internal import CommandLineKit

extension Key {
  /// The key as a command: a letter typed with the Korean layout is the Latin letter of the same key.
  var command: Key {
    guard case .character(let character) = self, let letter = Self.letters[character] else { return self }
    return .character(letter)
  }

  /// The layout of all Korean keyboards (KS X 5002).
  private static let letters = Dictionary(
    uniqueKeysWithValues: zip("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆ", "qwertyuiopasdfghjklzxcvbnmQWERT"))
}

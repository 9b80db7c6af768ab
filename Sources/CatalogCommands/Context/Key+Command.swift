internal import CommandLineKit

extension Key {
  /// The key as a command: a letter of a Korean keyboard is the one that the same key types with Latin letters.
  var command: Key {
    guard case .character(let character) = self, let letter = Self.letters[character] else { return self }
    return .character(letter)
  }

  /// By the layout that all Korean keyboards have (KS X 5002).
  private static let letters = Dictionary(
    uniqueKeysWithValues: zip("ㅂㅈㄷㄱㅅㅛㅕㅑㅐㅔㅁㄴㅇㄹㅎㅗㅓㅏㅣㅋㅌㅊㅍㅠㅜㅡㅃㅉㄸㄲㅆ", "qwertyuiopasdfghjklzxcvbnmQWERT"))
}

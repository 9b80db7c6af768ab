internal import Lookup

/// The parts of a person's name, for sorting by last name.
struct PartedName: Equatable {
  /// The last name with its particles: `Le Guin`, `van Beethoven`.
  var last: String
  var first: String
  /// The suffix: `Jr.`
  var suffix: String?

  /// Nil for single words, names in other scripts and companies, which are not split.
  init?(_ name: String) {
    guard name.unicodeScalars.allSatisfy({ $0.value < 0x250 }) else { return nil }
    let parts = name.split(separator: ",").map { String($0.trimmed) }
    if parts.count == 2, !NamedPerson.isSuffix(parts[1]) {
      // The last name comes first already.
      (last, first, suffix) = (parts[0], parts[1], nil)
      return
    }
    guard let whole = parts.first, parts.count <= 2, parts.count == 1 || NamedPerson.isSuffixOfPerson(parts[1]) else {
      return nil
    }
    var words = whole.split(separator: " ").map(String.init)
    suffix = parts.count == 2 ? parts[1] : nil
    if suffix == nil, words.count > 2, let end = words.last, NamedPerson.isSuffixOfPerson(end) {
      suffix = end
      words.removeLast()
    }
    guard words.count > 1, !words.contains(where: { ["and", "&", "und", "et"].contains($0.lowercased()) }) else {
      return nil
    }
    var start = words.count - 1
    while start > 1, NamedPerson.isParticle(words[start - 1]) { start -= 1 }
    (last, first) = (words[start...].joined(separator: " "), words[..<start].joined(separator: " "))
  }
}

extension String {
  /// The name with the last name first: `Herbert, Frank`, or `King, Martin Luther, Jr.` for `Martin Luther King, Jr.`.
  /// Names that cannot be split are unchanged.
  var lastNameFirst: String {
    guard let name = PartedName(self) else { return self }
    return "\(name.last), \(name.first)" + (name.suffix.map { ", \($0)" } ?? "")
  }
}

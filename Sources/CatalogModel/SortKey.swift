/// The key by which titles and names are put in order: letters with accents beside those without, and numbers by their
/// value, in every locale.
public enum SortKey {
  /// `eclair` for `Éclair`, `se17en` for `Se7en`: the digits of each number stand behind their count.
  public static func of(_ text: String) -> String {
    let folded = Folding.fold(text)
    guard folded.utf8.contains(where: \.isASCIIDigit) else { return folded }
    var key: [UInt8] = []
    var rest = folded.utf8[...]
    while let first = rest.first {
      guard first.isASCIIDigit else {
        key.append(first)
        rest.removeFirst()
        continue
      }
      let digits = rest.prefix(while: \.isASCIIDigit)
      rest = rest.dropFirst(digits.count)
      let number = digits.drop { $0 == UInt8(ascii: "0") }
      // A count of nine or more is several digits, of which each but the last is a nine.
      key += [UInt8](repeating: UInt8(ascii: "9"), count: number.count / 9)
      key.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number.count % 9))
      key += number
    }
    return String(decoding: key, as: UTF8.self)
  }
}

internal import CatalogModel
// Numbers in words.
internal import CommandLineKit

extension Int {
  /// A number of minutes: `45 min`, `1 h 40 min`, `61 h`.
  var duration: Message {
    switch self {
    case ..<60: "\(self) min"
    case ..<600: self % 60 == 0 ? "\(self / 60) h" : "\(self / 60) h \(self % 60) min"
    default: "\(Int(clamping: (Double(self) / 60).rounded())) h"
    }
  }

  /// A number of bytes: `812 B`, `12.3 MB`.
  var size: String {
    guard self >= 1000 else { return "\(self) B" }
    var value = Double(self) / 1000
    var units = ["kB", "MB", "GB", "TB"][...]
    while value >= 999.95, units.count > 1 {
      value /= 1000
      units = units.dropFirst()
    }
    return "\(value.fixed(1)) \(units.first ?? "")"
  }
}

extension Price {
  /// The price to pay: `₩14,000`, or `free`.
  func cost(in language: String) -> String { minorUnits == 0 ? "free" : text(in: language) }
}

extension [Message] {
  /// The elements as a list in a sentence: `Jazz, Rock and Folk`.
  var listed: Message {
    guard let last, count > 1 else { return joined() }
    return "\(Array(dropLast()).joined(separator: ", ")) and \(last)"
  }
}

extension [String] {
  /// The names as a list in a sentence.
  var listed: Message { map { Message(verbatim: $0) }.listed }
}

extension Double {
  /// The number rounded to this many decimals.
  func fixed(_ decimals: Int) -> String {
    guard isFinite, abs(self) < 1e15 else { return description }
    let scale = (0..<decimals).reduce(1) { scale, _ in scale * 10 }
    let rounded = Int(clamping: (abs(self) * Double(scale)).rounded())
    let sign = self < 0 && rounded > 0 ? "-" : ""
    guard decimals > 0 else { return sign + String(rounded) }
    let rest = String(rounded % scale)
    return "\(sign)\(rounded / scale)." + String(repeating: "0", count: decimals - rest.count) + rest
  }

  /// A rating from 0 to 100 in stars from 0 to 5: `3.9`.
  func stars(_ decimals: Int = 1) -> String { (self / 20).fixed(decimals) }
}

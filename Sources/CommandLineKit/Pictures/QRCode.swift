/// A short text as a QR code (ISO/IEC 18004), which a telephone reads from the screen: up to 106 bytes, in the versions
/// 1 to 5 of the lowest error correction.
public struct QRCode: Hashable, Sendable {
  /// The number of modules of a side.
  public private(set) var side: Int
  /// Whether each module is dark, line by line.
  private var modules: [Bool]
  /// Whether the place of a module is that of a pattern or of the format, and of no data.
  private var isTaken: [Bool]

  /// The number of bytes of data and of correction of each version.
  private static let sizes = [(19, 7), (34, 10), (55, 15), (80, 20), (108, 26)]

  /// - Returns: nil for a text that is too long.
  public init?(_ text: String) {
    self.init(text, mask: nil)
  }

  /// - Parameter mask: the number of the pattern over the data; nil for the one that leaves the fewest large areas.
  init?(_ text: String, mask: Int?) {
    let bytes = Array(text.utf8)
    // The kind of data and its length take 12 bits.
    guard let version = Self.sizes.firstIndex(where: { bytes.count + 2 <= $0.0 }) else { return nil }
    let (room, correction) = Self.sizes[version]
    side = 21 + 4 * version
    (modules, isTaken) = (Array(repeating: false, count: side * side), Array(repeating: false, count: side * side))
    drawPatterns(version: version + 1)
    let data = Self.data(bytes, room: room)
    draw(data + Self.correction(of: data, count: correction))
    let plain = self
    let masked = (mask.map { $0...$0 } ?? 0...7).map { plain.masked($0) }
    guard let best = masked.min(by: { $0.penalty < $1.penalty }) else { return nil }
    self = best
  }

  /// Whether a module is dark. Those around the code are light.
  public func isDark(_ x: Int, _ y: Int) -> Bool {
    (0..<side).contains(x) && (0..<side).contains(y) && modules[y * side + x]
  }

  /// The code with its light border, two lines of modules in each line of text. The light modules are drawn, since most
  /// terminals are dark.
  public var halfBlocks: [String] {
    let border = 4
    return stride(from: -border, to: side + border, by: 2).map { y in
      String(
        (-border..<side + border).map { x -> Character in
          switch (isDark(x, y), y + 1 < side + border && !isDark(x, y + 1)) {
          case (false, true): "█"
          case (false, false): "▀"
          case (true, true): "▄"
          case (true, false): " "
          }
        })
    }
  }

  // MARK: Patterns

  private mutating func set(_ x: Int, _ y: Int, _ dark: Bool) {
    guard (0..<side).contains(x), (0..<side).contains(y) else { return }
    (modules[y * side + x], isTaken[y * side + x]) = (dark, true)
  }

  /// A square of this many modules on each side of its middle, in rings.
  private mutating func drawSquare(_ x: Int, _ y: Int, _ reach: Int, lightRings: Set<Int>) {
    for down in -reach...reach {
      for right in -reach...reach { set(x + right, y + down, !lightRings.contains(max(abs(right), abs(down)))) }
    }
  }

  private mutating func drawPatterns(version: Int) {
    for place in 0..<side {
      set(place, 6, place.isMultiple(of: 2))
      set(6, place, place.isMultiple(of: 2))
    }
    for (x, y) in [(3, 3), (side - 4, 3), (3, side - 4)] { drawSquare(x, y, 4, lightRings: [2, 4]) }
    if version > 1 { drawSquare(side - 7, side - 7, 2, lightRings: [1]) }
    drawFormat(0)
  }

  /// The number of the mask with the level of correction, twice.
  private mutating func drawFormat(_ mask: Int) {
    let level = 1
    let value = level << 3 | mask
    var rest = value << 10
    for bit in (10...14).reversed() where rest >> bit & 1 == 1 { rest ^= 0x537 << (bit - 10) }
    let bits = (value << 10 | rest) ^ 0x5412
    for bit in 0..<15 {
      let dark = bits >> bit & 1 == 1
      // Up the column beside the squares, around the corner; then along the two others.
      let corner = bit < 6 ? (8, bit) : bit < 8 ? (8, bit + 1) : bit == 8 ? (7, 8) : (14 - bit, 8)
      set(corner.0, corner.1, dark)
      if bit < 8 { set(side - 1 - bit, 8, dark) } else { set(8, side - 15 + bit, dark) }
    }
    set(8, side - 8, true)
  }

  // MARK: Data

  /// The bytes with their kind and length before them, filled up.
  private static func data(_ bytes: [UInt8], room: Int) -> [UInt8] {
    // Half a byte says that bytes follow, a whole one how many.
    var packed: [UInt8] = []
    var half: UInt8 = 4
    for byte in [UInt8(truncatingIfNeeded: bytes.count)] + bytes {
      packed.append(half << 4 | byte >> 4)
      half = byte & 15
    }
    packed.append(half << 4)
    for place in 0..<room - packed.count { packed.append(place.isMultiple(of: 2) ? 0xEC : 0x11) }
    return packed
  }

  /// The bytes of a Reed–Solomon code, in the field of 256 elements.
  static func correction(of data: [UInt8], count: Int) -> [UInt8] {
    func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
      var sum: UInt8 = 0
      for bit in (0..<8).reversed() {
        sum = sum << 1 ^ (sum >> 7) * 0x1D
        if other >> bit & 1 == 1 { sum ^= one }
      }
      return sum
    }
    var divisor = [UInt8](repeating: 0, count: count - 1) + [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      for place in divisor.indices {
        divisor[place] = product(divisor[place], root) ^ (place + 1 < count ? divisor[place + 1] : 0)
      }
      root = product(root, 2)
    }
    return data.reduce([UInt8](repeating: 0, count: count)) { rest, byte in
      let factor = byte ^ rest[0]
      return zip(rest.dropFirst() + [0], divisor).map { $0 ^ product($1, factor) }
    }
  }

  /// Two columns at a time, up and down by turns, from the right.
  private mutating func draw(_ bytes: [UInt8]) {
    var bit = 0
    for (turn, right) in ([Int](stride(from: side - 1, to: 6, by: -2)) + [5, 3, 1]).enumerated() {
      for step in 0..<side {
        let y = turn.isMultiple(of: 2) ? side - 1 - step : step
        for x in [right, right - 1] where !isTaken[y * side + x] {
          // The rest is light.
          if bit < bytes.count * 8 { modules[y * side + x] = bytes[bit / 8] >> (7 - bit % 8) & 1 == 1 }
          bit += 1
        }
      }
    }
  }

  // MARK: Masks

  private func masked(_ mask: Int) -> QRCode {
    var code = self
    for y in 0..<side {
      for x in 0..<side where !isTaken[y * side + x] && Self.isInverted(x, y, mask) {
        code.modules[y * side + x].toggle()
      }
    }
    code.drawFormat(mask)
    return code
  }

  private static func isInverted(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
    switch mask {
    case 0: (x + y) % 2 == 0
    case 1: y % 2 == 0
    case 2: x % 3 == 0
    case 3: (x + y) % 3 == 0
    case 4: (x / 3 + y / 2) % 2 == 0
    case 5: x * y % 2 + x * y % 3 == 0
    case 6: (x * y % 2 + x * y % 3) % 2 == 0
    default: ((x + y) % 2 + x * y % 3) % 2 == 0
    }
  }

  /// The long runs and squares of one colour, which make a code hard to read.
  private var penalty: Int {
    var penalty = 0
    for one in 0..<side {
      for isDown in [false, true] {
        var length = 0
        for other in 0..<side {
          func module(_ place: Int) -> Bool { isDown ? isDark(one, place) : isDark(place, one) }
          length = other > 0 && module(other) == module(other - 1) ? length + 1 : 1
          penalty += length == 5 ? 3 : length > 5 ? 1 : 0
        }
      }
    }
    for y in 1..<side {
      for x in 1..<side {
        let dark = [isDark(x, y), isDark(x - 1, y), isDark(x, y - 1), isDark(x - 1, y - 1)].count { $0 }
        if dark % 4 == 0 { penalty += 3 }
      }
    }
    return penalty
  }
}

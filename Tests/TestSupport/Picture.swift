/// Pictures that every program can show.
public enum Picture {
  /// A grey PNG. <https://www.w3.org/TR/png-3/>
  public static func png(width: Int, height: Int) -> [UInt8] {
    png(width: width, lines: Array(repeating: [UInt8](repeating: 0x80, count: width), count: height))
  }

  /// A PNG of the grey values of lines.
  public static func png(width: Int, lines: [[UInt8]]) -> [UInt8] {
    let header = big(width) + big(lines.count) + [8, 0, 0, 0, 0]
    // Each line: no filter, then its pixels.
    let pixels = lines.flatMap { line -> [UInt8] in [0] + line }
    // zlib with stored blocks: <https://www.rfc-editor.org/rfc/rfc1950>
    let most = 0xFFFF
    var blocks: [UInt8] = []
    for start in stride(from: 0, to: pixels.count, by: most) {
      let block = pixels[start..<min(start + most, pixels.count)]
      let length = [UInt8(block.count & 0xFF), UInt8(block.count >> 8)]
      blocks.append(start + most >= pixels.count ? 1 : 0)
      blocks += length + length.map { ~$0 } + block
    }
    let data = [0x78, 0x01] + blocks + adler(pixels)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", header) + chunk("IDAT", data) + chunk("IEND", [])
  }

  /// A grey JPEG. <https://www.w3.org/Graphics/JPEG/itu-t81.pdf>
  public static func jpeg(width: Int, height: Int) -> [UInt8] {
    func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] { [0xFF, marker] + short(data.count + 2) + data }
    // A code of one bit for each of the two symbols that a grey block has: no difference, and its end.
    let codes = [1] + [UInt8](repeating: 0, count: 16)
    let blocks = ((width + 7) / 8) * ((height + 7) / 8)
    // Two bits a block, all 0; what is left of the last byte is filled with 1.
    var data = [UInt8](repeating: 0, count: blocks / 4)
    if blocks % 4 > 0 { data.append(0xFF >> UInt8(blocks % 4 * 2)) }
    return [0xFF, 0xD8] + segment(0xDB, [0] + [UInt8](repeating: 1, count: 64))
      + segment(0xC0, [8] + short(height) + short(width) + [1, 1, 0x11, 0])
      + segment(0xC4, [0x00] + codes) + segment(0xC4, [0x10] + codes)
      + segment(0xDA, [1, 1, 0, 0, 63, 0]) + data + [0xFF, 0xD9]
  }

  /// A PNG with EAN-13 codes below each other. <https://www.gs1.org/standards/barcodes>
  public static func barcodes(_ codes: [String]) -> [UInt8] {
    let left = [
      "0001101", "0011001", "0010011", "0111101", "0100011", "0110001", "0101111", "0111011", "0110111", "0001011",
    ]
    // Which digits of the left half are read from the right.
    let turned = [0, 11, 13, 14, 19, 25, 28, 21, 22, 26]
    let lines = codes.flatMap { code -> [[UInt8]] in
      let digits = code.utf8.map { Int($0) - 48 }
      var bars = "101"
      for (place, digit) in digits.enumerated().dropFirst() {
        if place == 7 { bars += "01010" }
        let inverted = String(left[digit].map { $0 == "0" ? "1" : "0" })
        let isTurned = turned[digits[0]] >> (6 - place) & 1 == 1
        bars += place > 6 ? inverted : isTurned ? String(inverted.reversed()) : left[digit]
      }
      let line = ("00000000000" + bars + "10100000000000").flatMap { [UInt8](repeating: $0 == "1" ? 0 : 255, count: 4) }
      let empty = [UInt8](repeating: 255, count: line.count)
      return Array(repeating: empty, count: 40) + Array(repeating: line, count: 120)
        + Array(repeating: empty, count: 40)
    }
    return png(width: lines.first?.count ?? 0, lines: lines)
  }

  private static func short(_ number: Int) -> [UInt8] { big(number).suffix(2) }

  private static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let typed = Array(type.utf8) + data
    return big(data.count) + typed + big(Int(crc(typed)))
  }

  private static func big(_ number: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    ~bytes.reduce(0xFFFF_FFFF) { crc, byte in
      (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
  }

  private static func adler(_ bytes: [UInt8]) -> [UInt8] {
    let (low, high) = bytes.reduce((1, 0)) { sums, byte in
      let low = (sums.0 + Int(byte)) % 65521
      return (low, (sums.1 + low) % 65521)
    }
    return big(high << 16 | low)
  }
}

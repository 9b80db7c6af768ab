/// Pictures that every program can show.
public enum Picture {
  /// A grey PNG. <https://www.w3.org/TR/png-3/>
  public static func png(width: Int, height: Int) -> [UInt8] {
    let header = big(width) + big(height) + [8, 0, 0, 0, 0]
    // Each line: no filter, then its pixels.
    let pixels = (0..<height).flatMap { _ in [0] + [UInt8](repeating: 0x80, count: width) }
    // zlib with one stored block: <https://www.rfc-editor.org/rfc/rfc1950>
    let length = [UInt8(pixels.count & 0xFF), UInt8(pixels.count >> 8)]
    let data = [0x78, 0x01, 0x01] + length + length.map { ~$0 } + pixels + adler(pixels)
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

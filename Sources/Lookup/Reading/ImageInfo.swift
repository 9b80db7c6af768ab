public import CatalogModel

/// The format and size of a picture, read from its bytes: JPEG, PNG, GIF or WebP. File names and `Content-Type` are
/// ignored.
public struct ImageInfo: Sendable, Hashable {
  /// `image/jpeg`, `image/png`, `image/gif` or `image/webp`.
  public var mediaType: String
  /// In pixels.
  public var width: Int
  public var height: Int

  /// Nil when the bytes do not begin like a picture.
  public init?(_ bytes: [UInt8]) {
    let found = Self.png(bytes) ?? Self.jpeg(bytes) ?? Self.gif(bytes) ?? Self.webP(bytes)
    guard let (mediaType, width, height) = found, width > 0, height > 0 else { return nil }
    (self.mediaType, self.width, self.height) = (mediaType, width, height)
  }

  private typealias Found = (mediaType: String, width: Int, height: Int)

  /// A reason why bytes are of no use as a picture.
  public enum Fault: Error, Hashable, Sendable {
    case noPicture
    /// It ends before its end.
    case cutShort
    /// It has so few pixels that nothing can be seen on it, as a source sends it that has none.
    case tiny
    /// It has more pixels than are drawn.
    case tooLarge
  }

  /// The most pixels of a picture that is decoded: 4096 × 4096 take 64 MiB.
  private static let mostPixels = 4096 * 4096
  /// The fewest pixels of a side.
  private static let leastSide = 10

  /// Whether a program may decode it without taking up all memory.
  public var isDrawable: Bool {
    max(width, height) <= 1 << 16
      && width.multipliedReportingOverflow(by: height).partialValue <= Self.mostPixels
  }

  /// Describes a picture that can be kept: a whole one, on which something can be seen.
  public static func whole(_ bytes: [UInt8]) throws(Fault) -> ImageInfo {
    guard let info = ImageInfo(bytes) else { throw .noPicture }
    guard min(info.width, info.height) >= leastSide else { throw .tiny }
    guard info.isDrawable else { throw .tooLarge }
    let isWhole =
      switch info.mediaType {
      case "image/png": hasEndOfPNG(bytes)
      case "image/gif": hasEndOfGIF(bytes)
      case "image/webp": hasEndOfWebP(bytes)
      default: hasEndOfJPEG(bytes)
      }
    guard isWhole else { throw .cutShort }
    return info
  }

  // MARK: The beginning

  /// <https://www.w3.org/TR/png-3/#11IHDR>
  private static func png(_ bytes: [UInt8]) -> Found? {
    guard bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]), bytes.has("IHDR", at: 12),
      let width = bytes.big(4, at: 16), let height = bytes.big(4, at: 20)
    else { return nil }
    return ("image/png", width, height)
  }

  /// <https://www.w3.org/Graphics/GIF/spec-gif89a.txt>
  private static func gif(_ bytes: [UInt8]) -> Found? {
    guard bytes.has("GIF87a", at: 0) || bytes.has("GIF89a", at: 0),
      let width = bytes.little(2, at: 6), let height = bytes.little(2, at: 8)
    else { return nil }
    return ("image/gif", width, height)
  }

  /// <https://developers.google.com/speed/webp/docs/riff_container>
  private static func webP(_ bytes: [UInt8]) -> Found? {
    guard bytes.has("RIFF", at: 0), bytes.has("WEBP", at: 8) else { return nil }
    if bytes.has("VP8 ", at: 12), bytes.big(3, at: 23) == 0x9D012A,
      let width = bytes.little(2, at: 26), let height = bytes.little(2, at: 28)
    {
      return ("image/webp", width & 0x3FFF, height & 0x3FFF)
    }
    if bytes.has("VP8L", at: 12), bytes.little(1, at: 20) == 0x2F, let packed = bytes.little(4, at: 21) {
      return ("image/webp", packed & 0x3FFF + 1, packed >> 14 & 0x3FFF + 1)
    }
    if bytes.has("VP8X", at: 12), let width = bytes.little(3, at: 24), let height = bytes.little(3, at: 27) {
      return ("image/webp", width + 1, height + 1)
    }
    return nil
  }

  /// <https://www.w3.org/Graphics/JPEG/itu-t81.pdf>, B.2.2
  private static func jpeg(_ bytes: [UInt8]) -> Found? {
    var found: Found?
    forEachSegment(ofJPEG: bytes) { marker, offset in
      switch marker {
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard let height = bytes.big(2, at: offset + 5), let width = bytes.big(2, at: offset + 7) else { return false }
        found = ("image/jpeg", width, height)
        return false
      case 0xD9, 0xDA: return false
      default: return true
      }
    }
    return found
  }

  // MARK: The end

  private static func hasEndOfPNG(_ bytes: [UInt8]) -> Bool {
    var (offset, hasPixels) = (8, false)
    while let length = bytes.big(4, at: offset), offset + 12 + length <= bytes.count {
      if bytes.has("IEND", at: offset + 4) { return hasPixels }
      if length > 0, bytes.has("IDAT", at: offset + 4) { hasPixels = true }
      offset += 12 + length
    }
    return false
  }

  private static func hasEndOfGIF(_ bytes: [UInt8]) -> Bool {
    /// The size of the table of colours that these flags announce.
    func table(_ flags: Int) -> Int { flags & 0x80 == 0 ? 0 : 3 << (flags & 7 + 1) }
    guard let flags = bytes.little(1, at: 10) else { return false }
    var (offset, hasPixels) = (13 + table(flags), false)
    while let block = bytes.little(1, at: offset) {
      switch block {
      case 0x21: offset += 2
      case 0x2C:
        guard let flags = bytes.little(1, at: offset + 9) else { return false }
        offset += 11 + table(flags)
        hasPixels = true
      default: return block == 0x3B && hasPixels
      }
      while let length = bytes.little(1, at: offset), length > 0 { offset += 1 + length }
      offset += 1
    }
    return false
  }

  private static func hasEndOfWebP(_ bytes: [UInt8]) -> Bool {
    guard let size = bytes.little(4, at: 4), size + 8 <= bytes.count else { return false }
    var offset = 12
    while let length = bytes.little(4, at: offset + 4), offset + 8 + length <= size + 8 {
      if ["VP8 ", "VP8L", "ANMF"].contains(where: { bytes.has($0, at: offset) }) { return length > 0 }
      offset += 8 + length + length % 2
    }
    return false
  }

  private static func hasEndOfJPEG(_ bytes: [UInt8]) -> Bool {
    var (hasPixels, isWhole) = (false, false)
    forEachSegment(ofJPEG: bytes) { marker, _ in
      if marker == 0xDA { hasPixels = true }
      isWhole = marker == 0xD9 && hasPixels
      return marker != 0xD9
    }
    return isWhole
  }

  /// Calls `body` with the marker and the place of each segment, until it returns false.
  /// <https://www.w3.org/Graphics/JPEG/itu-t81.pdf>, B.1
  private static func forEachSegment(ofJPEG bytes: [UInt8], _ body: (_ marker: Int, _ offset: Int) -> Bool) {
    guard bytes.big(3, at: 0) == 0xFFD8FF else { return }
    var offset = 2
    while let prefix = bytes.big(1, at: offset), prefix == 0xFF, let marker = bytes.big(1, at: offset + 1) {
      switch marker {
      case 0xFF:
        // A byte of padding.
        offset += 1
      case 0x01, 0xD0...0xD8: offset += 2
      default:
        guard body(marker, offset), let length = bytes.big(2, at: offset + 2), length >= 2 else { return }
        offset += 2 + length
        // Behind the head of a scan come its pixels, up to the next marker.
        while marker == 0xDA, let place = bytes[min(offset, bytes.count)...].firstIndex(of: 0xFF) {
          offset = place
          guard let next = bytes.big(1, at: place + 1), next == 0 || (0xD0...0xD7).contains(next) else { break }
          offset += 2
        }
      }
    }
  }
}

extension [UInt8] {
  fileprivate func has(_ text: StaticString, at offset: Int) -> Bool {
    text.withUTF8Buffer { dropFirst(offset).starts(with: $0) }
  }

  fileprivate func big(_ count: Int, at offset: Int) -> Int? {
    guard offset + count <= self.count else { return nil }
    return self[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
  }

  fileprivate func little(_ count: Int, at offset: Int) -> Int? {
    guard offset + count <= self.count else { return nil }
    return self[offset..<offset + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}

extension Cover {
  /// A picture of a source or a person, if it is whole.
  public init(image bytes: [UInt8], sourceURL: String? = nil, etag: String? = nil) throws(ImageInfo.Fault) {
    let info = try ImageInfo.whole(bytes)
    self.init(
      bytes: bytes, mediaType: info.mediaType, width: info.width, height: info.height, sourceURL: sourceURL, etag: etag)
  }
}

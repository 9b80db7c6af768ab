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

  /// Goes from segment to segment until the one that begins a frame. <https://www.w3.org/Graphics/JPEG/itu-t81.pdf>,
  /// B.1
  private static func jpeg(_ bytes: [UInt8]) -> Found? {
    guard bytes.big(3, at: 0) == 0xFFD8FF else { return nil }
    var offset = 2
    while let prefix = bytes.big(1, at: offset), prefix == 0xFF, let marker = bytes.big(1, at: offset + 1) {
      switch marker {
      case 0xFF:
        // A byte of padding.
        offset += 1
      case 0x01, 0xD0...0xD8:
        offset += 2
      case 0xC0...0xC3, 0xC5...0xC7, 0xC9...0xCB, 0xCD...0xCF:
        guard let height = bytes.big(2, at: offset + 5), let width = bytes.big(2, at: offset + 7) else { return nil }
        return ("image/jpeg", width, height)
      case 0xD9, 0xDA:
        return nil
      default:
        guard let length = bytes.big(2, at: offset + 2), length >= 2 else { return nil }
        offset += 2 + length
      }
    }
    return nil
  }
}

extension [UInt8] {
  fileprivate func has(_ text: StaticString, at offset: Int) -> Bool {
    dropFirst(offset).starts(with: text.description.utf8)
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
  /// A picture from a source. Nil when the bytes are not a picture but, for example, an error page.
  public init?(image bytes: [UInt8], sourceURL: String? = nil, etag: String? = nil) {
    guard let info = ImageInfo(bytes) else { return nil }
    self.init(
      bytes: bytes, mediaType: info.mediaType, width: info.width, height: info.height, sourceURL: sourceURL, etag: etag)
  }
}

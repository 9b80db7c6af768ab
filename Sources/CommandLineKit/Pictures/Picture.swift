/// A picture that a page or a poster has in it: JPEG, PNG, GIF or WebP.
public struct Picture: Hashable, Sendable {
  public var bytes: [UInt8]
  /// `image/jpeg`, …
  public var mediaType: String
  /// In pixels.
  public var width: Int
  public var height: Int
  /// The description for screen readers.
  public var label: String

  public init(bytes: [UInt8], mediaType: String, width: Int, height: Int, label: String) {
    (self.bytes, self.mediaType) = (bytes, mediaType)
    (self.width, self.height, self.label) = (width, height, label)
  }

  /// Width divided by height. Extremely wide or high pictures are cropped.
  var aspect: Double {
    guard width > 0, height > 0 else { return 1 }
    return min(max(Double(width) / Double(height), 0.5), 1.8)
  }

  /// The picture as a `data:` address.
  var address: String { "data:\(mediaType);base64," + bytes.base64 }
}

extension [UInt8] {
  /// <https://www.rfc-editor.org/rfc/rfc4648#section-4>
  public var base64: String {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    return String(unsafeUninitializedCapacity: (count + 2) / 3 * 4) { buffer in
      var written = 0
      for start in stride(from: 0, to: count, by: 3) {
        let three = self[start..<Swift.min(start + 3, count)]
        var bits = 0
        for byte in three { bits = bits << 8 | Int(byte) }
        bits <<= 8 * (3 - three.count)
        for place in 0..<4 {
          buffer[written] = place > three.count ? UInt8(ascii: "=") : letters[bits >> (18 - 6 * place) & 63]
          written += 1
        }
      }
      return written
    }
  }
}

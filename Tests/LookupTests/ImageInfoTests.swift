import CatalogModel
import Foundation
import Lookup
import TestSupport
import Testing

struct ImageInfoTests {
  /// The first bytes of pictures, as encoders write them.
  static let pictures: [(name: String, bytes: [UInt8], mediaType: String, width: Int, height: Int)] = [
    (
      "PNG", [0x89] + bytes("PNG\r\n\u{1a}\n") + [0, 0, 0, 13] + bytes("IHDR") + [0, 0, 1, 0x2C, 0, 0, 0, 200, 8, 2],
      "image/png", 300, 200
    ),
    ("GIF", bytes("GIF89a") + [0x2C, 1, 200, 0, 0], "image/gif", 300, 200),
    (
      "JPEG with an application segment",
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + bytes("JFIF\0") + [1, 1, 0, 0, 1, 0, 1, 0, 0] + [0xFF, 0xFF, 0xDB, 0, 4, 1, 2]
        + [0xFF, 0xC2, 0, 17, 8, 0, 200, 1, 0x2C, 3], "image/jpeg", 300, 200
    ),
    ("WebP, lossy", base64("UklGRiIAAABXRUJQVlA4IBYAAAAwAQCdASoBAAEADsD+JaQAA3AAAAAA"), "image/webp", 1, 1),
    ("WebP, lossless", base64("UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="), "image/webp", 1, 1),
    (
      "WebP, lossless and larger", bytes("RIFF\0\0\0\0WEBPVP8L\0\0\0\0") + [0x2F, 0x2B, 0xC1, 0x31, 0x00], "image/webp",
      300,
      200
    ),
    (
      "WebP, extended", bytes("RIFF\0\0\0\0WEBPVP8X\0\0\0\0") + [0, 0, 0, 0, 0x2B, 1, 0, 199, 0, 0], "image/webp", 300,
      200
    ),
  ]

  static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }
  static func base64(_ text: String) -> [UInt8] { Data(base64Encoded: text).map { Array($0) } ?? [] }

  @Test func `image data reveals its media type and size`() {
    for picture in Self.pictures {
      let info = ImageInfo(picture.bytes)
      #expect(info?.mediaType == picture.mediaType, "\(picture.name)")
      #expect(info?.width == picture.width, "\(picture.name)")
      #expect(info?.height == picture.height, "\(picture.name)")
    }
  }

  @Test(arguments: [
    "", "<!DOCTYPE html><html></html>", "{\"error\":404}", "<svg xmlns='http://www.w3.org/2000/svg'/>", "GIF89",
    "GIF90a....",
    "RIFF....WAVEfmt ", "\u{89}PNG",
  ])
  func `data that is no image is refused`(_ text: String) {
    #expect(ImageInfo(Array(text.utf8)) == nil)
    #expect(throws: ImageInfo.Fault.noPicture) { try Cover(image: Array(text.utf8)) }
  }

  @Test func `an image without a size is refused`() {
    #expect(ImageInfo(Self.bytes("GIF89a") + [0, 0, 200, 0]) == nil)
    #expect(ImageInfo([0xFF, 0xD8, 0xFF, 0xD9]) == nil)
    #expect(ImageInfo([0xFF, 0xD8, 0xFF, 0xE0, 0, 0, 0xFF, 0xC0]) == nil)
  }

  /// Whole pictures of 20 × 12 pixels, as encoders write them.
  static let whole: [(name: String, bytes: [UInt8])] = [
    ("PNG", Picture.png(width: 20, height: 12)), ("JPEG", Picture.jpeg(width: 20, height: 12)),
    (
      "GIF of several pictures with words",
      bytes("GIF89a") + [20, 0, 12, 0, 0x80, 0, 0, 0, 0, 0, 255, 255, 255, 0x21, 0xFE, 2, 65, 66, 0, 0x21, 0xF9, 4]
        + [1, 0, 0, 0, 0, 0x2C, 0, 0, 0, 0, 20, 0, 12, 0, 0, 2, 2, 0x44, 1, 0, 0x3B]
    ),
    (
      "WebP, lossless",
      bytes("RIFF") + [22, 0, 0, 0] + bytes("WEBPVP8L") + [9, 0, 0, 0, 0x2F, 0x13, 0xC0, 0x02, 0, 1, 2, 3, 4, 0]
    ),
    ("JPEG with a mark in its pixels", jpeg([1, 0xFF, 0, 2, 0xFF, 0xD0, 3])),
    // Cameras put a whole small picture into a segment.
    ("JPEG with a small one", jpeg([5], more: [0xFF, 0xE1, 0, 8, 0xFF, 0xD8, 0xFF, 0xD9, 0, 0])),
  ]

  /// A JPEG of 20 × 12 with these bytes as its pixels.
  private static func jpeg(_ pixels: [UInt8], more: [UInt8] = []) -> [UInt8] {
    [0xFF, 0xD8] + more + [0xFF, 0xC0, 0, 11, 8, 0, 12, 0, 20, 1, 1, 0x11, 0, 0xFF, 0xDA, 0, 8, 1, 1, 0, 0, 63, 0]
      + pixels + [0xFF, 0xD9]
  }

  @Test(arguments: whole.indices)
  func `a whole picture is kept, and every beginning of it refused`(_ place: Int) throws {
    let (name, bytes) = Self.whole[place]
    let info = try ImageInfo.whole(bytes)
    #expect(info.width == 20 && info.height == 12, "\(name)")
    // Some programs append words of their own.
    #expect(try ImageInfo.whole(bytes + [0, 1, 2]) == info, "\(name)")
    for count in bytes.indices {
      let beginning = Array(bytes.prefix(count))
      #expect(throws: ImageInfo.Fault.self, "\(name), \(count) bytes") { try ImageInfo.whole(beginning) }
    }
  }

  @Test func `pictures without anything to see, or with more than is drawn, are no covers`() {
    for (width, height) in [(1, 1), (2, 2), (9, 300), (300, 1)] {
      #expect(throws: ImageInfo.Fault.tiny) { try ImageInfo.whole(Picture.png(width: width, height: height)) }
      #expect(throws: ImageInfo.Fault.tiny) { try ImageInfo.whole(Picture.jpeg(width: width, height: height)) }
    }
    var large = Self.whole[0].bytes
    large.replaceSubrange(16..<24, with: [0, 0, 0x4E, 0x20, 0, 0, 0x4E, 0x20])
    #expect(throws: ImageInfo.Fault.tooLarge) { try ImageInfo.whole(large) }
    #expect(throws: ImageInfo.Fault.cutShort) { try ImageInfo.whole(Array(Self.whole[0].bytes.prefix(33))) }
  }

  @Test func `a cover has the media type and size of its image`() throws {
    let gif = Self.whole[2].bytes
    #expect(
      try Cover(image: gif, sourceURL: "https://a/b.jpg", etag: "\"1\"")
        == Cover(
          bytes: gif, mediaType: "image/gif", width: 20, height: 12, sourceURL: "https://a/b.jpg", etag: "\"1\""))
  }

  @Test func `truncated or corrupted image data never crashes the parser`() {
    var random = SplitMix(seed: 11)
    for picture in Self.pictures + Self.whole.map({ ($0.name, $0.bytes, "", 20, 12) }) {
      let whole = ImageInfo(picture.bytes)
      for count in 0..<picture.bytes.count {
        // A size is read whole or not at all.
        if let info = ImageInfo(Array(picture.bytes.prefix(count))) { #expect(info == whole, "\(count) bytes") }
      }
      for _ in 0..<3_000 {
        var bytes = picture.bytes + (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
        for _ in 0..<4 { bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random) }
        if let info = ImageInfo(bytes) { #expect(info.width > 0 && info.height > 0) }
        _ = try? ImageInfo.whole(bytes)
      }
    }
  }
}

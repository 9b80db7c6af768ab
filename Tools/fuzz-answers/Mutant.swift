import Lookup
import TestSupport

/// A damaged answer. The same seed and number make the same mutant of the same recordings.
struct Mutant: Sendable {
  var number: Int
  var recording: Recording
  /// The output of curl besides the body: status, headers, redirect address.
  var head: [UInt8]
  var body: [UInt8]
  /// A damaged picture.
  var picture: [UInt8]
  /// Whether it answers every request, not only those of its recording.
  var isEverywhere: Bool
  /// The requested page and its size.
  var page: Int
  var pageSize: Int

  /// - Parameter isHeavy: whether the mutant is valid and only very large.
  init(_ number: Int, of recordings: [Recording], seed: UInt64, mostBytes: Int = 1 << 20, isHeavy: Bool = false) {
    // A seed far from those of the neighboring mutants.
    var random = SplitMix(seed: seed ^ (UInt64(truncatingIfNeeded: number) &* 0xBF58_476D_1CE4_E5B9))
    let recording = recordings[number % recordings.count]
    (self.number, self.recording) = (number, recording)
    let response = recording.response
    let status = "\(response.status)"
    let headers = response.headers.isEmpty ? Self.usualHeaders : response.headers.map { ($0.name, $0.value) }
    head = Mutation.head(status, headers)
    body = response.body
    if isHeavy {
      body = Mutation.heavy(body, recording.values, limit: mostBytes, using: &random)
      (picture, isEverywhere) = ([], recording.routes.isEmpty || Bool.random(using: &random))
      (page, pageSize) = (1, 20)
      return
    }
    let way = Int.random(in: 0..<8, using: &random)
    if way == 0 || body.isEmpty { head = Mutation.changedHead(status, headers, using: &random) }
    if way > 2, let map = recording.values { body = Mutation.changed(body, map, limit: mostBytes, using: &random) }
    if way < 5 || recording.values == nil { body = Mutation.damaged(body, using: &random) }
    picture = Mutation.damaged(Self.pictures.randomElement(using: &random) ?? [], using: &random)
    isEverywhere = recording.routes.isEmpty || Int.random(in: 0..<4, using: &random) == 0
    page = [1, 1, 1, 2, 500, 501, .max].randomElement(using: &random) ?? 1
    pageSize = [1, 20, 20, 100, 200, .max].randomElement(using: &random) ?? 20
  }

  private static let usualHeaders = [
    ("content-type", "application/json; charset=utf-8"), ("cache-control", "public, max-age=3600"), ("age", "60"),
    ("date", "Sun, 06 Nov 1994 08:49:37 GMT"), ("expires", "Mon, 07 Nov 1994 08:49:37 GMT"), ("etag", "\"0195512d\""),
    ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT"), ("retry-after", "3"), ("x-ratelimit-limit", "40"),
    ("x-ratelimit-remaining", "39"), ("link", "<https://api.example/?page=2>; rel=\"next\""),
  ]

  /// The beginnings of pictures.
  private static let pictures: [[UInt8]] = [
    [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8) + [
      0, 0, 2, 88, 0, 0, 2, 88, 8, 2,
    ],
    Array("GIF89a".utf8) + [88, 2, 88, 2, 0xF7, 0, 0],
    Array("RIFF....WEBPVP8 ....".utf8) + [0, 0, 0, 0x9D, 0x01, 0x2A, 88, 2, 88, 2],
    Array("RIFF....WEBPVP8L....".utf8) + [0x2F, 0x57, 0xC2, 0x95, 0],
    Array("RIFF....WEBPVP8X....".utf8) + [0, 0, 0, 0, 0x57, 2, 0, 0x57, 2, 0],
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 16] + Array("JFIF".utf8) + [0, 1, 1, 0, 0, 1, 0, 1, 0, 0]
      + [0xFF, 0xFF, 0xDB, 0, 4, 0, 0, 0xFF, 0xC2, 0, 17, 8, 2, 88, 2, 88, 3, 1, 0x22, 0, 0xFF, 0xDA],
  ]
}

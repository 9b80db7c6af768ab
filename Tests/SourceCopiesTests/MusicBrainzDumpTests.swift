import CatalogModel
import Foundation
import Lookup
import TestSupport
import Testing

@testable import SourceCopies

struct MusicBrainzDumpTests {
  private static let group = "8e8a594f-2175-38c7-a871-abb68ec363e7"
  private static let releases = ["70130d47-2145-4e61-972e-49d3d21a087e", "70130d47-2145-4e61-972e-49d3d21a087f"]
  static let tables = [
    "mbdump/artist_credit": table([["7", "Miles Davis", "1"], ["8", "Tab\\tand \\\\ slash", "1"]]),
    "mbdump/iso_3166_1": table([["222", "US"]]),
    "mbdump/label": table([["3", group, "Columbia"]]),
    "mbdump/medium": table([["1", "21", "1", "9", "\\N"], ["2", "22", "1", "1", "\\N"]]),
    "mbdump/medium_format": table([["1", "CD"], ["9", "12\" Vinyl"]]),
    "mbdump/release": table([
      ["21", releases[0], "Kind of Blue", "7", "11", "1", "\\N", "\\N", "\\N", "074644057911", "", "0"],
      ["22", releases[1], "Kind of Blue", "7", "11", "1", "\\N", "\\N", "\\N", "\\N", "", "0"],
    ]),
    "mbdump/release_country": table([["21", "222", "1959", "8", "17"], ["22", "222", "1958", "\\N", "\\N"]]),
    "mbdump/release_group": table([
      ["11", group, "Kind of Blue", "7", "1"], ["12", releases[0], "Nothing", "8", "1"], ["x", "y", "z", "1", "1"],
    ]),
    "mbdump/release_label": table([["1", "21", "3", "CL 1355", "\\N"]]),
    "mbdump/track": table([["1", "2"]]),
  ]

  static func made(_ members: [String: String] = tables, schema: String = "30") throws -> MadeDump {
    let made = try MadeDump(.musicBrainz, [:])
    let files = [("SCHEMA_SEQUENCE", schema + "\n")] + members.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    let bytes = files.flatMap { TarMember.bytes(name: $0.0, content: Array($0.1.utf8)) }
    try Data(bytes + [UInt8](repeating: 0, count: 1_024)).write(to: made.folder.url.appending(path: "dump/mbdump.tar"))
    return made
  }

  @Test func `albums have the facts of the tables that belong to their pressings`() throws {
    let copy = try Self.made().copy()
    #expect(copy.about.titles == 2)
    #expect(copy.about.editions == 1)
    #expect(copy.about.leftOut[.damaged] == 1)
    let album = try #require(try copy.search(Search(words: "miles kind", kind: .vinyl)).candidates.first)
    #expect(album.id == ExternalID(source: "musicbrainz", value: "release-group/\(Self.group)"))
    #expect(album.record.year == 1958)
    #expect(album.record.creators == ["Miles Davis"])
    let pressing = try #require(try copy.lookUp(.barcode(try Barcode("0074644057911")), as: .vinyl).first)
    #expect(pressing.id == ExternalID(source: "musicbrainz", value: Self.releases[0]))
    #expect(pressing.record.vinyl.label == "Columbia")
    #expect(pressing.record.vinyl.catalogNumber == "CL 1355")
    #expect(pressing.record.vinyl.country == "US")
    #expect(pressing.record.vinyl.format == "12\" Vinyl")
    #expect(pressing.record.url == "https://musicbrainz.org/release/\(Self.releases[0])")
    #expect(try copy.record(ExternalID(source: "musicbrainz", value: Self.releases[0]))?.title == "Kind of Blue")
    #expect(
      try copy.search(Search(words: "nothing", kind: .music)).candidates.first?.record.creators == [
        "Tab and \\ slash"
      ])
  }

  @Test func `pressings on other media are kept when music is wanted`() throws {
    let copy = try Self.made().copy(SourceCopyOptions(kinds: [.vinyl, .music]))
    #expect(copy.about.editions == 2)
    #expect(try copy.record(ExternalID(source: "musicbrainz", value: Self.releases[1]))?.title == "Kind of Blue")
  }

  @Test func `a dump of an unknown schema is refused`() throws {
    #expect(throws: DumpProblem.self) { try Self.made(schema: "99").copy() }
  }

  @Test func `a dump without a table that is needed is refused`() throws {
    #expect(throws: DumpProblem.self) { try Self.made(Self.tables.filter { $0.key != "mbdump/release" }).copy() }
  }

  @Test func `an archive that is cut off or damaged is refused, and of a packed one all is read`() throws {
    let made = try Self.made()
    let path = made.folder.path("dump/mbdump.tar")
    let bytes = try Data(contentsOf: URL(filePath: path))
    for count in [600, 5_000, bytes.count - 1_500] {
      try bytes.prefix(count).write(to: URL(filePath: path))
      #expect(throws: DumpProblem.self, "cut at byte \(count)") { try made.copy() }
    }
    var damaged = bytes
    damaged[700] ^= 1
    damaged[1_100] ^= 1
    try damaged.write(to: URL(filePath: path))
    #expect(throws: DumpProblem.self) { try made.copy() }
    try bytes.write(to: URL(filePath: path))
    let bzip2 = Process()
    bzip2.executableURL = URL(filePath: "/usr/bin/env")
    bzip2.arguments = ["bzip2", path]
    try bzip2.run()
    bzip2.waitUntilExit()
    #expect(try made.copy().about.titles == 2)
    try Data(contentsOf: URL(filePath: path + ".bz2")).dropLast(40).write(to: URL(filePath: path + ".bz2"))
    #expect(throws: DumpProblem.self) { try made.copy() }
  }
}

/// A file in a tar archive.
enum TarMember {
  static func bytes(name: String, content: [UInt8], type: UInt8 = UInt8(ascii: "0")) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 512)
    func put(_ text: String, _ place: Int) { header.replaceSubrange(place..<place + text.utf8.count, with: text.utf8) }
    put(String(name.prefix(100)), 0)
    put("0000644\0", 100)
    let size = String(content.count, radix: 8)
    put(String(repeating: "0", count: 11 - size.count) + size, 124)
    header[156] = type
    put("ustar\0" + "00", 257)
    put("        ", 148)
    let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
    put(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", 148)
    return header + content + [UInt8](repeating: 0, count: (512 - content.count % 512) % 512)
  }
}

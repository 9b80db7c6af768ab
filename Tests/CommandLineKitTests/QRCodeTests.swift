import TestSupport
import Testing

@testable import CommandLineKit

struct QRCodeTests {
  /// As the program qrencode draws it (`qrencode -8 -l L -m 0 -t ASCII`).
  private static let drawn = """
    #######...#.#.#....#..#######
    #.....#.#.#..####...#.#.....#
    #.###.#.....#.#....##.#.###.#
    #.###.#.###.#.#..##.#.#.###.#
    #.###.#..#....###..#..#.###.#
    #.....#.##.##..##.#...#.....#
    #######.#.#.#.#.#.#.#.#######
    .........###..###.#..........
    #####.####.#..#.######.#.#.#.
    #..###..#.#.#....###..#.#...#
    #.#...###.#..#####.....##....
    ##...#.##...#..##..#.##.#..#.
    ....#.#..##.##.#.#.###.#.##..
    ###..#...#...#..#..#..#.#.#.#
    ###.###..####.##..#.###...#..
    ...#.#.#.###..###.##.#.#...#.
    ###.#.##.#.#.#.#.#..##....#..
    #.####.#..#.#.#.#.##.##.###.#
    #...###..##..#.##.#...#..##..
    #.###..#..#.#...#..#.##.#..#.
    #.###.##.##.#.#..#..#####.###
    ........#.#..#..#####...#####
    #######.#####.###.###.#.###..
    #.....#...##..#.....#...#..#.
    #.###.#.#.####.#.#..#######.#
    #.###.#.#.#.###.#...##.#...##
    #.###.#.###.#..######.#.##.#.
    #.....#.###.#.#.#.#.##.##..#.
    #######.####..#.###......##..
    """

  @Test func `a code is the same as that of another program`() throws {
    let lines = Self.drawn.split(separator: "\n", omittingEmptySubsequences: false)
    let code = try #require(QRCode("http://192.168.1.23:8750/pair?code=K7QF-2M9X", mask: 2))
    #expect(code.side == 29)
    #expect((0..<29).map { y in String((0..<29).map { code.isDark($0, y) ? "#" : "." }) } == lines.map(String.init))
  }

  // The versions hold 17, 32, 53, 78 and 106 bytes.
  @Test(arguments: [(0, 21), (17, 21), (18, 25), (32, 25), (33, 29), (53, 29), (54, 33), (78, 33), (79, 37), (106, 37)])
  func `a code is as large as its text needs`(_ count: Int, _ side: Int) throws {
    #expect(try #require(QRCode(String(repeating: "a", count: count))).side == side)
  }

  @Test func `a text that is too long has no code`() {
    #expect(QRCode(String(repeating: "a", count: 107)) == nil)
    #expect(QRCode(String(repeating: "가", count: 36)) == nil)
  }

  /// The example of ISO/IEC 18004, annex I.
  @Test func `the correction is that of the standard`() {
    let data: [UInt8] = [16, 32, 12, 86, 97, 128, 236, 17, 236, 17, 236, 17, 236, 17, 236, 17]
    #expect(QRCode.correction(of: data, count: 10) == [165, 36, 212, 193, 237, 54, 199, 135, 44, 85])
  }

  @Test func `half blocks show two lines of modules with a light border`() throws {
    let code = try #require(QRCode("a"))
    let lines = code.halfBlocks
    #expect(lines.count == 15)
    #expect(lines.allSatisfy { $0.count == 29 })
    for y in -4..<25 {
      for x in -4..<25 {
        let block = Array(lines[(y + 4) / 2])[x + 4]
        let isLight = block == "█" || block == ((y + 4).isMultiple(of: 2) ? "▀" : "▄")
        #expect(isLight != code.isDark(x, y), "\(x) \(y)")
      }
    }
  }
}

import Foundation
import TestSupport
import Testing

@testable import CommandLineKit

struct ChartTests {
  private func text(_ terminal: Terminal) throws -> String {
    let output = Output.memory()
    for chart in Samples.all {
      try chart.write(to: output, terminal: terminal)
      try output.append("\n")
    }
    return output.text
  }

  @Test func `charts are drawn in 60 cells`() throws {
    let shown = try text(Terminal(width: 60))
    #expect(
      shown == """
        Items by genre
        Music                     83.3 %  ██████████████████████████
          Jazz                    50.0 %  ███████████████▋
            Hard Bop               1.2 %  ▍
        Fiction                   33.3 %  ██████████▍
          Historical Fiction an…  12.5 %  ███▉
          대하소설                25.0 %  ███████▊
        Nothing                    0.0 %
        An item may have several genres, so shares add up to more
        than 100 %.

        Genres by decade
                          <80s    80s    90s    00s    10s    20s
        Jazz             ░░ 13  ▓▓ 10  ░░  4  ░░  4  ▓▓ 10  ▓▓  9
        Rock             ▒▒ 54  ░░  4  ▓▓ 11  ▓▓ 11  ░░  4  ░░  3
        Science Fiction  ░░ 17  ▓▓ 11  ░░  5  ░░  5  ▓▓ 11  ▓▓ 10
        대하소설         ▓▓ 57  ░░  5                ░░  5  ░░  4
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by creator
                             A     B     C     D     E     F
        Jazz             ▓▓ 12     ·     ·  ▓▓ 7     ·     ·
        Science Fiction      ·  ░░ 2  ▓▓ 9     ·     ·  ▓▓ 4
        A Miles Davis   B 봉준호   C Ursula K. Le Guin
        D John Coltrane   E 한강   F Stanley Kubrick
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by year added
        Jazz      ·· ▁▁ ▁▁ ▂▂ ▂▂ ▃▃ ▄▄ ▄▄ ▅▅ ▅▅ ▆▆ ▆▆ ▇▇
        대하소설  ·· ▁▁ ▁▁    ·· ▁▁ ▁▁ ▁▁ ·· ▁▁ ▁▁ ▁▁ ··
                  2014  2016  2018  2020  2022  2024
        tallest: 48 % (Jazz, 2026)


        """)
  }

  @Test func `charts are drawn in 80 cells`() throws {
    let shown = try text(Terminal(width: 80))
    #expect(
      shown == """
        Items by genre
        Music                               83.3 %  ████████████████████████████████████
          Jazz                              50.0 %  █████████████████████▋
            Hard Bop                         1.2 %  ▌
        Fiction                             33.3 %  ██████████████▍
          Historical Fiction and everythi…  12.5 %  █████▍
          대하소설                          25.0 %  ██████████▊
        Nothing                              0.0 %
        An item may have several genres, so shares add up to more than 100 %.

        Genres by decade
                          <50s   50s    60s    70s    80s    90s    00s    10s    20s
        Jazz             ░░  3        ░░  1  ▓▓  9  ▓▓ 10  ░░  4  ░░  4  ▓▓ 10  ▓▓  9
        Rock             ▓▓ 37  ░░ 6  ░░  8  ░░  3  ░░  4  ▓▓ 11  ▓▓ 11  ░░  4  ░░  3
        Science Fiction  ░░  5     ·  ░░  2  ▓▓ 10  ▓▓ 11  ░░  5  ░░  5  ▓▓ 11  ▓▓ 10
        대하소설         ░░ 19  ▓▓ 7  ██ 27  ░░  4  ░░  5                ░░  5  ░░  4
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by creator
                             A     B     C     D     E     F
        Jazz             ▓▓ 12     ·     ·  ▓▓ 7     ·     ·
        Science Fiction      ·  ░░ 2  ▓▓ 9     ·     ·  ▓▓ 4
        A Miles Davis   B 봉준호   C Ursula K. Le Guin   D John Coltrane   E 한강
        F Stanley Kubrick
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by year added
        Jazz      ···· ▁▁▁▁ ▁▁▁▁ ▂▂▂▂ ▂▂▂▂ ▃▃▃▃ ▄▄▄▄ ▄▄▄▄ ▅▅▅▅ ▅▅▅▅ ▆▆▆▆ ▆▆▆▆ ▇▇▇▇
        대하소설  ···· ▁▁▁▁ ▁▁▁▁      ···· ▁▁▁▁ ▁▁▁▁ ▁▁▁▁ ···· ▁▁▁▁ ▁▁▁▁ ▁▁▁▁ ····
                  2014 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026
        tallest: 48 % (Jazz, 2026)


        """)
  }

  @Test func `charts are drawn in 120 cells`() throws {
    let shown = try text(Terminal(width: 120))
    #expect(
      shown == """
        Items by genre
        Music                                                   83.3 %  ████████████████████████████████████████
          Jazz                                                  50.0 %  ████████████████████████
            Hard Bop                                             1.2 %  ▋
        Fiction                                                 33.3 %  ████████████████
          Historical Fiction and everything that looks a litt…  12.5 %  ██████
          대하소설                                              25.0 %  ████████████
        Nothing                                                  0.0 %
        An item may have several genres, so shares add up to more than 100 %.

        Genres by decade
                         1930s  1940s  1950s  1960s  1970s  1980s  1990s  2000s  2010s  2020s
        Jazz                 ·  ░░  3         ░░  1  ▓▓  9  ▓▓ 10  ░░  4  ░░  4  ▓▓ 10  ▓▓  9
        Rock              ░░ 7  ▓▓ 30   ░░ 6  ░░  8  ░░  3  ░░  4  ▓▓ 11  ▓▓ 11  ░░  4  ░░  3
        Science Fiction   ░░ 1  ░░  4      ·  ░░  2  ▓▓ 10  ▓▓ 11  ░░  5  ░░  5  ▓▓ 11  ▓▓ 10
        대하소설          ▓▓ 8  ░░ 11   ▓▓ 7  ██ 27  ░░  4  ░░  5                ░░  5  ░░  4
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by creator
                         Miles Davis  봉준호  Ursula K. Le Guin  John Coltrane  한강  Stanley Kubrick
        Jazz                   ▓▓ 12       ·                  ·           ▓▓ 7     ·                ·
        Science Fiction            ·    ░░ 2               ▓▓ 9              ·     ·             ▓▓ 4
        ░ may be chance ▒ more ▓ 1.5 times █ 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by year added
        Jazz      ···· ▁▁▁▁ ▁▁▁▁ ▂▂▂▂ ▂▂▂▂ ▃▃▃▃ ▄▄▄▄ ▄▄▄▄ ▅▅▅▅ ▅▅▅▅ ▆▆▆▆ ▆▆▆▆ ▇▇▇▇
        대하소설  ···· ▁▁▁▁ ▁▁▁▁      ···· ▁▁▁▁ ▁▁▁▁ ▁▁▁▁ ···· ▁▁▁▁ ▁▁▁▁ ▁▁▁▁ ····
                  2014 2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026
        tallest: 48 % (Jazz, 2026)


        """)
  }

  @Test func `charts are drawn in 60 cells without Unicode`() throws {
    let shown = try text(Terminal(width: 60, usesUnicode: false))
    #expect(
      shown == """
        Items by genre
        Music                     83.3 %  ##########################
          Jazz                    50.0 %  ################
            Hard Bop               1.2 %  #
        Fiction                   33.3 %  ##########
          Historical Fiction an…  12.5 %  ####
          대하소설                25.0 %  ########
        Nothing                    0.0 %
        An item may have several genres, so shares add up to more
        than 100 %.

        Genres by decade
                          <80s    80s    90s    00s    10s    20s
        Jazz             .. 13  ** 10  ..  4  ..  4  ** 10  **  9
        Rock             :: 54  ..  4  ** 11  ** 11  ..  4  ..  3
        Science Fiction  .. 17  ** 11  ..  5  ..  5  ** 11  ** 10
        대하소설         ** 57  ..  5                ..  5  ..  4
        . may be chance : more * 1.5 times # 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by creator
                             A     B     C     D     E     F
        Jazz             ** 12     -     -  ** 7     -     -
        Science Fiction      -  .. 2  ** 9     -     -  ** 4
        A Miles Davis   B 봉준호   C Ursula K. Le Guin
        D John Coltrane   E 한강   F Stanley Kubrick
        . may be chance : more * 1.5 times # 2.5 times
        Stronger: more than the genre's share of all, beyond chance.

        Genres by year added
        Jazz      .. :: :: -- -- == ++ ++ ** ** ## ## @@
        대하소설  .. :: ::    .. :: :: :: .. :: :: :: ..
                  2014  2016  2018  2020  2022  2024
        tallest: 48 % (Jazz, 2026)


        """)
  }

  @Test(arguments: [20, 40, 60, 61, 79, 80, 120, 300], [true, false])
  func `no line of a chart is wider than the terminal`(_ width: Int, _ usesUnicode: Bool) throws {
    var random = SplitMix(seed: UInt64(width))
    for _ in 0..<Rounds.count(25, long: 60) {
      for chart in Samples.random(using: &random) {
        for line in chart.lines(on: Terminal(width: max(60, width), usesUnicode: usesUnicode)) {
          #expect(line.cellWidth <= max(60, width), "\(line)")
          #expect(line == line.sanitized)
        }
        // Below 60 cells it need not be beautiful.
        _ = chart.lines(on: Terminal(width: width, usesUnicode: usesUnicode))
      }
    }
  }

  @Test func `colour adds only escape sequences to a chart`() throws {
    for chart in Samples.all {
      let plain = chart.lines(on: Terminal(width: 80))
      let colored = chart.lines(on: Terminal(width: 80, usesColor: true))
      #expect(colored.contains { $0.contains("\u{1B}[36m") })
      let stripped = colored.map { $0.replacing(/\u{1B}\[[0-9;]*m/, with: "").withoutTrailingBlanks }
      #expect(stripped == plain)
    }
  }

  @Test func `a chart without numbers is empty`() throws {
    for chart in [BarChart("b"), HeatMap("h"), Timeline("t"), HeatMap("h", columns: [.init("a")])] as [any Chart] {
      #expect(chart.lines(on: Terminal()).isEmpty)
      let svg = try MarkupElement(parsing: chart.svg())
      #expect(svg.all("rect").count == 1)
      for word in ["nan", "inf"] { #expect(!chart.svg().contains(word)) }
    }
    let odd = BarChart("odd", bars: [-1, .nan, .infinity, 0].map { .init("x", Amount($0, "?")) })
    #expect(odd.lines(on: Terminal()) == Array(repeating: "x  ?", count: 4))
    #expect(try MarkupElement(parsing: odd.svg()).all("rect").count == 1)
  }

  @Test func `a chart's SVG is well-formed, within its size and without references`() throws {
    var random = SplitMix(seed: 8)
    for chart in Samples.all + Samples.random(using: &random) {
      let svg = try MarkupElement(parsing: chart.svg())
      #expect(svg.name == "svg")
      #expect(svg.attributes["xmlns"] == "http://www.w3.org/2000/svg")
      let (width, height) = try (#require(svg.number("width")), #require(svg.number("height")))
      #expect(width == 720)
      #expect(svg.attributes["viewBox"] == "0 0 720 \(Drawing.number(height))")
      #expect(svg.elements[0].name == "title" && svg.elements[0].text == chart.title.text(in: nil).sanitized)
      #expect(svg.elements[1].name == "desc" && svg.elements[1].text == chart.summary.text(in: nil).sanitized)
      for element in svg.everything { #expect(element.isHarmless) }
      for shape in svg.all("rect") + svg.all("text") {
        let (x, y) = (shape.number("x") ?? 0, shape.number("y") ?? 0)
        #expect(x >= 0)
        #expect(x + (shape.number("width") ?? 0) <= width + 0.1)
        #expect(y >= 0)
        #expect(y + (shape.number("height") ?? 0) <= height + 0.1)
      }
    }
  }

  @Test func `text in a chart's SVG stays within its width`() throws {
    for chart in Samples.all {
      for text in try MarkupElement(parsing: chart.svg()).all("text") where text.attributes["transform"] == nil {
        let small = text.attributes["class"]?.contains("small") ?? false
        let title = text.attributes["class"]?.contains("title") ?? false
        // The text that a pointer shows is no part of the line.
        let shown = text.children.compactMap { if case .text(let words) = $0 { words } else { nil } }.joined()
        let width = TextWidth.pixels(shown, size: title ? 16 : small ? 11 : 13)
        let x = try #require(text.number("x"))
        let start = text.attributes["text-anchor"] == "middle" ? x - width / 2 : x
        #expect(start >= 0, "\(shown)")
        #expect(start + width <= 720, "\(shown)")
      }
    }
  }

  @Test func `bars in a chart's SVG are as long as their amounts`() throws {
    let svg = try MarkupElement(parsing: Samples.bars.svg())
    let lengths = svg.all("rect").dropFirst().compactMap { $0.number("width") }
    // Nothing has no bar.
    #expect(lengths.count == Samples.bars.bars.count - 1)
    for (length, bar) in zip(lengths, Samples.bars.bars) {
      #expect(abs(length / lengths[0] - bar.amount.value / 0.8333) < 0.01)
    }
    let texts = svg.all("text").map(\.text)
    for bar in Samples.bars.bars { #expect(texts.contains(bar.amount.text)) }
    // A cut text is whole in the title.
    #expect(texts.contains { $0.hasPrefix("Historical Fiction and everything that looks a little like itHistorical") })
  }

  @Test func `text in charts has enough contrast to its background`() {
    func contrast(_ one: String, _ two: String) -> Double {
      let (a, b) = (luminance(one), luminance(two))
      return (max(a, b) + 0.05) / (min(a, b) + 0.05)
    }
    for color in [\Palette.Paint.light, \.dark] {
      for paint in [Palette.ink, Palette.faint] + Palette.trends {
        #expect(contrast(paint[keyPath: color], Palette.paper[keyPath: color]) >= 4.5, "\(paint)")
      }
      for (level, text) in zip(Palette.levels, Palette.onLevels) {
        #expect(contrast(level[keyPath: color], text[keyPath: color]) >= 4.5, "\(level)")
      }
      // Steps can be told apart, and from the paper.
      let steps = ([Palette.paper] + Palette.levels).map { $0[keyPath: color] }
      for (one, two) in zip(steps, steps.dropFirst()) { #expect(contrast(one, two) >= 1.2) }
      #expect(contrast(Palette.bar[keyPath: color], Palette.paper[keyPath: color]) >= 3)
    }
  }

  /// As WCAG 2 defines it.
  private func luminance(_ color: String) -> Double {
    let value = Int(color.dropFirst(), radix: 16) ?? 0
    let parts = [value >> 16, value >> 8 & 255, value & 255].map { part in
      let share = Double(part) / 255
      return share <= 0.03928 ? share / 12.92 : pow((share + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
  }
}

extension MarkupElement {
  func number(_ name: String) -> Double? { attributes[name].flatMap(Double.init) }

  /// Whether it loads nothing and runs no script.
  var isHarmless: Bool {
    let isScript = name == "script"
    let names = ["href", "src", "srcset", "action", "data", "style", "xlink:href", "background", "poster"]
    let asks = attributes.keys.contains { $0.hasPrefix("on") || names.contains($0) }
    let style = name == "style" ? text : ""
    return !isScript && !asks && !style.contains("url(") && !style.contains("@import")
  }
}

/// Charts to draw.
enum Samples {
  static let bars = BarChart(
    "Items by genre", notes: ["An item may have several genres, so shares add up to more than 100 %."],
    bars: [
      .init("Music", Amount(0.8333, "83.3 %"), isSum: true),
      .init("Jazz", Amount(0.5, "50.0 %"), depth: 1),
      .init("Hard Bop", Amount(0.012, "1.2 %"), depth: 2),
      .init("Fiction", Amount(0.3333, "33.3 %"), isSum: true),
      .init("Historical Fiction and everything that looks a little like it", Amount(0.125, "12.5 %"), depth: 1),
      .init("대하소설", Amount(0.25, "25.0 %"), depth: 1),
      .init("Nothing", Amount(0, "0.0 %")),
    ])

  static let decades = (1930...2020).filter { $0 % 10 == 0 }

  static let heat = {
    let rows = ["Jazz", "Rock", "Science Fiction", "대하소설"].enumerated().map { row, name in
      HeatMap.Row(
        name,
        decades.indices.map { place in
          let count = (row * 7 + place * place * 3) % 13
          return count == 12 ? nil : count * (row == place ? 3 : 1)
        })
    }
    let columns = decades.map { HeatMap.Column("\($0)s", short: "\(String($0).suffix(2))s") }
    var map = shaded(HeatMap("Genres by decade", columns: columns, rows: rows, showsTimes: true))
    map.narrower = (2..<columns.count).map { count in
      let first = HeatMap.Column("before \(columns[count].label)", short: "<\(columns[count].short ?? "")")
      let joined = rows.map { row in
        HeatMap.Row(row.label, [row.counts.prefix(count).reduce(0) { $0 + ($1 ?? 0) }] + row.counts.dropFirst(count))
      }
      return shaded(
        HeatMap("Genres by decade", columns: [first] + columns[count...], rows: joined, showsTimes: true))
    }
    return map
  }()

  static let creators = shaded(
    HeatMap(
      "Genres by creator",
      columns: ["Miles Davis", "봉준호", "Ursula K. Le Guin", "John Coltrane", "한강", "Stanley Kubrick"].map { .init($0) },
      rows: [
        .init("Jazz", [12, 0, 0, 7, 0, 0]), .init("Science Fiction", [0, 2, 9, 0, 0, 4]),
      ]))

  /// The map with a shade for three and more that are two standard errors beyond the row's share of all.
  private static func shaded(_ map: HeatMap) -> HeatMap {
    func sum(_ counts: [Int?]) -> Double { Double(counts.reduce(0) { $0 + ($1 ?? 0) }) }
    let totals = map.columns.indices.map { column in sum(map.rows.map { $0.counts[column] }) }
    let whole = totals.reduce(0, +)
    var map = map
    for (place, row) in map.rows.enumerated() {
      let share = sum(row.counts) / whole
      map.rows[place].times = zip(row.counts, totals).map { count, total -> Double? in
        let (count, expected) = (Double(count ?? 0), share * total)
        let error: Double = (expected * (1 - share) * (1 - total / whole)).squareRoot()
        return count >= 3 && count - expected > 2 * error ? count / expected : nil
      }
    }
    return map
  }

  static let time = Timeline(
    "Genres by year added", moments: (2014...2026).map(String.init),
    series: [
      .init("Jazz", (0..<13).map { Amount(Double($0) / 24, "\($0 * 4) %") }),
      .init("대하소설", (0..<13).map { $0 == 3 ? nil : Amount($0 % 4 == 0 ? 0 : 0.1, "10 %") }),
    ])

  static let all: [any Chart] = [bars, heat, creators, time]

  /// One of each kind, with words and numbers of all sorts.
  static func random(using random: inout SplitMix) -> [any Chart] {
    func amount() -> Amount {
      Amount(
        [0, -1, .nan, .infinity, 1e300, 0.5, Double.random(in: 0...9, using: &random)][
          Int.random(in: 0...6, using: &random)], random.text(upTo: 9))
    }
    let columns = (0..<Int.random(in: 0...40, using: &random)).map { _ in random.text(upTo: 12) }
    let rows = (0..<Int.random(in: 0...6, using: &random)).map { _ in
      (random.text(upTo: 70), columns.map { _ in Bool.random(using: &random) ? amount() : nil }.dropLast(2))
    }
    func words(_ most: Int? = nil) -> Message {
      Message(verbatim: most.map { random.text(upTo: $0) } ?? random.text())
    }
    return [
      BarChart(
        words(99), notes: [words(99)],
        bars: rows.map { .init($0.0, amount(), depth: Int.random(in: 0...20, using: &random)) }),
      HeatMap(
        words(), notes: [words()],
        columns: columns.map { .init($0, short: Bool.random(using: &random) ? random.text(upTo: 3) : nil) },
        rows: rows.map {
          .init(
            $0.0, $0.1.map { _ in [nil, 0, 1, 7, -3, 100_000].randomElement(using: &random) ?? nil },
            times: (0..<3).map { _ in [nil, 1.2, 1.5, .infinity].randomElement(using: &random) ?? nil })
        },
        showsTimes: Bool.random(using: &random)),
      Timeline(words(), moments: columns, series: rows.map { .init($0.0, Array($0.1)) }),
    ]
  }
}

import Testing

@testable import CatalogModel

/// The one reader of days and periods. The clock stands at Sunday, 22 November 2026.
struct DayReadingTests {
  static let today = PartialDate("2026-11-22")

  /// `2026-11-21`, or the first and last date of a longer period.
  private static func read(_ text: String, _ context: DayContext) -> String? {
    Period(text, in: context).map { $0.date?.description ?? "\($0.first)..\($0.last)" }
  }

  @Test(
    arguments: [
      ("1959", "1959"), ("1959-08", "1959-08"), ("2024-02-29", "2024-02-29"),
      // Korean.
      ("2024년 5월 3일", "2024-05-03"), ("2024년5월3일", "2024-05-03"), ("24년 5월 3일", "2024-05-03"),
      ("2024년 5월 3일 (금)", "2024-05-03"), ("2024년 5월 3일 금요일", "2024-05-03"), ("2024. 5. 3. (월)", "2024-05-03"),
      ("2024. 5. 3.", "2024-05-03"), ("2024.05.03", "2024-05-03"), ("2024년 5월", "2024-05"), ("2024년", "2024"),
      ("24년", "2024"), ("98년 12월", "1998-12"), ("2024년도", "2024"), ("2024년 5월 3일 오후 3시 20분", "2024-05-03"),
      ("2024 년 5 월 3 일", "2024-05-03"), ("2024년 13월", nil), ("2024년 2월 30일", nil), ("5월 3일", nil),
      // English.
      ("May 3rd, 2024", "2024-05-03"), ("3 May 2024", "2024-05-03"), ("Friday, 3 May 2024", "2024-05-03"),
      ("the 3rd of May, 2024", "2024-05-03"), ("May 2024", "2024-05"), ("Sept. 5, 2020", "2020-09-05"),
      ("2024/5/3", "2024-05-03"), ("20240503", "2024-05-03"), ("2024-05-03T10:20:30Z", "2024-05-03"),
      ("2024-05-03 10:20", "2024-05-03"), ("22:45 15.02.2013", "2013-02-15"), ("20.11.2025", "2025-11-20"),
      ("05/2017", "2017-05"),
      // Others.
      ("3. Mai 2024", "2024-05-03"), ("03.05.2024", "2024-05-03"), ("1er mai 2024", "2024-05-01"),
      ("3 de mayo de 2024", "2024-05-03"), ("3 maggio 2024", "2024-05-03"), ("3 maja 2024", "2024-05-03"),
      ("3 мая 2024 г.", "2024-05-03"), ("2024年5月3日", "2024-05-03"), ("令和6年5月3日", "2024-05-03"),
      ("昭和64年1月7日", "1989-01-07"), ("平成元年2月1日", "1989-02-01"), ("2024年5月3日（金）", "2024-05-03"),
      ("２０２４年５月３日", "2024-05-03"), ("3 Mayıs 2024", "2024-05-03"),
      // Decades.
      ("1990s", "1990..1999"), ("1990년대", "1990..1999"), ("90년대", "1990..1999"), ("1990er", "1990..1999"),
      ("1990er Jahre", "1990..1999"), ("années 1990", "1990..1999"), ("1990年代", "1990..1999"), ("90s", "1990..1999"),
      // From today.
      ("today", "2026-11-22"), ("오늘", "2026-11-22"), ("Yesterday", "2026-11-21"), ("어제", "2026-11-21"),
      ("gestern", "2026-11-21"), ("hier", "2026-11-21"), ("昨日", "2026-11-21"), ("ayer", "2026-11-21"),
      ("그저께", "2026-11-20"), ("그제", "2026-11-20"), ("vorgestern", "2026-11-20"), ("tomorrow", "2026-11-23"),
      ("내일", "2026-11-23"), ("모레", "2026-11-24"), ("지난주", "2026-11-09..2026-11-15"),
      ("지난 주", "2026-11-09..2026-11-15"), ("이번 주", "2026-11-16..2026-11-22"), ("last week", "2026-11-09..2026-11-15"),
      ("이번달", "2026-11"), ("이번 달", "2026-11"), ("지난달", "2026-10"), ("다음 달", "2026-12"), ("올해", "2026"),
      ("작년", "2025"), ("재작년", "2024"), ("letztes Jahr", "2025"), ("今年", "2026"), ("l'année dernière", "2025"),
      ("-2w", "2026-11-08"), ("+10d", "2026-12-02"), ("-9m", "2026-02-22"), ("+1y", "2027-11-22"),
      ("2주 전", "2026-11-08"), ("2주전", "2026-11-08"), ("사흘 전", "2026-11-19"), ("일주일 전", "2026-11-15"),
      ("한 달 뒤", "2026-12-22"), ("2 weeks ago", "2026-11-08"), ("in 3 days", "2026-11-25"),
      ("vor 2 Wochen", "2026-11-08"), ("il y a 2 semaines", "2026-11-08"), ("hace 3 días", "2026-11-19"),
      ("3日前", "2026-11-19"), ("2週間前", "2026-11-08"),
      // No day.
      ("", nil), ("2w", nil), ("2주", nil), ("-2", nil), ("-w", nil), ("--2w", nil), ("+-2w", nil), ("-2h", nil),
      ("-99999d", nil), ("-9999y", nil), ("2026-02-30", nil), ("soon", nil), ("03/04/2024", nil), ("3/4/24", nil),
      ("2024-05-03x", nil), ("2024-05-03-1", nil), ("may", nil), ("12", nil), ("1965 1955", nil), ("2024-", nil),
      ("한강", nil), ("201705", nil), ("-0044-03-15", nil), ("2024?", nil), ("a 12 b 2020", nil),
    ] as [(String, String?)])
  func `a day or period is read in its usual spellings`(text: String, period: String?) {
    #expect(Self.read(text, DayContext(today: Self.today)) == period)
  }

  @Test(
    arguments: [
      ("2주", "2026-12-06"), ("2w", "2026-12-06"), ("two weeks", "2026-12-06"), ("일주일", "2026-11-29"),
      ("한 달", "2026-12-22"), ("보름", "2026-12-07"), ("3개월", "2027-02-22"), ("10일", "2026-12-02"),
      ("2주 후", "2026-12-06"), ("2031년 12월 31일", "2031-12-31"), ("다음 주", "2026-11-23..2026-11-29"),
      ("31년 12월", "2031-12"), ("zwei Wochen", "2026-12-06"), ("2", nil),
    ] as [(String, String?)])
  func `a day to come may be a span`(text: String, period: String?) {
    #expect(Self.read(text, DayContext(today: Self.today, mayBeToCome: true, countsSpans: true)) == period)
  }

  @Test(
    arguments: [
      ("5/3/24", .mdy, "2024-05-03"), ("24.05.03", .ymd, "2024-05-03"), ("03.05.24", .dmy, "2024-05-03"),
      ("31/12/99", .dmy, "1999-12-31"), ("31/12/99", .ymd, nil), ("01/02/27", .dmy, "1927-02-01"),
      ("01/02/2003", .ymd, nil), ("24-May-03", .ymd, "2024-05-03"), ("24년 5월 3일", .dmy, "2024-05-03"),
    ] as [(String, DateOrder, String?)])
  func `numbers are read in an order`(text: String, order: DateOrder, day: String?) {
    #expect(Self.read(text, DayContext(today: Self.today, order: order)) == day)
  }

  @Test func `a word of the file means one value of its sort`() {
    for sort in ValueWords.Sort.allCases {
      var values: [String: String] = [:]
      let all = ValueWords.all(of: sort)
      #expect(!all.isEmpty, "\(sort)")
      for (value, _, word) in all {
        let key = ValueWords.key(word, of: sort)
        #expect(!key.isEmpty && values[key] ?? value == value, "\(sort): \(word)")
        values[key] = value
      }
    }
  }

  @Test func `each word for a day is read`() {
    for (_, _, word) in ValueWords.all(of: .day) {
      #expect(Period(word, in: DayContext(today: Self.today)) != nil, "\(word)")
    }
    for (_, _, word) in ValueWords.all(of: .span) {
      #expect(Period(word, in: DayContext(today: Self.today, countsSpans: true)) != nil, "\(word)")
    }
  }
}

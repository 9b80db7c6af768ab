import CatalogModel
import Testing

struct WordsTests {
  @Test(arguments: [
    ("Björk", "bjork"), ("BJO\u{308}RK", "bjork"), ("Sigur Rós", "sigur ros"), ("Ærø", "aero"), ("Straße", "strasse"),
    ("Łódź", "lodz"), ("기생충", "기생충"), ("기생충".decomposed, "기생충"), ("ガ", "ガ"), ("Ёлка", "елка"), ("ΆΝΘΡΩΠΟΣ", "ανθρωποσ"),
    ("", ""), ("123 & ★", "123 & ★"),
  ])
  func `folding removes case, accents and marks`(_ text: String, _ folded: String) {
    #expect(Folding.fold(text) == folded)
    #expect(Folding.fold(folded) == folded)
  }

  @Test(arguments: [
    ("Hip-Hop", "hip hop"), ("R&B", "R and B"), ("Action & Adventure", "action and adventure"),
    ("Children's", "Childrens"),
    ("Drum + Bass", "drum and bass"), ("Música Électronique", "musica electronique"), ("한국 소설", "한국소설"),
  ])
  func `equivalent labels have the same key`(_ a: String, _ b: String) {
    #expect(Folding.nameKey(a) == Folding.nameKey(b))
  }

  @Test(arguments: [
    ("Sci-Fi", "scifi"), ("Guns N’ Roses", "guns n' roses"), ("Jay‐Z", "JAY-Z"), ("Ｗａｌｌ", "wall"), ("ﬁlo", "filo"),
    ("ｶﾞﾗｽ", "ガラス"), ("Ёлка", "елка"), ("Ｒ＆Ｂ", "r and b"), ("a/b", "ab"), ("what?", "what"),
  ])
  func `all spellings of a name have one key`(_ a: String, _ b: String) {
    #expect(Folding.nameKey(a) == Folding.nameKey(b))
  }

  @Test func `signs and letters that tell names apart have a key of their own`() {
    for names in [
      ["c", "c#", "c++", "c+"], ["か", "が"], ["мои", "мой"], ["+", "×", "÷", "=", "-"], ["1", "#1"],
      ["5", "5%", "$5"],
      ["★", "★★", "☆"],
    ] {
      #expect(Set(names.map(Folding.nameKey)).count == names.count, "\(names)")
    }
  }

  @Test(arguments: [
    ("Guns N’ Roses", "guns n' roses"), ("Guns N' Roses", "guns n roses"), ("Jay‐Z", "jay z"),
    ("Spider–Man", "spider-man"),
    ("Ｄｕｎｅ", "dune"),
  ])
  func `fields compare letters, whatever apostrophes and hyphens are between them`(_ text: String, _ part: String) {
    #expect(SearchText.comparable(text) == SearchText.comparable(part))
  }

  @Test func `labels without letters keep their text as key`() {
    #expect(Folding.nameKey("???") == "???")
    #expect(Folding.nameKey("") == "")
    #expect(Folding.nameKey("80s") != Folding.nameKey("90s"))
  }

  @Test(arguments: [
    ("The Wall", "Wall, The"), ("A Love Supreme", "Love Supreme, A"), ("an Education", "Education, an"), ("The", nil),
    ("Theremin", nil), ("토지", nil), ("", nil), ("The ", nil), ("THE WALL", "WALL, THE"),
  ])
  func `a leading article goes last`(_ title: String, _ sorted: String?) {
    #expect(Articles.sortTitle(of: title) == sorted)
  }

  @Test(arguments: [
    ("Beatles, The", "The Beatles"), ("Lobos, Los", "Los Lobos"), ("Nom de la rose, Le", "Le Nom de la rose"),
    ("Étranger, L'", "L'Étranger"), ("Boer, de", "de Boer"), ("Silva, A", "Silva, A"),
    ("Tolkien, J. R. R.", "Tolkien, J. R. R."), ("Crosby, Stills, Nash", "Crosby, Stills, Nash"), ("The", "The"),
    (", The", ", The"), ("한강", "한강"),
  ])
  func `an article behind a name comes in front`(name: String, natural: String) {
    #expect(Articles.inFront(name) == natural)
    #expect(Credit(name: name, role: .artist).name == natural)
  }

  @Test(arguments: [
    ("movie", Kind.movie), ("Movies", .movie), ("film", .movie), ("BOOK", .book), ("vinyl", .vinyl),
    ("records", .vinyl),
    ("lp", .vinyl), ("podcasts", .podcast), ("music", .music), ("apps", .app), ("", nil), ("movi", nil), ("책", .book),
    ("영화", .movie),
  ])
  func `a kind is read from several words`(_ word: String, _ kind: Kind?) { #expect(Kind(word: word) == kind) }

  @Test func `three kinds can be on the shelf`() {
    #expect(Kind.allCases.filter(\.isShelved) == [.movie, .book, .vinyl])
    for kind in Kind.allCases { #expect(Kind(word: kind.plural) == kind) }
  }

  @Test(arguments: [
    (0, 1, "0/1"), (1, 1, "1/1"), (2, 2, "2/9"), (9, 2, "9/9"), (10, 3, "10/49"), (49, 3, "49/49"), (50, 4, "50/499"),
    (499, 4, "499/499"), (500, 5, "500"), (12_345, 5, "12345"), (-1, 1, "-1/1"),
  ])
  func `a level has its number and gauge for the count of records`(_ records: Int, _ number: Int, _ gauge: String) {
    let level = RecordLevel.of(records: records)
    #expect(level.number == number)
    #expect(level.gauge(records: records) == gauge)
    #expect((0...1).contains(level.fullness(records: records)))
  }

  @Test func `the bar of a level fills up to the next level`() {
    #expect(RecordLevel.of(records: 0).fullness(records: 0) == 0)
    #expect(RecordLevel.of(records: 7).fullness(records: 7) == 7.0 / 9)
    #expect(RecordLevel.of(records: 9).fullness(records: 9) == 1)
    #expect(RecordLevel.of(records: 800).fullness(records: 800) == 1)
  }

  @Test func `levels cover every count once`() {
    for (lower, upper) in zip(RecordLevel.all, RecordLevel.all.dropFirst()) {
      #expect(lower.records.upperBound + 1 == upper.records.lowerBound)
    }
    #expect(RecordLevel.all.map(\.number) == [1, 2, 3, 4, 5])
  }
}

extension String {
  /// Korean syllables in their letters, as some systems type them.
  fileprivate var decomposed: String {
    var scalars = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      guard (0xAC00...0xD7A3).contains(scalar.value) else {
        scalars.append(scalar)
        continue
      }
      let index = scalar.value - 0xAC00
      let tail = index % 28 == 0 ? [] : [0x11A7 + index % 28]
      for value in [0x1100 + index / 588, 0x1161 + index % 588 / 28] + tail {
        if let letter = Unicode.Scalar(value) { scalars.append(letter) }
      }
    }
    return String(scalars)
  }
}

import Testing

@testable import CatalogStore

/// Tests every rule of the three-way merge of two documents: docs/devices.md.
struct JoinTests {
  private func document(_ json: String) throws -> Document { try DocumentReader.read(Array(json.utf8)) }

  /// Merges in both directions, which must give the same document.
  ///
  /// - Returns: the document, and the remarks of the first direction.
  private func join(_ base: String?, _ ours: String, _ theirs: String) throws -> (Document, [JoinRemark]) {
    let base = try base.map(document)
    let (joined, remarks) = DocumentJoin.join(base: base, ours: try document(ours), theirs: try document(theirs))
    let (other, otherRemarks) = DocumentJoin.join(base: base, ours: try document(theirs), theirs: try document(ours))
    #expect(joined.isSame(as: other))
    #expect(remarks.count == otherRemarks.count)
    return (joined, remarks)
  }

  private func item(_ fields: String, at time: String = "2026-01-01T00:00:00Z", _ more: String = "") -> String {
    #"{"item":{"uid":"u","kind":"book","title":"Dune",\#(fields)"updated_at":"\#(time)"},"book":{}\#(more)}"#
  }

  // MARK: Scalars

  @Test func `a value changed on one side is taken`() throws {
    let (joined, told) = try join(item(#""year":1965,"#), item(#""year":1984,"#), item(#""year":1965,"url":"u","#))
    #expect(joined.rows(of: "item").first?["year"] == .integer(1984))
    #expect(joined.rows(of: "item").first?["url"] == .text("u"))
    #expect(told.isEmpty)
  }

  @Test func `of two changes the later is kept and the conflict reported`() throws {
    let (joined, told) = try join(
      item(#""year":1965,"#), item(#""year":1984,"#, at: "2026-01-02T00:00:00Z"),
      item(#""year":1985,"#, at: "2026-01-03T00:00:00Z"))
    #expect(joined.rows(of: "item").first?["year"] == .integer(1985))
    #expect(joined.rows(of: "item").first?["updated_at"] == .text("2026-01-03T00:00:00Z"))
    #expect(
      told == [
        JoinRemark(
          title: "Dune", row: "item", part: "year", here: .integer(1984), there: .integer(1985), kept: .theirs)
      ])
  }

  @Test func `an edit by hand wins over a later value of a source`() throws {
    let (joined, told) = try join(
      item(#""year":1965,"#),
      item(
        #""year":1984,"#, at: "2026-01-02T00:00:00Z",
        #","field_value":[{"field":"year","source":"hand","is_locked":1}]"#),
      item(
        #""year":1985,"#, at: "2026-01-03T00:00:00Z",
        #","field_value":[{"field":"year","source":"tmdb","is_locked":0}]"#))
    #expect(joined.rows(of: "item").first?["year"] == .integer(1984))
    #expect(told.contains { $0.part == "year" && $0.kept == .mine })
  }

  @Test func `a time far in the future still decides which change is later`() throws {
    let (joined, told) = try join(
      item(#""year":1965,"#), item(#""year":1984,"#, at: "2099-01-01T00:00:00Z"), item(#""year":1985,"#))
    #expect(joined.rows(of: "item").first?["year"] == .integer(1984))
    #expect(told.count == 1)
  }

  @Test func `a value removed on one side and changed on the other is kept and reported`() throws {
    let (joined, told) = try join(
      item(#""year":1965,"#), item("", at: "2026-01-02T00:00:00Z"), item(#""year":1985,"#, at: "2026-01-03T00:00:00Z"))
    #expect(joined.rows(of: "item").first?["year"] == .integer(1985))
    #expect(told.first?.here == nil)
  }

  @Test func `linked fields are merged together`() throws {
    func copy(_ price: String, at: String) -> String {
      item("", at: at, #","copy":[{"uid":"c",\#(price)"created_at":"x"}]"#)
    }
    let (joined, told) = try join(
      copy(#""price":100,"currency":"EUR","#, at: "2026-01-01T00:00:00Z"),
      copy(#""price":20000,"currency":"KRW","#, at: "2026-01-02T00:00:00Z"),
      copy(#""price":150,"currency":"EUR","#, at: "2026-01-03T00:00:00Z"))
    let row = joined.rows(of: "copy").first
    #expect(row?["price"] == .integer(150) && row?["currency"] == .text("EUR"))
    #expect(told.map(\.part) == ["price, currency"])
  }

  // MARK: Sets, rows and lists

  @Test func `a merged set has the additions and removals of both sides`() throws {
    func tags(_ names: String...) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z", #","item_tag":[\#(names.map { #"{"tag":"\#($0)"}"# }.joined(separator: ","))]"#)
    }
    let (joined, told) = try join(tags("a", "b"), tags("b", "c"), tags("a", "b", "d"))
    #expect(joined.rows(of: "item_tag").compactMap { $0["tag"]?.text } == ["b", "c", "d"])
    #expect(told.isEmpty)
  }

  @Test func `merged genres keep an order without gaps`() throws {
    func genres(_ names: String..., at: String = "2026-01-01T00:00:00Z") -> String {
      let rows = names.enumerated().map { #"{"position":\#($0.offset + 1),"genre":"\#($0.element)"}"# }
      return item("", at: at, #","item_genre":[\#(rows.joined(separator: ","))]"#)
    }
    let (joined, _) = try join(
      genres("A", "B", "C"), genres("A", "C", "X", at: "2026-01-02T00:00:00Z"),
      genres("C", "A", "B", "Y", at: "2026-01-03T00:00:00Z"))
    #expect(joined.rows(of: "item_genre").compactMap { $0["genre"]?.text } == ["C", "A", "Y", "X"])
    #expect(joined.rows(of: "item_genre").compactMap { $0["position"]?.integer } == [1, 2, 3, 4])
  }

  @Test func `genres chosen by hand win over genres of labels`() throws {
    func genre(_ name: String, byHand: Int, at: String) -> String {
      item(#""genres_by_hand":\#(byHand),"#, at: at, #","item_genre":[{"position":1,"genre":"\#(name)"}]"#)
    }
    let (joined, _) = try join(
      genre("A", byHand: 0, at: "2026-01-01T00:00:00Z"), genre("Mine", byHand: 1, at: "2026-01-02T00:00:00Z"),
      genre("Label", byHand: 0, at: "2026-01-03T00:00:00Z"))
    #expect(joined.rows(of: "item_genre").compactMap { $0["genre"]?.text } == ["Mine"])
  }

  @Test func `cards of both sides are kept and merged field by field`() throws {
    func cards(_ cards: String...) -> String {
      item("", at: "2026-01-01T00:00:00Z", #","card":[\#(cards.joined(separator: ","))]"#)
    }
    func card(_ uid: String, _ rating: Int, _ more: String = "") -> String {
      #"{"uid":"\#(uid)","rating":\#(rating),"scale":"half"\#(more)}"#
    }
    let (joined, told) = try join(
      cards(card("a", 60)), cards(card("a", 80), card("b", 20)),
      cards(card("a", 60, #","seen_on":"2024""#), card("c", 40)))
    let rows = joined.rows(of: "card")
    #expect(rows.map { $0["uid"]?.text } == ["a", "b", "c"])
    #expect(rows.first?["rating"] == .integer(80))
    #expect(rows.first?["seen_on"] == .text("2024"))
    #expect(told.isEmpty)
  }

  @Test func `a card removed on one side is removed unless the other side changed it`() throws {
    func card(_ rating: Int) -> String {
      item("", at: "2026-01-01T00:00:00Z", #","card":[{"uid":"a","rating":\#(rating),"scale":"half"}]"#)
    }
    let (gone, silent) = try join(card(60), item(""), card(60))
    #expect(gone.rows(of: "card").isEmpty && silent.isEmpty)
    let (kept, told) = try join(card(60), item(""), card(80))
    #expect(kept.rows(of: "card").first?["rating"] == .integer(80))
    #expect(told.map(\.row) == ["card a"] && told.first?.here == nil)
  }

  @Test func `an entry changed while its card was removed is kept without the card and reported`() throws {
    func logged(_ outcome: String, _ link: String, _ card: String) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z",
        #"\#(card),"log_entry":[{"uid":"e","outcome":"\#(outcome)"\#(link)}]"#)
    }
    let card = #","card":[{"uid":"c","rating":60,"scale":"half"}]"#
    let link = #","card":"c""#
    let (joined, told) = try join(logged("done", "", card), logged("done", link, card), logged("dropped", "", ""))
    #expect(joined.rows(of: "card").isEmpty)
    #expect(joined.rows(of: "log_entry").first?["card"] == nil)
    #expect(joined.rows(of: "log_entry").first?["outcome"]?.text == "dropped")
    #expect(told.map(\.row) == ["log_entry e"] && told.map(\.part) == ["card"])
  }

  @Test func `a copy removed on one side and lent on the other is kept with its loan and reported`() throws {
    let copy = item("", at: "2026-01-01T00:00:00Z", #","copy":[{"uid":"c"}]"#)
    let lent = item(
      "", at: "2026-01-01T00:00:00Z", #","copy":[{"uid":"c"}],"loan":[{"uid":"l","copy":"c","lent_on":"2026-01-02"}]"#)
    let (joined, told) = try join(copy, item(""), lent)
    #expect(joined.rows(of: "copy").count == 1 && joined.rows(of: "loan").count == 1)
    #expect(told.map(\.row) == ["copy c"])
    // A loan that was known goes with its copy.
    let (gone, silent) = try join(lent, item(""), lent)
    #expect(gone.rows(of: "copy").isEmpty && gone.rows(of: "loan").isEmpty && silent.isEmpty)
  }

  @Test func `two changed texts are joined, the earlier first`() throws {
    func card(_ text: String, at: String) -> String {
      item("", at: at, #","card":[{"uid":"a","comment":"\#(text)","updated_at":"\#(at)"}]"#)
    }
    let (joined, told) = try join(
      card("so", at: "2026-01-01T00:00:00Z"), card("later", at: "2026-01-03T00:00:00Z"),
      card("early", at: "2026-01-02T00:00:00Z"))
    #expect(joined.rows(of: "card").first?["comment"] == .text("early\n\nlater"))
    #expect(told.map(\.kept) == [.both])
  }

  @Test func `credits are taken from the later side as a whole`() throws {
    func credits(_ name: String, at: String) -> String {
      item("", at: at, #","credit":[{"position":1,"person":{"name":"\#(name)"},"role":"author"}]"#)
    }
    let (joined, told) = try join(
      credits("A", at: "2026-01-01T00:00:00Z"), credits("B", at: "2026-01-02T00:00:00Z"),
      credits("C", at: "2026-01-03T00:00:00Z"))
    #expect(joined.rows(of: "credit").first?["person"]?.object?["name"] == .text("C"))
    #expect(told.map(\.row) == ["credit"])
  }

  /// One side returned the genres to the labels; the other has chosen another genre meanwhile.
  @Test func `the mark for chosen genres follows the genres that were kept`() throws {
    func thing(_ byHand: Int, at time: String, _ genres: String...) -> String {
      let rows = genres.enumerated().map { #"{"position":\#($0 + 1),"genre":"\#($1)"}"# }.joined(separator: ",")
      return item(#""genres_by_hand":\#(byHand),"#, at: time, #","item_genre":[\#(rows)]"#)
    }
    let base = thing(1, at: "2026-01-01T00:00:00Z", "Jazz")
    let (joined, _) = try join(
      base, thing(1, at: "2026-01-02T00:00:00Z", "Jazz", "Emo"), thing(0, at: "2026-01-03T00:00:00Z", "Pop"))
    #expect(joined.rows(of: "item_genre").map { $0["genre"]?.text } == ["Jazz", "Emo"])
    #expect(joined.rows(of: "item").first?["genres_by_hand"] == .integer(1))
    // Who has said nothing else meanwhile is given back, too.
    let (given, _) = try join(
      base, thing(1, at: "2026-01-02T00:00:00Z", "Jazz"), thing(0, at: "2026-01-03T00:00:00Z", "Pop"))
    #expect(given.rows(of: "item_genre").map { $0["genre"]?.text } == ["Pop"])
    #expect(given.rows(of: "item").first?["genres_by_hand"] == .integer(0))
    // A third that comes with labels of its own does not put them in the place of those.
    let third = try document(thing(0, at: "2026-01-04T00:00:00Z", "Rap"))
    let (both, _) = DocumentJoin.join(base: nil, ours: joined, theirs: third)
    #expect(both.rows(of: "item_genre").map { $0["genre"]?.text } == ["Jazz", "Emo"])
  }

  @Test func `merged aliases are sorted`() throws {
    let (joined, told) = try join(
      item("", at: "2026-01-01T00:00:00Z", #","aliases":["b"]"#),
      item("", at: "2026-01-01T00:00:00Z", #","aliases":["b","d"]"#),
      item("", at: "2026-01-01T00:00:00Z", #","aliases":["a","b","c"]"#))
    #expect(joined.list(Travelling.aliases) == ["a", "b", "c", "d"].map(DocumentValue.text) && told.isEmpty)
  }

  // MARK: Two items

  @Test func `rows shared by two items belong to the one with the smaller uid, on both sides`() throws {
    func thing(_ uid: String, _ more: String) throws -> Document {
      try document(#"{"item":{"uid":"\#(uid)","kind":"book","title":"Dune"},"book":{},\#(more)}"#)
    }
    let one = try thing(
      "a",
      #"""
      "copy":[{"uid":"c","place":"K1"}],"log_entry":[{"uid":"e","outcome":"ongoing","page":20}],
      "wish":[{"uid":"w","note":"longer"}]
      """#)
    let other = try thing(
      "b",
      #"""
      "card":[{"uid":"k","rating":80}],"copy":[{"uid":"c","note":"signed"},{"uid":"d"}],
      "log_entry":[{"uid":"e","card":"k","outcome":"done","ended_on":"2026-01-02"},{"uid":"f","outcome":"ongoing"}],
      "loan":[{"uid":"l","copy":"c","person":"Lee","lent_on":"2026-01-01"},{"uid":"m","copy":"d","person":"Kim","lent_on":"2026-01-01"}]
      """#)
    for isFirst in [true, false] {
      let (ours, theirs, _) = DocumentJoin.part(bases: [], ours: isFirst ? one : other, theirs: isFirst ? other : one)
      let (a, b) = isFirst ? (ours, theirs) : (theirs, ours)
      // What one of them has not heard of has ended, and what hangs on something goes with it.
      #expect(
        a.isSame(
          as: try thing(
            "a",
            #"""
            "card":[{"uid":"k","rating":80}],"copy":[{"uid":"c","place":"K1","note":"signed"}],
            "log_entry":[{"uid":"e","card":"k","outcome":"done","ended_on":"2026-01-02","page":20}],
            "loan":[{"uid":"l","copy":"c","person":"Lee","lent_on":"2026-01-01"}],"wish":[{"uid":"w","note":"longer"}]
            """#)))
      #expect(
        b.isSame(
          as: try thing(
            "b",
            #"""
            "copy":[{"uid":"d"}],"log_entry":[{"uid":"f","outcome":"ongoing"}],
            "loan":[{"uid":"m","copy":"d","person":"Kim","lent_on":"2026-01-01"}]
            """#)))
    }
  }

  @Test func `a row moved to the item that another was merged into was not removed`() throws {
    let wish = #","wish":[{"uid":"w","price_limit":2100}]"#
    let base = try document(item("", at: "2026-01-01T00:00:00Z", wish))
    let said = try document(item(#""year":1965,"#))
    let now = try document(
      item(
        "", at: "2026-01-01T00:00:00Z",
        #","wish":[{"uid":"w","price_limit":2100},{"uid":"x","fulfilled_at":"2026-01-02"}]"#))
    for isOurs in [true, false] {
      func wishes(_ others: [Document]) -> [String] {
        Document.carried(from: base, said, to: now, isOurs: isOurs) { others }.document.rows(of: "wish").compactMap {
          $0["uid"]?.text
        }
      }
      #expect(wishes([said, now]) == ["w", "x"])
      #expect(wishes([said]) == ["x"], "it was removed")
    }
  }

  // MARK: Things that are gone

  @Test func `an item removed on one side and unchanged on the other is removed`() throws {
    let (joined, told) = try join(item(""), #"{"removed":"2026-01-02"}"#, item(""))
    #expect(joined.isGone && told.isEmpty)
  }

  @Test func `an item removed on one side and changed on the other is kept and reported`() throws {
    let (joined, told) = try join(item(""), #"{"removed":"2026-01-02"}"#, item(#""year":1965,"#))
    #expect(!joined.isGone)
    #expect(told.count == 1 && told.first?.kept == .theirs)
  }

  @Test func `without a common base nothing is removed`() throws {
    let (joined, _) = try join(nil, #"{"removed":"2026-01-02"}"#, item(""))
    #expect(!joined.isGone)
    let (tags, _) = try join(
      nil, item("", at: "2026-01-01T00:00:00Z", #","item_tag":[{"tag":"a"}]"#),
      item("", at: "2026-01-01T00:00:00Z", #","item_tag":[{"tag":"b"}]"#))
    #expect(tags.rows(of: "item_tag").count == 2)
  }

  @Test func `two merged items keep the smaller uid, and the other becomes its alias`() throws {
    func thing(_ uid: String) throws -> Document {
      try document(#"{"item":{"uid":"\#(uid)","kind":"book","title":"Dune"},"book":{}}"#)
    }
    for (ours, theirs) in [("a", "b"), ("b", "a")] {
      let one = try #require(Document.united(thing(ours), thing(theirs)))
      #expect(one.uid == "a" && one.document.uid == "a" && one.alias == "b")
      #expect(one.document.list(Travelling.aliases) == [.text("b")])
      #expect(one.pointer[Travelling.same] == .text("a"))
    }
  }

  @Test func `genres moved below each other form no cycle`() throws {
    func genres(_ a: String, _ b: String, _ c: String) -> String {
      let rows = zip(["A", "B", "C"], [a, b, c]).map { name, parent in
        #"{"name":"\#(name)","key":"\#(name)"\#(parent.isEmpty ? "" : #","parent":"\#(parent)""#)}"#
      }
      return #"{"genre":[\#(rows.joined(separator: ","))]}"#
    }
    let (joined, told) = try join(genres("", "", ""), genres("B", "", ""), genres("", "C", "A"))
    #expect(joined.rows(of: "genre").map { $0["parent"]?.text } == [nil, "C", "A"])
    #expect(told.map(\.row) == ["genre A"])
    // A file without a title of its own is known by the row.
    #expect(told.map(\.title) == ["A"])
  }

  @Test func `a genre moved below a removed genre becomes a root and is reported`() throws {
    let both = #"{"genre":[{"name":"A","key":"a"},{"name":"B","key":"b"}]}"#
    let (joined, told) = try join(
      both, #"{"genre":[{"name":"A","key":"a"},{"name":"B","key":"b","parent":"A"}]}"#,
      #"{"genre":[{"name":"B","key":"b"}]}"#)
    #expect(joined.rows(of: "genre").map { $0["name"]?.text } == ["B"])
    #expect(joined.rows(of: "genre").first?["parent"] == nil)
    #expect(told.map(\.row) == ["genre B"] && told.map(\.part) == ["parent"])
  }

  // MARK: What a file holds once

  @Test func `two entries in progress become one, and so do two open wishes`() throws {
    func entry(_ uid: String, _ date: String) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z",
        #","log_entry":[{"uid":"\#(uid)","started_on":"\#(date)","outcome":"ongoing"}],"wish":[{"uid":"w\#(uid)","note":"\#(uid)"}]"#
      )
    }
    let (joined, told) = try join(item(""), entry("b", "2026-01-02"), entry("a", "2026-01-01"))
    #expect(joined.rows(of: "log_entry").map { $0["uid"]?.text } == ["a"], "\(joined.rows(of: "log_entry"))")
    #expect(joined.rows(of: "wish").map { $0["note"]?.text } == ["a\n\nb"])
    #expect(!told.isEmpty, "\(joined)")
  }

  @Test func `a copy lent twice stays with the latest borrower`() throws {
    func loan(_ uid: String, _ person: String, _ date: String) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z",
        #","copy":[{"uid":"c"}],"loan":[{"uid":"\#(uid)","copy":"c","person":"\#(person)","lent_on":"\#(date)"}]"#)
    }
    let (joined, told) = try join(
      item("", at: "2026-01-01T00:00:00Z", #","copy":[{"uid":"c"}]"#), loan("a", "Ann", "2026-01-05"),
      loan("b", "Bo", "2026-01-02"))
    let loans = joined.rows(of: "loan")
    #expect(loans.map { $0["returned_on"]?.text } == [nil, "2026-01-05"])
    #expect(told.count == 1)
  }

  // MARK: What others know

  @Test func `unknown members of a newer version are merged too`() throws {
    let (joined, _) = try join(
      item("", at: "2026-01-01T00:00:00Z", #","mood":{"word":"calm"}"#),
      item(#""year":1965,"#, at: "2026-01-01T00:00:00Z", #","mood":{"word":"calm"}"#),
      item(#""colour":"red","#, at: "2026-01-01T00:00:00Z", #","mood":{"word":"wild"}"#))
    #expect(joined["mood"]?.object?["word"] == .text("wild"))
    #expect(joined.rows(of: "item").first?["colour"] == .text("red"))
    #expect(joined.rows(of: "item").first?["year"] == .integer(1965))
  }

  @Test func `piles are merged as ordered sets`() throws {
    func pile(_ items: String) -> String { #"{"pile":{"name":"next","key":"next"},"items":[\#(items)]}"# }
    let (joined, told) = try join(pile(#""a","b","c""#), pile(#""c","a","b""#), pile(#""a","c","d""#))
    #expect(joined["items"] == .list([.text("c"), .text("a"), .text("d")]))
    #expect(told.isEmpty)
  }
}

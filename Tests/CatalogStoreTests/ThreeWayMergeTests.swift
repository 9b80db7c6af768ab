import CatalogModel
import Testing

@testable import CatalogStore

/// Tests every rule of the three-way merge of two documents: docs/devices.md.
struct ThreeWayMergeTests {
  private func document(_ json: String) throws -> Document { try Document(parsing: Array(json.utf8)) }

  /// Merges in both directions, which must give the same document.
  ///
  /// - Returns: the document, and the conflicts of the first direction.
  private func merge(_ base: String?, _ ours: String, _ theirs: String) throws -> (Document, [MergeConflict]) {
    let base = try base.map(document)
    let (merged, conflicts) = ThreeWayMerge.merge(base: base, ours: try document(ours), theirs: try document(theirs))
    let (other, otherConflicts) = ThreeWayMerge.merge(
      base: base, ours: try document(theirs), theirs: try document(ours))
    #expect(merged.isSame(as: other))
    #expect(conflicts.count == otherConflicts.count)
    return (merged, conflicts)
  }

  private func item(_ fields: String, at time: String = "2026-01-01T00:00:00Z", _ more: String = "") -> String {
    #"{"item":{"uid":"u","kind":"book","title":"Dune",\#(fields)"updated_at":"\#(time)"},"book":{}\#(more)}"#
  }

  // MARK: Scalars

  @Test func `a value changed on one side is taken`() throws {
    let (merged, conflicts) = try merge(
      item(#""year":1965,"#), item(#""year":1984,"#), item(#""year":1965,"url":"u","#))
    #expect(merged.rows(of: "item").first?["year"] == .integer(1984))
    #expect(merged.rows(of: "item").first?["url"] == .text("u"))
    #expect(conflicts.isEmpty)
  }

  @Test func `of two changes the later is kept and the conflict reported`() throws {
    let (merged, conflicts) = try merge(
      item(#""year":1965,"#), item(#""year":1984,"#, at: "2026-01-02T00:00:00Z"),
      item(#""year":1985,"#, at: "2026-01-03T00:00:00Z"))
    #expect(merged.rows(of: "item").first?["year"] == .integer(1985))
    #expect(merged.rows(of: "item").first?["updated_at"] == .text("2026-01-03T00:00:00Z"))
    #expect(
      conflicts == [
        MergeConflict(
          title: "Dune", row: "item", part: "year", ours: .integer(1984), theirs: .integer(1985), resolution: .theirs)
      ])
  }

  @Test func `an edit by hand wins over a later value of a source`() throws {
    let (merged, conflicts) = try merge(
      item(#""year":1965,"#),
      item(
        #""year":1984,"#, at: "2026-01-02T00:00:00Z",
        #","field_value":[{"field":"year","source":"hand","is_locked":1}]"#),
      item(
        #""year":1985,"#, at: "2026-01-03T00:00:00Z",
        #","field_value":[{"field":"year","source":"tmdb","is_locked":0}]"#))
    #expect(merged.rows(of: "item").first?["year"] == .integer(1984))
    #expect(conflicts.contains { $0.part == "year" && $0.resolution == .ours })
  }

  @Test func `a time far in the future still decides which change is later`() throws {
    let (merged, conflicts) = try merge(
      item(#""year":1965,"#), item(#""year":1984,"#, at: "2099-01-01T00:00:00Z"), item(#""year":1985,"#))
    #expect(merged.rows(of: "item").first?["year"] == .integer(1984))
    #expect(conflicts.count == 1)
  }

  @Test func `a value removed on one side and changed on the other is kept and reported`() throws {
    let (merged, conflicts) = try merge(
      item(#""year":1965,"#), item("", at: "2026-01-02T00:00:00Z"), item(#""year":1985,"#, at: "2026-01-03T00:00:00Z"))
    #expect(merged.rows(of: "item").first?["year"] == .integer(1985))
    #expect(conflicts.first?.ours == nil)
  }

  @Test func `linked fields are merged together`() throws {
    func copy(_ price: String, at: String) -> String {
      item("", at: at, #","copy":[{"uid":"c",\#(price)"created_at":"x"}]"#)
    }
    let (merged, conflicts) = try merge(
      copy(#""price":100,"currency":"EUR","#, at: "2026-01-01T00:00:00Z"),
      copy(#""price":20000,"currency":"KRW","#, at: "2026-01-02T00:00:00Z"),
      copy(#""price":150,"currency":"EUR","#, at: "2026-01-03T00:00:00Z"))
    let row = merged.rows(of: "copy").first
    #expect(row?["price"] == .integer(150))
    #expect(row?["currency"] == .text("EUR"))
    #expect(conflicts.map(\.part) == ["price, currency"])
  }

  // MARK: Sets, rows and lists

  @Test func `a merged set has the additions and removals of both sides`() throws {
    func tags(_ names: String...) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z", #","item_tag":[\#(names.map { #"{"tag":"\#($0)"}"# }.joined(separator: ","))]"#)
    }
    let (merged, conflicts) = try merge(tags("a", "b"), tags("b", "c"), tags("a", "b", "d"))
    #expect(merged.rows(of: "item_tag").compactMap { $0["tag"]?.text } == ["b", "c", "d"])
    #expect(conflicts.isEmpty)
  }

  @Test func `merged genres keep an order without gaps`() throws {
    func genres(_ names: String..., at: String = "2026-01-01T00:00:00Z") -> String {
      let rows = names.enumerated().map { #"{"position":\#($0.offset + 1),"genre":"\#($0.element)"}"# }
      return item("", at: at, #","item_genre":[\#(rows.joined(separator: ","))]"#)
    }
    let (merged, _) = try merge(
      genres("A", "B", "C"), genres("A", "C", "X", at: "2026-01-02T00:00:00Z"),
      genres("C", "A", "B", "Y", at: "2026-01-03T00:00:00Z"))
    #expect(merged.rows(of: "item_genre").compactMap { $0["genre"]?.text } == ["C", "A", "Y", "X"])
    #expect(merged.rows(of: "item_genre").compactMap { $0["position"]?.integer } == [1, 2, 3, 4])
  }

  @Test func `genres chosen by hand win over genres of labels`() throws {
    func genre(_ name: String, byHand: Int, at: String) -> String {
      item(#""genres_by_hand":\#(byHand),"#, at: at, #","item_genre":[{"position":1,"genre":"\#(name)"}]"#)
    }
    let (merged, _) = try merge(
      genre("A", byHand: 0, at: "2026-01-01T00:00:00Z"), genre("Mine", byHand: 1, at: "2026-01-02T00:00:00Z"),
      genre("Label", byHand: 0, at: "2026-01-03T00:00:00Z"))
    #expect(merged.rows(of: "item_genre").compactMap { $0["genre"]?.text } == ["Mine"])
  }

  @Test func `cards of both sides are kept and merged field by field`() throws {
    func cards(_ cards: String...) -> String {
      item("", at: "2026-01-01T00:00:00Z", #","card":[\#(cards.joined(separator: ","))]"#)
    }
    func card(_ uid: String, _ rating: Int, _ more: String = "") -> String {
      #"{"uid":"\#(uid)","rating":\#(rating),"scale":"half"\#(more)}"#
    }
    let (merged, conflicts) = try merge(
      cards(card("a", 60)), cards(card("a", 80), card("b", 20)),
      cards(card("a", 60, #","seen_on":"2024""#), card("c", 40)))
    let rows = merged.rows(of: "card")
    #expect(rows.map { $0["uid"]?.text } == ["a", "b", "c"])
    #expect(rows.first?["rating"] == .integer(80))
    #expect(rows.first?["seen_on"] == .text("2024"))
    #expect(conflicts.isEmpty)
  }

  @Test func `a card removed on one side is removed unless the other side changed it`() throws {
    func card(_ rating: Int) -> String {
      item("", at: "2026-01-01T00:00:00Z", #","card":[{"uid":"a","rating":\#(rating),"scale":"half"}]"#)
    }
    let (gone, silent) = try merge(card(60), item(""), card(60))
    #expect(gone.rows(of: "card").isEmpty)
    #expect(silent.isEmpty)
    let (kept, conflicts) = try merge(card(60), item(""), card(80))
    #expect(kept.rows(of: "card").first?["rating"] == .integer(80))
    #expect(conflicts.map(\.row) == ["card a"])
    #expect(conflicts.first?.ours == nil)
  }

  @Test func `an entry changed while its card was removed is kept without the card and reported`() throws {
    func logged(_ outcome: String, _ link: String, _ card: String) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z",
        #"\#(card),"log_entry":[{"uid":"e","outcome":"\#(outcome)"\#(link)}]"#)
    }
    let card = #","card":[{"uid":"c","rating":60,"scale":"half"}]"#
    let link = #","card":"c""#
    let (merged, conflicts) = try merge(logged("done", "", card), logged("done", link, card), logged("dropped", "", ""))
    #expect(merged.rows(of: "card").isEmpty)
    #expect(merged.rows(of: "log_entry").first?["card"] == nil)
    #expect(merged.rows(of: "log_entry").first?["outcome"]?.text == "dropped")
    #expect(conflicts.map(\.row) == ["log_entry e"])
    #expect(conflicts.map(\.part) == ["card"])
  }

  @Test func `a copy removed on one side and lent on the other is kept with its loan and reported`() throws {
    let copy = item("", at: "2026-01-01T00:00:00Z", #","copy":[{"uid":"c"}]"#)
    let lent = item(
      "", at: "2026-01-01T00:00:00Z", #","copy":[{"uid":"c"}],"loan":[{"uid":"l","copy":"c","lent_on":"2026-01-02"}]"#)
    let (merged, conflicts) = try merge(copy, item(""), lent)
    #expect(merged.rows(of: "copy").count == 1)
    #expect(merged.rows(of: "loan").count == 1)
    #expect(conflicts.map(\.row) == ["copy c"])
    // A loan that was known goes with its copy.
    let (gone, silent) = try merge(lent, item(""), lent)
    #expect(gone.rows(of: "copy").isEmpty)
    #expect(gone.rows(of: "loan").isEmpty)
    #expect(silent.isEmpty)
  }

  @Test func `two changed texts are joined, the earlier first`() throws {
    func card(_ text: String, at: String) -> String {
      item("", at: at, #","card":[{"uid":"a","comment":"\#(text)","updated_at":"\#(at)"}]"#)
    }
    let (merged, conflicts) = try merge(
      card("so", at: "2026-01-01T00:00:00Z"), card("later", at: "2026-01-03T00:00:00Z"),
      card("early", at: "2026-01-02T00:00:00Z"))
    #expect(merged.rows(of: "card").first?["comment"] == .text("early\n\nlater"))
    #expect(conflicts.map(\.resolution) == [.both])
  }

  @Test func `credits are taken from the later side as a whole`() throws {
    func credits(_ name: String, at: String) -> String {
      item("", at: at, #","credit":[{"position":1,"person":{"name":"\#(name)"},"role":"author"}]"#)
    }
    let (merged, conflicts) = try merge(
      credits("A", at: "2026-01-01T00:00:00Z"), credits("B", at: "2026-01-02T00:00:00Z"),
      credits("C", at: "2026-01-03T00:00:00Z"))
    #expect(merged.rows(of: "credit").first?["person"]?.object?["name"] == .text("C"))
    #expect(conflicts.map(\.row) == ["credit"])
  }

  /// One side returned the genres to the labels; the other has chosen another genre meanwhile.
  @Test func `the mark for chosen genres follows the genres that were kept`() throws {
    func thing(_ byHand: Int, at time: String, _ genres: String...) -> String {
      let rows = genres.enumerated().map { #"{"position":\#($0 + 1),"genre":"\#($1)"}"# }.joined(separator: ",")
      return item(#""genres_by_hand":\#(byHand),"#, at: time, #","item_genre":[\#(rows)]"#)
    }
    let base = thing(1, at: "2026-01-01T00:00:00Z", "Jazz")
    let (merged, _) = try merge(
      base, thing(1, at: "2026-01-02T00:00:00Z", "Jazz", "Emo"), thing(0, at: "2026-01-03T00:00:00Z", "Pop"))
    #expect(merged.rows(of: "item_genre").map { $0["genre"]?.text } == ["Jazz", "Emo"])
    #expect(merged.rows(of: "item").first?["genres_by_hand"] == .integer(1))
    // A value that the other side has not changed comes back, too.
    let (given, _) = try merge(
      base, thing(1, at: "2026-01-02T00:00:00Z", "Jazz"), thing(0, at: "2026-01-03T00:00:00Z", "Pop"))
    #expect(given.rows(of: "item_genre").map { $0["genre"]?.text } == ["Pop"])
    #expect(given.rows(of: "item").first?["genres_by_hand"] == .integer(0))
    // A third that comes with labels of its own does not put them in the place of those.
    let third = try document(thing(0, at: "2026-01-04T00:00:00Z", "Rap"))
    let (both, _) = ThreeWayMerge.merge(base: nil, ours: merged, theirs: third)
    #expect(both.rows(of: "item_genre").map { $0["genre"]?.text } == ["Jazz", "Emo"])
  }

  @Test func `merged aliases are sorted`() throws {
    let (merged, conflicts) = try merge(
      item("", at: "2026-01-01T00:00:00Z", #","aliases":["b"]"#),
      item("", at: "2026-01-01T00:00:00Z", #","aliases":["b","d"]"#),
      item("", at: "2026-01-01T00:00:00Z", #","aliases":["a","b","c"]"#))
    #expect(merged[PortableDocuments.aliases]?.list == ["a", "b", "c", "d"].map(JSON.text))
    #expect(conflicts.isEmpty)
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
      let (ours, theirs, _) = ThreeWayMerge.assignSharedRows(
        bases: [], ours: isFirst ? one : other, theirs: isFirst ? other : one)
      let (a, b) = isFirst ? (ours, theirs) : (theirs, ours)
      // A row that one side does not know has ended, and the rows that belong to it go with it.
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
        Document.rebased(from: base, said, to: now, isOurs: isOurs) { others }.document.rows(of: "wish").compactMap {
          $0["uid"]?.text
        }
      }
      #expect(wishes([said, now]) == ["w", "x"])
      #expect(wishes([said]) == ["x"], "it was removed")
    }
  }

  // MARK: Things that are gone

  @Test func `an item removed on one side and unchanged on the other is removed`() throws {
    let (merged, conflicts) = try merge(item(""), #"{"removed":"2026-01-02"}"#, item(""))
    #expect(merged.isGone)
    #expect(conflicts.isEmpty)
  }

  @Test func `an item removed on one side and changed on the other is kept and reported`() throws {
    let (merged, conflicts) = try merge(item(""), #"{"removed":"2026-01-02"}"#, item(#""year":1965,"#))
    #expect(!merged.isGone)
    #expect(conflicts.count == 1)
    #expect(conflicts.first?.resolution == .theirs)
  }

  @Test func `without a common base nothing is removed`() throws {
    let (merged, _) = try merge(nil, #"{"removed":"2026-01-02"}"#, item(""))
    #expect(!merged.isGone)
    let (tags, _) = try merge(
      nil, item("", at: "2026-01-01T00:00:00Z", #","item_tag":[{"tag":"a"}]"#),
      item("", at: "2026-01-01T00:00:00Z", #","item_tag":[{"tag":"b"}]"#))
    #expect(tags.rows(of: "item_tag").count == 2)
  }

  @Test func `two merged items keep the smaller uid, and the other becomes its alias`() throws {
    func thing(_ uid: String) throws -> Document {
      try document(#"{"item":{"uid":"\#(uid)","kind":"book","title":"Dune"},"book":{}}"#)
    }
    for (ours, theirs) in [("a", "b"), ("b", "a")] {
      let one = try #require(Document.mergingDuplicates(thing(ours), thing(theirs)))
      #expect(one.uid == "a")
      #expect(one.document.uid == "a")
      #expect(one.alias == "b")
      #expect(one.document[PortableDocuments.aliases]?.list == [.text("b")])
      #expect(one.pointer[PortableDocuments.same] == .text("a"))
    }
  }

  @Test func `genres moved below each other form no cycle`() throws {
    func genres(_ a: String, _ b: String, _ c: String) -> String {
      let rows = zip(["A", "B", "C"], [a, b, c]).map { name, parent in
        #"{"name":"\#(name)","key":"\#(name)"\#(parent.isEmpty ? "" : #","parent":"\#(parent)""#)}"#
      }
      return #"{"genre":[\#(rows.joined(separator: ","))]}"#
    }
    let (merged, conflicts) = try merge(genres("", "", ""), genres("B", "", ""), genres("", "C", "A"))
    #expect(merged.rows(of: "genre").map { $0["parent"]?.text } == [nil, "C", "A"])
    #expect(conflicts.map(\.row) == ["genre a"])
    // A file without a title of its own is known by the name in the row.
    #expect(conflicts.map(\.title) == ["A"])
  }

  @Test func `a genre moved below a removed genre becomes a root and is reported`() throws {
    let both = #"{"genre":[{"name":"A","key":"a"},{"name":"B","key":"b"}]}"#
    let (merged, conflicts) = try merge(
      both, #"{"genre":[{"name":"A","key":"a"},{"name":"B","key":"b","parent":"A"}]}"#,
      #"{"genre":[{"name":"B","key":"b"}]}"#)
    #expect(merged.rows(of: "genre").map { $0["name"]?.text } == ["B"])
    #expect(merged.rows(of: "genre").first?["parent"] == nil)
    #expect(conflicts.map(\.row) == ["genre b"])
    #expect(conflicts.map(\.part) == ["parent"])
  }

  // MARK: What a file holds once

  @Test func `two entries in progress become one, and so do two open wishes`() throws {
    func entry(_ uid: String, _ date: String) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z",
        #","log_entry":[{"uid":"\#(uid)","started_on":"\#(date)","outcome":"ongoing"}],"wish":[{"uid":"w\#(uid)","note":"\#(uid)"}]"#
      )
    }
    let (merged, conflicts) = try merge(item(""), entry("b", "2026-01-02"), entry("a", "2026-01-01"))
    #expect(merged.rows(of: "log_entry").map { $0["uid"]?.text } == ["a"], "\(merged.rows(of: "log_entry"))")
    #expect(merged.rows(of: "wish").map { $0["note"]?.text } == ["a\n\nb"])
    #expect(!conflicts.isEmpty, "\(merged)")
  }

  @Test func `a copy lent twice stays with the latest borrower`() throws {
    func loan(_ uid: String, _ person: String, _ date: String) -> String {
      item(
        "", at: "2026-01-01T00:00:00Z",
        #","copy":[{"uid":"c"}],"loan":[{"uid":"\#(uid)","copy":"c","person":"\#(person)","lent_on":"\#(date)"}]"#)
    }
    let (merged, conflicts) = try merge(
      item("", at: "2026-01-01T00:00:00Z", #","copy":[{"uid":"c"}]"#), loan("a", "Ann", "2026-01-05"),
      loan("b", "Bo", "2026-01-02"))
    let loans = merged.rows(of: "loan")
    #expect(loans.map { $0["returned_on"]?.text } == [nil, "2026-01-05"])
    #expect(conflicts.count == 1)
  }

  // MARK: What others know

  @Test func `unknown members of a newer version are merged too`() throws {
    let (merged, _) = try merge(
      item("", at: "2026-01-01T00:00:00Z", #","mood":{"word":"calm"}"#),
      item(#""year":1965,"#, at: "2026-01-01T00:00:00Z", #","mood":{"word":"calm"}"#),
      item(#""colour":"red","#, at: "2026-01-01T00:00:00Z", #","mood":{"word":"wild"}"#))
    #expect(merged["mood"]?.object?["word"] == .text("wild"))
    #expect(merged.rows(of: "item").first?["colour"] == .text("red"))
    #expect(merged.rows(of: "item").first?["year"] == .integer(1965))
  }

  @Test func `piles are merged as ordered sets`() throws {
    func pile(_ items: String) -> String { #"{"pile":{"name":"next","key":"next"},"items":[\#(items)]}"# }
    let (merged, conflicts) = try merge(pile(#""a","b","c""#), pile(#""c","a","b""#), pile(#""a","c","d""#))
    #expect(merged["items"] == .list([.text("c"), .text("a"), .text("d")]))
    #expect(conflicts.isEmpty)
  }
}

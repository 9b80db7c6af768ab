import CatalogModel
import CommandLineKit
import Lookup
import Testing

@testable import CatalogCommands

/// Tests the state machine of `browse`: events go in, effects come out.
struct BrowserTests {
  /// A browser with a clock, a shelf and a source that the test controls.
  struct Person {
    var browser: Browser
    var now = Duration.seconds(100)
    var shelf: [Browser.Row] = []
    var source = "iTunes"
    var isLocal = false
    /// The titles that the copies on this computer suggest.
    var copied: [String] = []
    /// The effects of the browser, except searches of the shelf, which are answered.
    private(set) var effects: [Browser.Effect] = []

    init(_ words: String = "", tabs: [Kind] = Kind.allCases, columns: Int = 80, lines: Int = 24) {
      let itunes = Source.itunes
      let choices = Browser.Choices(
        categories: Dictionary(uniqueKeysWithValues: itunes.kindsWithAttributes.map { ($0, itunes.attributes($0)) }),
        seasonal: Set(itunes.kinds))
      browser = Browser(tabs, choices: choices, words: words, size: .init(columns: columns, lines: lines))
    }

    /// The requests to sources.
    var questions: [Browser.Question] {
      effects.compactMap { if case .search(let question) = $0 { question } else { nil } }
    }
    var asked: [String] {
      questions.map { question in
        let query = question.query
        let words = query.isSeasonal ? "seasons" : query.words
        let category = query.category == .all ? "" : " in \(query.category.word)"
        return "\(query.kind.rawValue) \(words)\(category) \(question.page)"
      }
    }

    mutating func start() { take(browser.start(at: now)) }

    mutating func press(_ keys: Key...) { for key in keys { take(browser.press(key, at: now)) } }

    mutating func type(_ text: String, every seconds: Double = 0) {
      for character in text {
        press(.character(character))
        wait(seconds)
      }
    }

    /// Advances the clock, and calls the browser at its deadlines.
    mutating func wait(_ seconds: Double) {
      let end = now + .seconds(seconds)
      var wakings = 0
      while let deadline = browser.deadline, deadline <= end {
        now = max(now, deadline)
        take(browser.pass(to: now))
        wakings += 1
        guard wakings < 100 else {
          Issue.record("the browser never sleeps")
          return
        }
      }
      now = end
    }

    /// Answers the last question with these titles.
    mutating func answer(_ titles: String..., hasMore: Bool = false, to question: Browser.Question? = nil) {
      guard let question = question ?? questions.last else { return }
      let section = SearchSection(
        words: question.query.words, kind: question.query.kind, source: source,
        candidates: titles.map { candidate($0, question.query.kind) },
        hasMore: hasMore)
      take(browser.receive([section], to: question, at: now))
    }

    /// Answers a question for the four seasons, each with one title or, for nil, with none.
    mutating func answerSeasons(_ titles: String?..., to question: Browser.Question? = nil, failure: Failure? = nil) {
      guard let question = question ?? questions.last else { return }
      let sections = zip(Season.allCases, titles).map { season, title in
        SearchSection(
          words: season.rawValue, kind: question.query.kind, source: source,
          candidates: title.map { [candidate($0, question.query.kind)] } ?? [], hasMore: false,
          failure: title == nil ? failure : nil
        ).of(season)
      }
      take(browser.receive(sections, to: question, at: now))
    }

    mutating func fail(_ question: Browser.Question? = nil) {
      guard let question = question ?? questions.last else { return }
      take(
        browser.receive(
          [
            SearchSection(
              words: question.query.words, kind: question.query.kind, source: source, candidates: [], hasMore: false,
              failure: Failure("iTunes cannot be reached"))
          ], to: question, at: now))
    }

    /// Reports that the question was stopped.
    mutating func stopped(_ question: Browser.Question) { take(browser.receive(nil, to: question, at: now)) }

    mutating func view(_ titles: String...) {
      browser.remember(
        titles.map {
          Browser.Row(section: .recent, target: .candidate(candidate($0, .book)), record: record($0, .book))
        })
    }

    mutating func forgetEffects() { effects = [] }

    private mutating func take(_ effects: [Browser.Effect]) {
      for effect in effects {
        if case .look = effect {
          let found = Browser.LocalResults(
            shelf: shelf, source: source, isLocal: isLocal, copied: copied.map { candidate($0, browser.kind) },
            copies: ["IMDb"])
          take(browser.showLocalResults(found, at: now))
        } else {
          self.effects.append(effect)
        }
      }
    }

    func record(_ title: String, _ kind: Kind) -> Record { Record(kind: kind, title: title) }

    func candidate(_ title: String, _ kind: Kind) -> Candidate {
      Candidate(id: ExternalID(source: "itunes", value: "track/\(title)"), record: record(title, kind))
    }

    var titles: [String] { browser.rows.map(\.record.title) }
    var chosen: String? { browser.selected?.record.title }
  }

  private var person = Person()

  // MARK: Asking

  @Test mutating func `the source is asked once, a second after the last character`() {
    person.start()
    person.type("dune", every: 0.9)
    #expect(person.asked == [])
    person.wait(0.09)
    #expect(person.asked == [])
    person.wait(0.01)
    #expect(person.asked == ["movie dune 1"])
    person.wait(60)
    #expect(person.asked == ["movie dune 1"])
  }

  @Test mutating func `local items and local sources are searched at each character`() {
    person.shelf = [
      Browser.Row(section: .shelf, target: .item(ItemID(rawValue: 7)), record: Record(kind: .movie, title: "Dune"))
    ]
    person.type("d")
    #expect(person.titles == ["Dune"])
    person.isLocal = true
    person.type("u")
    #expect(person.asked == ["movie du 1"])
  }

  @Test mutating func `search words given at the start are searched at once`() {
    person = Person("dune")
    person.start()
    #expect(person.asked == ["movie dune 1"])
  }

  @Test mutating func `Enter searches at once`() {
    person.type("dune")
    person.press(.enter)
    #expect(person.asked == ["movie dune 1"])
    person.wait(5)
    #expect(person.asked.count == 1)
  }

  @Test mutating func `one request runs at a time, followed by the newest search words only`() {
    person.type("d")
    person.wait(1)
    let first = person.questions[0]
    person.type("u")
    person.wait(1)
    person.type("n")
    person.wait(1)
    person.type("e")
    person.wait(1)
    // The first question is stopped once. The next one waits until it has stopped.
    #expect(person.effects == [.search(first), .stopSearch])
    person.stopped(first)
    #expect(person.asked == ["movie d 1", "movie dune 1"])
  }

  @Test mutating func `an answer to earlier search words is hidden until these words return`() {
    person.type("du")
    person.wait(1)
    let first = person.questions[0]
    person.type("ne")
    person.answer("Dumbo", to: first)
    #expect(person.titles == [])
    #expect(person.browser.state == .waiting)
    person.wait(1)
    person.answer("Dune")
    #expect(person.titles == ["Dune"])
    person.press(.backspace, .backspace)
    #expect(person.titles == ["Dumbo"])
    person.wait(5)
    #expect(person.asked == ["movie du 1", "movie dune 1"])
  }

  @Test mutating func `repeated search words are not requested again, whatever their case and blanks`() {
    person.type("björk")
    person.wait(1)
    person.answer("Debut")
    person.press(.control("u"))
    #expect(person.titles == [])
    person.type("  BJORK ")
    person.wait(5)
    #expect(person.titles == ["Debut"])
    #expect(person.asked == ["movie björk 1"])
    person.press(.enter)
    #expect(person.asked.count == 1)
  }

  @Test mutating func `a failed search is repeated with Enter or with retyped words, never by itself`() {
    person.type("dune")
    person.wait(1)
    person.fail()
    person.wait(60)
    #expect(person.asked.count == 1)
    #expect(person.browser.state == .failed(Failure("iTunes cannot be reached")))
    person.press(.enter)
    #expect(person.asked.count == 2)
    #expect(person.browser.state == .asking)
    person.fail()
    person.wait(60)
    #expect(person.asked.count == 2)
    // In the list there is nothing to show: Enter asks again there too.
    person.press(.enter)
    #expect(person.asked.count == 3)
    person.fail()
    person.press(.escape, .backspace, .character("e"))
    person.wait(1)
    #expect(person.asked.count == 4)
    person.answer("Dune")
    #expect(person.titles == ["Dune"])
  }

  @Test mutating func `another kind is searched for the same words, and the first results are kept`() {
    person.type("dune")
    person.wait(1)
    person.answer("Dune")
    person.press(.tab)
    #expect(person.titles == [])
    person.wait(0.3)
    person.press(.tab, .tab)
    person.wait(0.2)
    person.press(.backTab)
    person.wait(0.3)
    // The book is not waited for any more.
    #expect(person.asked == ["movie dune 1", "book dune 1"])
    #expect(person.effects.last == .stopSearch)
    person.stopped(person.questions[1])
    #expect(person.asked.last == "vinyl dune 1")
    person.answer("Dune, the record")
    person.press(.backTab, .backTab)
    person.wait(5)
    #expect(person.titles == ["Dune"])
    #expect(person.asked.count == 3)
  }

  @Test mutating func `deleted search words are not requested, and a running request is stopped`() {
    person.type("dune")
    person.wait(0.5)
    person.press(.control("u"))
    person.wait(5)
    #expect(person.asked == [])
    person.type("dune")
    person.wait(1)
    person.press(.control("u"))
    #expect(person.effects.last == .stopSearch)
    person.stopped(person.questions[0])
    person.wait(5)
    #expect(person.asked.count == 1)
    person.type("   ")
    person.wait(5)
    #expect(person.asked.count == 1)
  }

  @Test mutating func `search words that return while their request is stopping are requested again`() {
    person.type("dune")
    person.wait(1)
    person.type("s")
    person.wait(1)
    #expect(person.effects.last == .stopSearch)
    person.press(.backspace)
    person.stopped(person.questions[0])
    person.wait(1)
    #expect(person.asked == ["movie dune 1", "movie dune 1"])
  }

  // MARK: Copies

  @Test mutating func `titles of copies are shown at every key, and those that the source finds too are shown once`() {
    person.copied = ["Heat", "Heaven", "Heathers"]
    person.type("hea")
    #expect(person.titles == ["Heat", "Heaven", "Heathers"])
    #expect(person.asked == [])
    #expect(person.browser.lines.contains(.heading(.copies)))
    person.press(.down, .down)
    #expect(person.chosen == "Heaven")
    person.wait(1)
    person.answer("Heathers", "Heaven", "Heat and Dust")
    #expect(person.titles == ["Heathers", "Heaven", "Heat and Dust", "Heat"])
    // The selection stays with its title.
    #expect(person.chosen == "Heaven")
  }

  // MARK: Categories

  @Test mutating func `changing categories quickly requests the last category once`() {
    person.type("kang")
    person.wait(1)
    person.answer("Everywhere")
    person.press(.control("t"))
    person.wait(0.2)
    person.press(.control("t"), .control("t"))
    #expect(person.browser.category.word == "artist")
    #expect(person.browser.field.text == "kang")
    #expect(person.titles == [])
    #expect(person.browser.state == .waiting)
    #expect(person.asked == ["movie kang 1"])
    person.wait(0.29)
    #expect(person.asked.count == 1)
    person.wait(0.01)
    #expect(person.asked == ["movie kang 1", "movie kang in artist 1"])
    person.answer("Artist")
    person.wait(60)
    #expect(person.asked.count == 2)
    // An answer is there at once, and its kind keeps its category.
    for _ in 0..<11 { person.press(.control("t")) }
    #expect(person.browser.category == .all)
    #expect(person.titles == ["Everywhere"])
    person.press(.down, .character("T"), .character("ㅅ"), .character("t"), .character("t"), .character("t"))
    #expect(person.titles == ["Artist"])
    #expect(person.chosen == "Artist")
    person.press(.tab, .backTab)
    #expect(person.browser.category.word == "artist")
    person.wait(60)
    #expect(person.asked.count == 2)
  }

  @Test mutating func `an answer for an earlier category is not shown`() {
    person.type("kang")
    person.press(.control("t"), .enter)
    let actor = person.questions[0]
    person.press(.character("t"))
    person.wait(0.3)
    #expect(person.effects == [.search(actor), .stopSearch])
    person.press(.character("t"))
    // It was under way already, and comes all the same.
    person.answer("Late", to: actor)
    #expect(person.titles == [])
    person.wait(0.3)
    #expect(person.asked == ["movie kang in actor 1", "movie kang in artist 1"])
    person.answer("Artist")
    #expect(person.titles == ["Artist"])
  }

  @Test mutating func `books have no categories, and no category is requested without search words`() {
    person.press(.control("t"))
    person.wait(5)
    #expect(person.browser.category.word == "actor")
    #expect(person.effects == [])
    person.press(.tab, .control("t"))
    #expect(person.browser.message == "There are no categories of books here.")
    person = Person("x", tabs: [.vinyl])
    person.press(.control("t"), .control("s"))
    #expect(person.browser.message == "The seasons cannot be searched for among vinyl here.")
    #expect(person.browser.field.text == "x")
    #expect(person.effects == [])
  }

  // MARK: Seasons

  @Test mutating func `the four seasons replace the recents and are one request`() {
    person.view("Emma")
    person.press(.control("s"))
    #expect(person.titles == [])
    #expect(person.browser.state == .waiting)
    person.wait(0.3)
    #expect(person.asked == ["movie seasons 1"])
    person.answerSeasons("Spring", "Summer", nil, "Winter")
    #expect(person.titles == ["Spring", "Summer", "Winter"])
    let rows = person.browser.rows
    #expect(
      person.browser.lines == [
        .heading(.source(.spring)), .row(rows[0]), .blank, .heading(.source(.summer)), .row(rows[1]), .blank,
        .state(.nothing("autumn", source: "iTunes")), .blank, .heading(.source(.winter)), .row(rows[2]),
      ])
    // Words stand over them, and Esc leads back step by step.
    person.type("dune")
    #expect(person.titles == [])
    person.press(.escape)
    #expect(person.titles.count == 3)
    person.press(.escape)
    #expect(person.titles == ["Emma"])
    #expect(person.effects.last != .quit)
    person.press(.escape)
    #expect(person.effects.last == .quit)
    #expect(person.asked.count == 1)
  }

  @Test mutating func `a changed category requests the four seasons again, for the last choice only`() {
    person.press(.control("s"))
    person.wait(0.3)
    let all = person.questions[0]
    person.press(.control("t"))
    person.wait(0.3)
    #expect(person.effects.last == .stopSearch)
    person.press(.control("t"), .control("t"))
    person.answerSeasons("a", "b", "c", "d", to: all)
    #expect(person.titles == [])
    person.wait(0.3)
    #expect(person.asked == ["movie seasons 1", "movie seasons in artist 1"])
    person.answerSeasons("e", "f", "g", "h")
    #expect(person.titles == ["e", "f", "g", "h"])
    person.press(.down, .character("s"), .character("s"))
    person.wait(60)
    #expect(person.asked.count == 2)
    #expect(person.titles == ["e", "f", "g", "h"])
  }

  @Test mutating func `a failed season is reported in its place, and a failure of all seasons once`() {
    let failure = Failure("iTunes did not answer in time")
    person.press(.control("s"))
    person.wait(0.3)
    person.answerSeasons("Spring", nil, "Autumn", "Winter", failure: failure)
    #expect(person.titles == ["Spring", "Autumn", "Winter"])
    #expect(person.browser.lines.contains(.state(.failed(Failure("summer: iTunes did not answer in time")))))
    person.press(.enter)
    #expect(person.asked.count == 2)
    #expect(person.browser.progress == "Asking iTunes again …")
    person.answerSeasons(nil, nil, nil, nil, failure: failure)
    #expect(person.browser.lines == [.state(.failed(failure))])
  }

  // MARK: Asking again

  @Test mutating func `the retry message stays until the source has answered`() {
    person.type("dune")
    person.wait(1)
    #expect(person.browser.progress == nil)
    person.fail()
    person.press(.enter)
    #expect(person.browser.messageLines == ["Asking iTunes again …"])
    person.browser.wait(saying: "Waiting 12 s: iTunes allows 20 a minute")
    #expect(person.browser.messageLines == ["Waiting 12 s: iTunes allows 20 a minute"])
    person.browser.wait(saying: nil)
    person.fail()
    #expect(person.browser.progress == nil)
    person.press(.enter)
    #expect(person.browser.progress != nil)
    person.press(.escape, .escape)
    #expect(person.browser.progress == nil, "nobody waits for it any more")
  }

  // MARK: Pages

  private mutating func findTen() {
    person.type("dune")
    person.press(.enter)
    person.answer("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", hasMore: true)
  }

  @Test mutating func `the next page is requested near the end, one at a time, and none after the last`() {
    findTen()
    person.press(.down, .down, .down, .down)
    #expect(person.chosen == "5")
    #expect(person.asked.count == 1)
    person.press(.down)
    #expect(person.asked == ["movie dune 1", "movie dune 2"])
    #expect(person.browser.state == .askingMore)
    person.press(.down, .down, .end)
    #expect(person.asked.count == 2)
    // A hit on both pages is shown once.
    person.answer("10", "11", "12", hasMore: true)
    #expect(person.titles.count == 12)
    #expect(person.chosen == "10")
    #expect(person.asked.last == "movie dune 3")
    // A page that comes twice is shown once, too.
    person.answer("13", hasMore: true, to: person.questions[1])
    #expect(person.titles.count == 12)
    person.answer(hasMore: true)
    person.press(.end)
    person.wait(60)
    #expect(person.asked.count == 3)
  }

  @Test mutating func `a failed next page is requested again when the user moves on`() {
    findTen()
    person.press(.end)
    person.fail()
    #expect(person.browser.state == .moreFailed(Failure("iTunes cannot be reached")))
    #expect(person.titles.count == 10)
    person.wait(60)
    #expect(person.asked.count == 2)
    // A key that is held down asks once, when it is let go.
    for _ in 0..<30 {
      person.press(.down)
      person.wait(0.03)
    }
    #expect(person.asked.count == 2)
    person.wait(1)
    #expect(person.asked == ["movie dune 1", "movie dune 2", "movie dune 2"])
    person.answer("11")
    #expect(person.titles.count == 11)
    #expect(person.browser.state == nil)
  }

  @Test mutating func `no further page is requested while the user types`() {
    person.type("dune")
    person.wait(1)
    person.answer("1", "2", hasMore: true)
    person.wait(60)
    #expect(person.asked.count == 1)
  }

  // MARK: Field and list

  @Test mutating func `letters are typed in the field and are commands in the list`() {
    person.type("faq")
    #expect(person.browser.field.text == "faq")
    person.press(.enter)
    person.answer("FAQ")
    person.press(.character("f"), .character("ㅁ"), .character("?"), .character("x"), .character("ㅂ"))
    let row = person.browser.rows[0]
    #expect(
      person.effects.dropFirst() == [.run(.init(verb: .favorite, row: row)), .quit], "x only closes the help")
    #expect(person.browser.actions.map(\.verb) == [.favorite, .add])
    person.press(.character("/"))
    person.type("q")
    #expect(person.browser.field.text == "faqq")
  }

  @Test mutating func `pasted text goes into the search field and runs no command`() {
    person.type("dune")
    person.press(.enter)
    person.answer("Dune")
    person.forgetEffects()
    person.press(.pasted(" "), .pasted("f"), .pasted("q"))
    #expect(person.browser.field.text == "dune fq")
    #expect(person.effects == [])
    person.wait(1)
    #expect(person.asked == ["movie dune fq 1"])
  }

  @Test mutating func `actions on rows run one after the other`() {
    person.type("dune")
    person.press(.enter)
    person.answer("One", "Two")
    person.forgetEffects()
    person.press(.character("a"), .down, .character("a"))
    let (one, two) = (person.browser.actions[0], person.browser.actions[1])
    #expect(person.effects == [.run(one)])
    #expect(person.browser.finish(one, saying: "added") == [.run(two)])
    #expect(person.browser.message == "added")
    person.press(.down)
    #expect(person.browser.message == nil)
  }

  @Test mutating func `Enter and Down select the first result, and recents show only while the field is empty`() {
    person.view("Emma")
    #expect(person.titles == ["Emma"])
    person.type("dune")
    #expect(person.titles == [])
    person.press(.down)
    #expect(person.chosen == nil)
    person.wait(1)
    person.answer("Dune", "Dune II")
    #expect(person.titles == ["Dune", "Dune II"])
    #expect(person.chosen == "Dune")
    person.press(.up)
    #expect(person.browser.focus == .field)
    person.press(.enter)
    #expect(person.chosen == "Dune")
    person.press(.escape, .escape)
    #expect(person.titles == ["Emma"])
    person.press(.down)
    #expect(person.chosen == "Emma")
  }

  @Test mutating func `a wide screen has a pane for the selected row or the row that would be selected`() {
    person.view("Emma")
    #expect(person.browser.looked == nil)
    person.browser.resize(to: .init(columns: 140, lines: 40))
    #expect(person.browser.looked?.record.title == "Emma")
    #expect(person.browser.paneWidth + person.browser.listWidth + 3 == 140)
    person.type("dune")
    #expect(person.browser.looked == nil)
    person.press(.enter)
    person.answer("One", "Two")
    person.press(.down)
    #expect(person.browser.looked?.record.title == "Two")
    person.press(.enter)
    #expect(person.browser.looked == nil, "its page has the whole screen")
  }

  @Test mutating func `Esc clears the search field, then quits`() {
    person.type("dune")
    person.press(.escape)
    #expect(person.browser.field.text == "")
    #expect(person.effects == [])
    person.press(.escape)
    #expect(person.effects == [.quit])
  }

  @Test mutating func `the selection stays on its row while rows appear above and below`() {
    person.type("dune")
    person.press(.enter)
    person.answer("One", "Two", hasMore: true)
    person.press(.down)
    person.answer("Three")
    person.view("Emma")
    #expect(person.titles == ["One", "Two", "Three"])
    #expect(person.chosen == "Two")
  }

  @Test mutating func `Enter opens a page, and Esc closes it and stops its requests`() {
    person.type("dune")
    person.press(.enter)
    person.answer("Dune")
    person.forgetEffects()
    person.press(.enter)
    let action = Browser.Action(verb: .show, row: person.browser.rows[0])
    #expect(person.effects == [.run(action)])
    person.browser.fill((1...50).map { "line \($0)" }, of: action.row, isLoading: true)
    person.press(.pageDown, .end, .pageDown)
    #expect(person.browser.sheet?.scroll == 50 - 23)
    person.press(.home, .up)
    #expect(person.browser.sheet?.scroll == 0)
    person.press(.escape)
    #expect(person.browser.sheet == nil)
    #expect(person.effects == [.run(action), .stopAction])
    // A late answer is not shown.
    person.browser.fill(["late"], of: action.row, isLoading: false)
    #expect(person.browser.finish(action, saying: nil) == [])
    #expect(person.browser.sheet == nil)
    #expect(person.chosen == "Dune")
  }

  // MARK: The list

  @Test mutating func `no heading is shown without rows`() {
    #expect(person.browser.lines == [.state(.invitation)])
    person.type("dune")
    #expect(person.browser.lines == [.state(.waiting)])
    person.wait(1)
    #expect(person.browser.lines == [.state(.asking)])
    person.answer()
    #expect(person.browser.lines == [.state(.nothing("dune", source: "iTunes"))])
    person.view("Emma")
    #expect(person.browser.lines == [.state(.nothing("dune", source: "iTunes"))])
    person.press(.control("u"))
    #expect(person.browser.lines == [.heading(.recent), .row(person.browser.rows[0])])
  }

  @Test mutating func `the help page scrolls on a small screen, and any other key closes it`() {
    person.browser.resize(to: .init(columns: 40, lines: 10))
    person.view("a")
    person.press(.down, .character("?"), .pageDown)
    #expect(person.browser.helpScroll == 8)
    for _ in 0..<9 { person.press(.pageDown) }
    #expect(person.browser.helpScroll == person.browser.help.count - 9)
    person.browser.resize(to: .init(columns: 80, lines: 40))
    #expect(person.browser.helpScroll == 0)
    person.press(.character("q"))
    #expect(person.browser.helpScroll == nil)
    #expect(person.effects == [])
  }

  @Test(arguments: [24, 10, 5, 3, 1])
  mutating func `the selected row is always visible`(lines: Int) {
    person.browser.resize(to: .init(columns: 40, lines: lines))
    person.view("a", "b", "c")
    findTen()
    let keys: [Key] = [.end, .home, .pageDown, .pageDown, .up, .pageUp, .down, .down, .end, .up]
    for key in keys {
      person.press(key)
      guard let selected = person.browser.selected else { continue }
      #expect(person.browser.visibleLines.contains(.row(selected)), "after \(key) at \(lines) lines")
    }
    person.browser.resize(to: .init(columns: 80, lines: 12))
    if let selected = person.browser.selected {
      #expect(person.browser.visibleLines.contains(.row(selected)))
    }
  }
}

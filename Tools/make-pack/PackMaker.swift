import CatalogModel
import Lookup

/// Makes the text of the starter pack from the lists in Data/pack, and reports errors in them.
struct PackMaker {
  /// A list: its first line names the columns after `# `, the other lines are entries or comments.
  struct List {
    var kind: Kind
    /// Its name for messages.
    var file: String
    var text: String
  }

  /// An error in a line of a list.
  struct Problem: Error, Equatable, CustomStringConvertible {
    var file: String
    var line: Int
    var words: String
    var description: String { "\(file):\(line): \(words)" }
  }

  /// The names in Data/genres.txt.
  var genres: Set<String>

  /// The columns of each kind of list.
  static let columns: [Kind: [String]] = [
    .movie: ["title", "original_title", "year", "directors", "genres", "minutes", "countries"],
    .book: ["title", "original_title", "year", "authors", "genres", "language"],
    .vinyl: ["title", "original_title", "year", "artists", "genres", "label", "country"],
  ]

  init(genreTree: String) {
    genres = Set(
      genreTree.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("#") }.compactMap { line in
        // The Korean name follows the bar.
        line.split(separator: " | ").first.map(String.init)
      })
  }

  /// The pack's text, sorted by id, and everything that is wrong. A line with a problem is not in the text.
  func pack(from lists: [List]) -> (text: String, problems: [Problem]) {
    var problems: [Problem] = []
    var entries: [String: (line: String, place: String)] = [:]
    for list in lists {
      let lines = list.text.split(separator: "\n", omittingEmptySubsequences: false)
      let columns = Self.columns[list.kind] ?? []
      if lines.first.map(String.init) != "# " + columns.joined(separator: "\t") {
        problems.append(
          Problem(file: list.file, line: 1, words: "the columns are not \(columns.joined(separator: ", "))"))
      }
      for (number, line) in zip(1..., lines) where !line.isEmpty && !line.hasPrefix("#") {
        do throws(Problem) {
          let (id, entry) = try self.entry(line, list, number, columns)
          if let other = entries[id] {
            throw Problem(file: list.file, line: number, words: "\(other.place) is '\(id)' too")
          }
          entries[id] = (entry, "\(list.file):\(number)")
        } catch {
          problems.append(error)
        }
      }
    }
    let sorted = entries.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
    let head =
      "# Made by make-pack from Data/pack: change the lists there.\n# "
      + StarterPack.columns.joined(separator: "\t")
    return (([head] + sorted.map(\.value.line)).joined(separator: "\n") + "\n", problems)
  }

  private func entry(
    _ line: Substring, _ list: List, _ number: Int, _ columns: [String]
  ) throws(Problem) -> (id: String, line: String) {
    func problem(_ words: String) -> Problem { Problem(file: list.file, line: number, words: words) }
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    guard cells.count == columns.count else { throw problem("\(cells.count) cells instead of \(columns.count)") }
    let byColumn = Dictionary(zip(columns, cells)) { first, _ in first }
    func cell(_ names: String...) -> String { names.lazy.compactMap { byColumn[$0] }.first ?? "" }

    for cell in cells where !Self.isTidy(cell) { throw problem("stray blanks or control characters in '\(cell)'") }
    let title = cell("title")
    guard !title.isEmpty else { throw problem("no title") }
    guard cell("original_title") != title else { throw problem("the original title is the title: leave it empty") }
    guard let year = ReleaseYear.parse(cell("year")) else { throw problem("'\(cell("year"))' is no year") }

    let creators = values(cell("directors", "authors", "artists"))
    let labels = values(cell("genres"))
    let countries = values(cell("countries", "country"))
    for (name, values) in [("creator", creators), ("genre", labels)] where values.isEmpty {
      throw problem("no \(name)")
    }
    for values in [creators, labels, countries] {
      guard Set(values).count == values.count, !values.contains(where: { $0.isEmpty || $0.contains(";") }) else {
        throw problem("a value is empty or there twice")
      }
    }
    if let unknown = labels.first(where: { !genres.contains($0) }) { throw problem("there is no genre '\(unknown)'") }
    for country in countries where !Self.isCode(country, in: "A"..."Z") { throw problem("'\(country)' is no country") }
    let language = cell("language")
    guard language.isEmpty || Self.isCode(language, in: "a"..."z") else {
      throw problem("'\(language)' is no language")
    }
    let minutes = cell("minutes")
    guard minutes.isEmpty || Int(minutes).map((1...1000).contains) == true else {
      throw problem("'\(minutes)' is no running time")
    }
    // A title without letters or digits gets its id from a creator.
    guard let slug = Self.slug(title) ?? creators.first.flatMap(Self.slug) else {
      throw problem("no id can be made of '\(title)'")
    }
    let id = "\(list.kind.rawValue)/\(slug)-\(year < 0 ? "\(-year)bc" : "\(year)")"
    let all = [
      id, title, cell("original_title"), "\(year)", creators.joined(separator: "; "), labels.joined(separator: "; "),
      minutes, countries.joined(separator: "; "), language, cell("label"),
      StarterPack.keys(
        titles: ([title] + values(cell("original_title"))).filter { !$0.isEmpty }, creators: creators, genres: labels),
    ]
    return (id, all.joined(separator: "\t"))
  }

  private func values(_ cell: String) -> [String] {
    cell.isEmpty ? [] : cell.split(separator: "; ", omittingEmptySubsequences: false).map(String.init)
  }

  private static func isTidy(_ cell: String) -> Bool {
    !cell.hasPrefix(" ") && !cell.hasSuffix(" ") && !cell.contains("  ")
      && cell.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  private static func isCode(_ text: String, in letters: ClosedRange<Character>) -> Bool {
    text.utf8.count == 2 && text.allSatisfy(letters.contains)
  }

  /// `Amélie` as `amelie`, `Ocean's Eleven` as `oceans-eleven`, `살인의 추억` as `살인의-추억`: words that stay readable.
  static func slug(_ title: String) -> String? {
    var words: [String] = []
    var isInWord = false
    for character in Folding.fold(title) {
      if character.isLetter || character.isNumber {
        if !isInWord { words.append("") }
        words[words.count - 1].append(character)
        isInWord = true
      } else if character != "'", character != "’" {
        isInWord = false
      }
    }
    return words.isEmpty ? nil : words.joined(separator: "-")
  }
}

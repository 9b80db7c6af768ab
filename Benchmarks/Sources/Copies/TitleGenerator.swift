import Glibc

/// Makes titles, names and codes up, the same at every run: words and names with the frequencies of a language (Zipf),
/// one title in ten in Hangul, one in twelve like one before it.
struct TitleGenerator {
  private var random: Random
  private let words: Int
  private let makers: Int
  private var recent: [String] = []

  /// - Parameter count: the number of titles, which decides how many different words and makers there are.
  init(count: Int, seed: UInt64 = 20_261_128) {
    random = Random(state: seed)
    (words, makers) = (max(10_000, count / 4), max(1_000, count / 4))
  }

  struct Title {
    var text: String
    var isKorean: Bool
    var maker: Int
    var label: Int
    var year: Int
    var code: UInt64?
    var catalogNumber: String
    /// Skewed as fame is: a few have very much (Pareto).
    var votes: Int
  }

  mutating func next() -> Title {
    let isKorean = random.below(10) == 0
    var text = title(isKorean: isKorean)
    if random.below(12) == 0, !recent.isEmpty { text = recent[random.below(recent.count)] }
    if recent.count < 10_000 { recent.append(text) } else { recent[random.below(recent.count)] = text }
    let maker = zipf(makers)
    return Title(
      text: text, isKorean: isKorean, maker: maker, label: zipf(50_000),
      year: 2026 - min(random.below(80), random.below(80)),
      code: random.below(100) < 65 ? 400_000_000_000 + UInt64(random.below(500_000_000_000)) : nil,
      catalogNumber: "\(Self.codes[random.below(Self.codes.count)]) \(random.below(99_999))",
      votes: Int(min(3e6, 5 / pow(Double(1 + random.below(1_000_000)) / 1e6, 1.1))))
  }

  /// The name of a maker by its number.
  static func name(_ number: Int) -> String {
    if number % 10 == 3 {
      return syllables(number, count: 1, of: 40) + syllables(number &* 7, count: 2, of: 300)
    }
    let first = word(200 + number % 4_000)
    return capitalized(first) + " " + capitalized(word(5_000 + number))
  }

  // MARK: Parts

  mutating func title(isKorean: Bool) -> String {
    let count = 1 + min(random.below(12), random.below(7))
    if isKorean {
      return (0..<1 + count / 2).map { _ in
        Self.syllables(zipf(200_000), count: 1 + random.below(4), of: 1_200)
      }.joined(separator: " ")
    }
    return (0..<count).map { place in
      let word = Self.word(zipf(words))
      return place == 0 || word.utf8.count > 3 ? Self.capitalized(word) : word
    }.joined(separator: " ")
  }

  /// A number below a bound, small ones by far the most often: P(n) ~ 1/n.
  private mutating func zipf(_ bound: Int) -> Int {
    let unit = Double(random.below(1 << 30)) / Double(1 << 30)
    return min(bound - 1, Int(exp(unit * log(Double(bound)))) - 1)
  }

  mutating func below(_ bound: Int) -> Int { random.below(bound) }

  /// The word with a number: the frequent words of languages, then made-up ones, longer with larger numbers.
  static func word(_ number: Int) -> String {
    if number < frequent.count { return frequent[number] }
    var mixed = Random(state: UInt64(number))
    var word = ""
    for _ in 0..<(number < 3_000 ? 2 : number < 200_000 ? 3 : 4) {
      word += onsets[mixed.below(onsets.count)] + vowels[mixed.below(vowels.count)]
      if mixed.below(3) == 0 { word += codas[mixed.below(codas.count)] }
    }
    return word
  }

  private static func capitalized(_ word: String) -> String { word.prefix(1).uppercased() + word.dropFirst() }

  private static func syllables(_ number: Int, count: Int, of common: Int) -> String {
    var mixed = Random(state: UInt64(truncatingIfNeeded: number) &+ 77)
    var text = String.UnicodeScalarView()
    for _ in 0..<count {
      let place = min(mixed.below(common), mixed.below(common)) * 9 % 11_172
      if let scalar = Unicode.Scalar(0xAC00 + UInt32(truncatingIfNeeded: place)) { text.append(scalar) }
    }
    return String(text)
  }

  private static let frequent =
    ("the of a in and to love for on my you with is from at it i me life no live be one best de la el en le les der die das "
    + "und und et du des los las un una il di da do e y o und im am auf mit von zu ein eine night day world time heart "
    + "man girl boy house music song dance blue black white red new old big little good bad great first last vol part "
    + "hits collection remix ep mix session sessions years story king queen rock soul jazz baby dream dreams fire water "
    + "sun moon star stars sky road home way back down up out into over never always again we our your his her this that")
    .split(separator: " ").map(String.init)
  private static let onsets = [
    "b", "br", "c", "ch", "d", "dr", "f", "fl", "g", "gr", "h", "j", "k", "kr", "l", "m", "n", "p", "pr", "r", "s",
    "sh",
    "st", "t", "tr", "v", "w", "z",
  ]
  private static let vowels = ["a", "e", "i", "o", "u", "a", "e", "o", "ai", "ea", "ie", "ou"]
  private static let codas = ["n", "r", "s", "l", "t", "m", "nd", "rt", "ck"]
  private static let codes = ["CL", "BLP", "ST", "SD", "MCA", "ECM", "PC", "KC", "V", "SP", "AMLS", "UICY"]
}

/// Writes a dump of Discogs with made-up releases, each a title of its own, packed by gzip.
///
/// - Parameter isFull: whether records have the length of real ones, 3.2 kB, with tracks, pictures and notes.
func writeReleases(count: Int, to path: String, isFull: Bool) throws {
  guard let pipe = popen("gzip -\(isFull ? 6 : 1) > '\(path)'", "w") else { throw Trouble("cannot start gzip") }
  var titles = TitleGenerator(count: count)
  // A generator of its own, so that the titles are the same with and without tracks.
  var tracks = TitleGenerator(count: 100_000, seed: 5)
  var text = "<releases>\n"
  func flush() {
    var bytes = Array(text.utf8)
    fwrite(&bytes, 1, bytes.count, pipe)
    text = ""
  }
  let genres = ["Electronic", "Rock", "Jazz", "Pop", "Folk, World, &amp; Country", "Hip Hop", "Classical"]
  let styles = ["House", "Techno", "Punk", "Modal", "Ballad", "Ambient", "Disco", "Soul", "Indie Rock", "Dub"]
  let countries = ["US", "UK", "Germany", "Japan", "France", "Italy", "South Korea", "Sweden"]
  for number in 1...count {
    let title = titles.next()
    let maker = TitleGenerator.name(title.maker)
    text += "<release id=\"\(number)\" status=\"Accepted\">"
    if isFull {
      text += "<images>"
      for _ in 0..<4 { text += "<image type=\"secondary\" uri=\"\" uri150=\"\" width=\"600\" height=\"600\"/>" }
      text += "</images>"
    }
    text += "<artists><artist><id>\(title.maker + 1)</id><name>\(maker)</name><anv></anv><join></join><role></role>"
    text += "<tracks></tracks></artist></artists><title>\(title.text)</title><labels><label name=\""
    text += "\(TitleGenerator.name(900_000 + title.label)) Records\" catno=\"\(title.catalogNumber)\" id=\""
    text += "\(title.label + 1)\"/></labels>"
    if isFull {
      text += "<extraartists>"
      for _ in 0..<2 {
        let number = tracks.below(100_000)
        text += "<artist><id>\(number)</id><name>\(TitleGenerator.name(number))</name><anv></anv><join></join>"
        text += "<role>Producer, Written-By</role><tracks></tracks></artist>"
      }
      text += "</extraartists>"
    }
    text += "<formats><format name=\"Vinyl\" qty=\"1\" text=\"\"><descriptions><description>LP</description>"
    text += "<description>Album</description></descriptions></format></formats><genres><genre>"
    text += "\(genres[tracks.below(genres.count)])</genre></genres><styles><style>\(styles[tracks.below(styles.count)])"
    text +=
      "</style></styles><country>\(countries[tracks.below(countries.count)])</country><released>\(title.year)-00-00"
    text += "</released>"
    if isFull { text += "<notes>\(tracks.title(isKorean: false)). \(tracks.title(isKorean: false)).</notes>" }
    text += "<data_quality>Needs Vote</data_quality>"
    if isFull {
      text += "<tracklist>"
      for place in 1...10 {
        text +=
          "<track><position>\(place < 6 ? "A" : "B")\(place)</position><title>\(tracks.title(isKorean: title.isKorean))"
        text += "</title><duration>\(1 + tracks.below(8)):\(10 + tracks.below(50))</duration></track>"
      }
      text += "</tracklist>"
    }
    text += "<identifiers>"
    if let code = title.code {
      var (rest, sum, isTriple) = (code, UInt64(0), true)
      while rest > 0 {
        sum += rest % 10 * (isTriple ? 3 : 1)
        isTriple.toggle()
        rest /= 10
      }
      text += "<identifier type=\"Barcode\" value=\"\(code)\((10 - sum % 10) % 10)\"/>"
    }
    if isFull {
      for side in ["A", "B"] {
        text +=
          "<identifier type=\"Matrix / Runout\" description=\"Side \(side)\" value=\"\(tracks.below(999_999))-\(side)\"/>"
      }
    }
    text += "</identifiers>"
    if isFull {
      text += "<videos>"
      for _ in 0..<2 {
        let name = tracks.title(isKorean: false)
        text +=
          "<video src=\"https://www.youtube.com/watch?v=\(tracks.below(1 << 40))\" duration=\"\(tracks.below(500))\""
        text += " embed=\"true\"><title>\(maker) - \(name)</title><description>\(name)</description></video>"
      }
      text += "</videos><companies><company><id>\(tracks.below(90_000))</id><name>Pressing Plant</name><catno></catno>"
      text += "<entity_type>17</entity_type><entity_type_name>Pressed By</entity_type_name><resource_url>"
      text += "https://api.discogs.com/labels/\(tracks.below(90_000))</resource_url></company></companies>"
    }
    text += "</release>\n"
    if text.utf8.count > 1 << 20 { flush() }
  }
  text += "</releases>\n"
  flush()
  guard pclose(pipe) == 0 else { throw Trouble("gzip failed") }
}

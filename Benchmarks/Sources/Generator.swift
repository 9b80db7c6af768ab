/// A made-up work as a line of a table, the input of both our program and the C floor.
struct Thing {
  /// By ``Column``. Empty is unknown.
  var fields: [String]

  enum Column: Int {
    case kind, title, originalTitle, year, creator, second, genre1, genre2, genre3, source, sourceID
    /// An ISBN or a record's catalog number.
    case code
    case barcode
    /// The publisher or the label.
    case maker
    case country
    /// Minutes, pages or discs.
    case amount
  }

  subscript(_ column: Column) -> String { fields[column.rawValue] }
}

/// Generates the same works at every run: realistic titles, one in seven of them Korean; one to three genres, a few of
/// which are very frequent; and people with several works.
struct Generator {
  private var random = Random(state: 20_261_121)
  private let people: Int

  init(count: Int) { people = max(50, count / 4) }

  mutating func next() -> Thing {
    let kind = ["movie", "book", "vinyl"][random.below(3)]
    let isKorean = random.below(7) == 0
    let title = isKorean ? koreanTitle() : title()
    let genres = genres(of: kind)
    let hasSource = random.below(2) == 0
    let isMovie = kind == "movie"
    return Thing(fields: [
      kind, title, isKorean && random.below(3) == 0 ? self.title() : "",
      random.below(20) == 0 ? "" : "\(2026 - min(random.below(100), random.below(100)))",
      person(isKorean: isKorean), isMovie || random.below(4) == 0 ? person(isKorean: isKorean) : "",
      genres[0], genres.count > 1 ? genres[1] : "", genres.count > 2 ? genres[2] : "",
      hasSource ? ["movie": "tmdb", "book": "openlibrary", "vinyl": "discogs"][kind] ?? "" : "",
      hasSource ? (kind == "book" ? "OL\(random.below(30_000_000))W" : "\(random.below(30_000_000))") : "",
      kind == "book" && random.below(2) == 0
        ? isbn() : kind == "vinyl" ? "\(pick(Words.codes)) \(random.below(99_999))" : "",
      kind == "vinyl" && random.below(3) == 0 ? "\(5_000_000_000_000 + random.below(1_000_000_000))" : "",
      isMovie ? "" : pick(kind == "book" ? Words.publishers : Words.labels),
      isKorean ? "KR" : pick(["US", "GB", "JP"]),
      kind == "vinyl" ? "\(1 + random.below(2))" : "\(80 + random.below(kind == "book" ? 500 : 80))",
    ])
  }

  // MARK: Parts

  private mutating func title() -> String {
    let noun = pick(Words.nouns)
    switch random.below(10) {
    case 0: return noun
    case 1: return "The \(noun)"
    case 2, 3: return "The \(pick(Words.adjectives)) \(noun)"
    case 4: return "\(pick(Words.adjectives)) \(noun)"
    case 5: return "\(noun) of \(pick(Words.places))"
    case 6: return "A \(noun) for \(pick(Words.firstNames))"
    case 7: return "\(pick(Words.verbs)) the \(noun)"
    case 8: return "\(noun) and \(pick(Words.nouns)), Vol. \(1 + random.below(40))"
    default: return "\(pick(Words.firstNames)) in \(pick(Words.places))"
    }
  }

  private mutating func koreanTitle() -> String {
    let noun = pick(Words.koreanNouns)
    switch random.below(5) {
    case 0: return noun
    case 1: return "\(pick(Words.koreanAdjectives)) \(noun)"
    case 2: return "\(pick(Words.koreanPlaces))의 \(noun)"
    case 3: return "\(noun)과 \(pick(Words.koreanNouns))"
    default: return "\(pick(Words.koreanAdjectives)) \(pick(Words.koreanPlaces))에서 \(1 + random.below(30))"
    }
  }

  /// A few made much, most made little.
  private mutating func person(isKorean: Bool) -> String {
    let number = min(random.below(people), random.below(people))
    guard !isKorean else {
      return Words.koreanSurnames[number % Words.koreanSurnames.count]
        + Words.koreanGivenNames[number / 7 % Words.koreanGivenNames.count]
    }
    let (first, last) = (Words.firstNames.count, Words.surnames.count)
    let middle = number / (first * last)
    let letter = middle == 0 ? "" : " " + String(UnicodeScalar(UInt8(65 + middle % 26))) + "."
    return "\(Words.firstNames[number % first])\(letter) \(Words.surnames[number / first % last])"
  }

  private mutating func genres(of kind: String) -> [String] {
    let all = kind == "movie" ? Words.movieGenres : kind == "book" ? Words.bookGenres : Words.vinylGenres
    var genres: [String] = []
    for _ in 0...random.below(3) {
      // The smallest of three numbers: the first genres of the list are by far the most frequent.
      let genre = all[min(random.below(all.count), random.below(all.count), random.below(all.count))]
      if !genres.contains(genre) { genres.append(genre) }
    }
    return genres
  }

  private mutating func isbn() -> String {
    let body = "978" + String(1_000_000_000 + random.below(8_999_999_999)).suffix(9)
    let sum = body.utf8.enumerated().reduce(0) { $0 + Int($1.element - 48) * ($1.offset.isMultiple(of: 2) ? 1 : 3) }
    return body + String((10 - sum % 10) % 10)
  }

  private mutating func pick(_ words: [String]) -> String { words[random.below(words.count)] }
}

private enum Words {
  static func list(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }

  static let nouns = list(
    """
    Night River Garden Mirror Winter Summer Stranger Kingdom Ocean Shadow House Road Letter Island Mountain Station \
    Window Daughter Brother Captain Orchard Lantern Harbor Bridge Forest Tower Museum Circus Library Machine Signal \
    Horizon Desert Empire Prophet Hunter Gardener Painter Sailor Widow Thief Detective Astronaut Composer Dancer Ghost \
    Wolf Raven Sparrow Tiger Elephant Whale Fox Horse Butterfly Rose Lily Oak Willow Storm Thunder Rain Snow Fire Ash \
    Dust Stone Glass Silver Gold Iron Velvet Silk Paper Ink Clock Calendar Map Compass Telescope Train Airport Hotel \
    Kitchen Theatre Opera Symphony Sonata Waltz Blues Ballad Anthem Echo Silence Memory Dream Promise Secret Lie Truth \
    Journey Return Escape Arrival Departure Morning Evening Midnight Twilight Dawn Century Season Moment Hour
    """)
  static let adjectives = list(
    """
    Silent Hidden Broken Golden Crimson Blue Black White Green Scarlet Distant Forgotten Endless Burning Frozen Restless \
    Gentle Savage Secret Sacred Lonely Little Great Last First Second Hollow Electric Invisible Beautiful Strange Wild \
    Quiet Bitter Sweet Ancient Modern Northern Southern Eastern Western Perfect Impossible Common Paper Glass Velvet \
    Midnight Naked Painted Wandering Sleeping Dancing Falling Rising Laughing Crying Innocent Guilty
    """)
  static let places = list(
    """
    Paris London Seoul Tokyo Berlin Vienna Lisbon Havana Istanbul Cairo Buenos-Aires Montreal Chicago Memphis Brooklyn \
    Kyoto Busan Venice Prague Budapest Marrakesh Mumbai Shanghai Sydney Reykjavík Dublin Edinburgh Naples Madrid Oslo
    """)
  static let verbs = list(
    """
    Finding Losing Chasing Leaving Crossing Burning Painting Remembering Forgetting Counting Stealing Following Saving \
    Building Breaking Waking Killing Loving Reading Watching
    """)
  static let firstNames = list(
    """
    Anna Maria Clara Emma Alice Julia Sophie Helen Ruth Nina Ella Billie Sarah Grace Iris Olga Vera Björk Zoë Inés John \
    Miles Thomas David Martin Stanley Akira Pedro Luis Carlos Pablo André René François Hans Karl Otto Ivan Boris Sergei \
    Leo Max Felix Oscar Hugo Arthur George Henry Charles Edward Frank Walter Samuel Joseph Peter Paul Michael Daniel
    """)
  static let surnames = list(
    """
    Smith Johnson Brown Taylor Miller Davis Wilson Moore Anderson Jackson White Harris Clark Lewis Walker Hall Allen \
    Young King Wright Scott Green Baker Adams Nelson Hill Campbell Mitchell Roberts Carter Phillips Evans Turner Parker \
    Collins Edwards Stewart Morris Murphy Cook Rogers Morgan Cooper Reed Bailey Bell Kelly Howard Ward Cox Díaz \
    Richardson Wood Watson Brooks Bennett Gray James Hughes Price Myers Long Foster Sanders Ross Morales Powell \
    Sullivan Russell Ortiz Jenkins Perry Butler Barnes Fisher Henderson Coleman Simmons Patterson Jordan Reynolds \
    Hamilton Graham Kim Gonzales Alexander Ramos Wallace Griffin West Cole Hayes Chavez Gibson Bryant Ellis Stevens \
    Murray Ford Marshall Owens McDonald Harrison Ruiz Kennedy Wells Álvarez Woods Mendoza Castillo Olson Webb Washington
    """)
  static let koreanNouns = list(
    "밤 강 바다 겨울 여름 봄 가을 편지 거울 정원 아이 소년 소녀 아버지 어머니 그림자 도시 기차 별 달 태양 구름 바람 비 눈 꽃 나무 숲 산 섬 집 문 창문 길 다리 학교 극장 "
      + "도서관 시계 사진 노래 춤 꿈 기억 약속 비밀 거짓말 진실 여행 귀향 아침 저녁 자정 새벽 시간 순간 세계 전쟁 평화 사랑 이별 기생충 살인자 탐정 마법사 여왕 왕자")
  static let koreanAdjectives = list("푸른 붉은 하얀 검은 조용한 아름다운 이상한 작은 커다란 마지막 첫번째 잃어버린 숨겨진 부서진 영원한 외로운 뜨거운 차가운 낯선 오래된")
  static let koreanPlaces = list("서울 부산 제주 경주 광주 대구 인천 강릉 전주 통영 여수 춘천 안동 목포 속초")
  static let koreanSurnames = list("김 이 박 최 정 강 조 윤 장 임 한 오 서 신 권 황 안 송 류 홍")
  static let koreanGivenNames = list(
    "준호 찬욱 창동 상수 지영 은희 민지 서연 하윤 지훈 현우 동현 수진 미경 영수 정희 혜린 보라 가람 나래 다온 라희 마루 바다 사랑 아라 자연 차윤 태희 하늘 "
      + "강 경리 완서 석영 연수 세랑 애란 숨 영하 중혁")
  static let codes = list("CL BLP ST SD MCA ECM PC KC V SP A UICY SRCS")
  static let publishers = list(
    "Penguin Vintage Faber Knopf Picador Gallimard Suhrkamp Einaudi Anagrama 창비 문학동네 민음사 열린책들")
  static let labels = list(
    "Columbia Atlantic Motown Verve Impulse! Decca Parlophone Island Virgin Elektra ECM Stax Warp 4AD 지구레코드")

  static func genreList(_ text: String) -> [String] { text.split(separator: ";").map(String.init) }
  static let movieGenres = genreList(
    "Drama;Comedy;Thriller;Action;Romance;Crime;Horror;Science Fiction;Adventure;Documentary;Fantasy;Animation;Mystery;"
      + "Family;History;War;Music;Western;TV Movie;Film Noir")
  static let bookGenres = genreList(
    "Literary Fiction;Fantasy;Mystery;Romance;Science Fiction;Thriller;Historical Fiction;Biography & Memoir;Classics;"
      + "History;Young Adult;Short Stories;Philosophy;Psychology;Poetry;Horror;Science;Travel;Essays;Politics;Art;Cooking;"
      + "Business & Economics;Humor;Children's;Self-Help;True Crime;Plays")
  static let vinylGenres = genreList(
    "Rock;Jazz;Pop;Electronic;Soul;Hip-Hop;Classical;Folk;Alternative Rock;Blues;Funk;Soundtrack;Punk;Hard Bop;Country;"
      + "Reggae;Disco;House;Ambient;Techno;Psychedelic Rock;Modal Jazz;Bossa Nova;K-Pop;City Pop;Trot;Afrobeat;Gugak")
}

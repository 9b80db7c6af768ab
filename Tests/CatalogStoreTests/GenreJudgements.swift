import CatalogModel
import Foundation

/// The genres of the 100 most frequent labels of each source, as judged by hand. `!` marks a wrong genre, and `or` a
/// genre that a label has only beside certain others. `?` marks a label without a genre, such as a person's name.
enum GenreJudgements {
  /// The genre of each label, by source and key, and whether it is right.
  static let all: [String: [String: (String, Bool)]] = texts.mapValues { text in
    Dictionary(
      text.split(separator: "|").map(\.trimmingBlanks).compactMap { line in
        guard let sign = line.range(of: " = ", options: .backwards) else { return nil }
        let label = line[..<sign.lowerBound]
        return (
          Folding.nameKey(String(label.drop { $0 == "!" })), (String(line[sign.upperBound...]), !label.hasPrefix("!"))
        )
      }
    ) { first, _ in first }
  }

  private static let texts = [
    "tmdb": """
    Drama = Drama | Adventure = Adventure | Action = Action | Fantasy = Fantasy | Thriller = Thriller | \
    Animation = Animation | 전쟁 = War | War = War | 드라마 = Drama | Krimi = Crime | Musik = Music Film | \
    Comedy = Comedy | Horror = Horror | Familie = Family | History = Historical Fiction | Komödie = Comedy | \
    Mystery = Mystery | TV-Film = TV Movie | Western = Western | Historie = Historical Fiction | \
    Abenteuer = Adventure | Kriegsfilm = War | Liebesfilm = Romance | Dokumentarfilm = Documentary | \
    Science Fiction = Science Fiction
    """,
    "discogs": """
    Electronic = Electronic | Rock = Rock | Pop = Pop | Techno = Techno | House = House | \
    Funk / Soul = Soul & R&B | Folk, World, & Country = Folk; or Country | Deep House = Deep House | \
    Jazz = Jazz | Hip Hop = Hip-Hop | Pop Rock = Pop Rock | Tech House = Tech House | \
    Experimental = Experimental | Hardcore = or Hardcore Punk; or Hardcore Techno | Classical = Classical | \
    Punk = Punk | Euro House = Eurodance | Trance = Trance | Alternative Rock = Alternative Rock | \
    Electro = Electro | Indie Rock = Indie Rock | Stage & Screen = Soundtrack | Disco = Disco | \
    Abstract = Experimental Electronic | Ambient = Ambient | Synth-pop = Synth-Pop | \
    Progressive House = Progressive House | Soul = Soul | Vocal = Vocal | Breakbeat = Breakbeat | \
    Reggae = Reggae | Downtempo = Downtempo | Minimal = Minimal Techno | Heavy Metal = Heavy Metal | \
    Latin = Latin | Rock & Roll = Rock & Roll | Ballad = Ballad | IDM = IDM | Acid = Acid | Blues = Blues | \
    Country = Country | Europop = Europop | Hard Rock = Hard Rock | Garage Rock = Garage Rock | Funk = Funk | \
    Chanson = Chanson | Non-Music = Spoken Word | Soundtrack = Soundtrack | Romantic = Romantic Era | \
    Drum n Bass = Drum & Bass | Dub = Dub | Noise = Noise | Folk Rock = Folk Rock | Hard Trance = Trance | \
    Classic Rock = Classic Rock | Folk = Folk | Schlager = Schlager | Industrial = Industrial | \
    Death Metal = Death Metal | Rhythm & Blues = Rhythm & Blues | Psychedelic Rock = Psychedelic Rock | \
    Progressive Trance = Trance | Doom Metal = Doom Metal | Chiptune = Chiptune | New Wave = New Wave | \
    Dub Techno = Dub Techno | Black Metal = Black Metal | Easy Listening = Easy Listening | \
    Prog Rock = Progressive Rock | RnB/Swing = Contemporary R&B | Drone = Drone | Score = Score | \
    Cool Jazz = Cool Jazz | Stoner Rock = Stoner Rock | Contemporary Jazz = Contemporary Jazz | Ska = Ska | \
    Breaks = Breakbeat | Grunge = Grunge | Thrash = Thrash Metal | Baroque = Baroque | Dubstep = Dubstep | \
    Novelty = Comedy & Novelty | Acoustic = Acoustic | Jazz-Funk = Jazz-Funk | Children's = Children's Music | \
    Bluegrass = Bluegrass | Conscious = Conscious Hip-Hop | Grindcore = Grindcore | Post Rock = Post-Rock | \
    Blues Rock = Blues Rock | Contemporary = Contemporary Classical | Free Improvisation = Free Improvisation | \
    Emo = Emo | Swing = Swing | Pop Rap = Pop Rap | Brit Pop = Britpop | Free Jazz = Free Jazz | \
    Goth Rock = Goth Rock | Leftfield = Experimental Electronic | Religious = Sacred Music
    """,
    "itunes": """
    팟캐스트 = - | 교육 = Education | Pop = Pop | 예술 = Art | Rock = Rock | 뉴스 및 정치 = News | 언어 교육 과정 = Language | \
    음악 = Music | 사회 및 문화 = Society | 코미디 = Comedy | 문학 = Literary Criticism | TV 및 영화 = Film | \
    비즈니스 = Business & Economics | 게임 및 취미 = Games | Hip-Hop/Rap = Hip-Hop | 취미 = Hobbies & Crafts | \
    역사 = History | 철학 = Philosophy | 비즈니스 뉴스 = News | Podcasts = - | 과학 및 의학 = Science | \
    투자 = Business & Economics | 트레이닝 = Education | Dance = Electronic | 자연 과학 = Science | 장소 및 여행 = Travel | \
    정부 및 조직 = Politics | 종교 및 역학 = Religion & Spirituality | Business = Business & Economics | \
    키즈 & 패밀리 = Children's; Family | Documentary = Documentary | 국내 = Politics | 의학 = Health | 디자인 = Design | \
    Games = Games | 시각 예술 = Art | Comedy = Comedy | History = History | Investing = Business & Economics | \
    True Crime = True Crime | Sports News = News | Productivity = Productivity | \
    Developer Tools = Programming | Music Documentaries = Music Documentary | 건강 = Health | 기타 = - | \
    로컬 = Politics | 불교 = Religion & Spirituality | 직업 = Business & Economics | 기독교 = Religion & Spirituality | \
    News = News | Books = - | 고등 교육 = Education | 과학 기술 = Technology | 사회 과학 = Society | \
    행위 예술 = Performing Arts | Action = Action | Family = Family | Holiday = Holiday | TV & Film = Film | \
    Electronic = Electronic | Soundtrack = Soundtrack | News & Politics = News | Society & Culture = Society | \
    Literary Criticism = Literary Criticism | Fiction & Literature = Fiction
    """,
    "musicbrainz": """
    electronic = Electronic | techno = Techno | industrial = Industrial | rock = Rock | house = House | \
    trance = Trance | industrial metal = Industrial Metal | metal = Metal | \
    alternative rock = Alternative Rock | alternative metal = Alternative Metal | heavy metal = Heavy Metal | \
    industrial rock = Industrial; Alternative Rock | progressive metal = Progressive Metal | \
    post-punk = Post-Punk | electronica = Electronic | new wave = New Wave | breakbeat = Breakbeat | \
    dub = Dub | breaks = Breakbeat | big beat = Big Beat | indie rock = Indie Rock | \
    experimental = Experimental | neo-psychedelia = Psychedelic Rock | progressive house = Progressive House | \
    neue deutsche härte = Industrial Metal | idm = IDM | club = Electronic | funk = Funk | surf = Surf | \
    test = - | blues = Blues | dance = Electronic | test2 = - | neofolk = Neofolk | chiptune = Chiptune | \
    trip hop = Trip-Hop | downtempo = Downtempo | hard rock = Hard Rock | indie pop = Indie Pop | \
    leftfield = Experimental Electronic | gothic rock = Goth Rock | instrumental = Instrumental | \
    ambient house = Ambient | ambient techno = Ambient | detroit techno = Detroit Techno | \
    minimal techno = Minimal Techno | post-industrial = Experimental Electronic | \
    psychedelic rock = Psychedelic Rock | psychedelic soul = Psychedelic Soul | \
    singer-songwriter = Singer-Songwriter | martial industrial = Industrial
    """,
    "openlibrary": """
    Fiction = Fiction | Accessible book = - | Protected DAISY = - | Children's fiction = Children's | \
    Foxes, fiction = Fiction | Juvenile fiction = Children's | English Fantasy fiction = Fantasy | \
    Fantasy = Fantasy | In library = - | Foxes = - | Farmers = - | Fantasy fiction = Fantasy | \
    Ficción juvenil = Children's | Large type books = - | Middle Earth (Imaginary place) = Epic Fantasy | \
    Frodo Baggins (Fictitious character) = - | Romans, nouvelles, etc. pour la jeunesse = Children's | \
    Plays = Plays | Zorros = - | Renards = - | Agriculteurs = - | Children's plays = Children's; Plays | \
    Japan -- Fiction = Fiction | Children's stories = Children's | Conspiracies -- Fiction = Thriller | \
    Open Library Staff Picks = - | Children's stories, Welsh = Children's | \
    Computer hackers -- Fiction = Fiction | Popular Print Disabled Books = - | \
    Gandalf (Fictitious character) = - | Business intelligence -- Fiction = Fiction | \
    Information superhighway -- Fiction = Fiction | \
    Nervous system -- Wounds and injuries -- Fiction = Fiction | Rats = - | Hunger = - | Animals = - | \
    Badgers = - | Thieves = - | Tunnels = - | OverDrive = - | Interviews = - | \
    Tricksters = - | Underground = - | Frodo Baggins = - | Welsh Authors = - | \
    English Authors = - | Textual Criticism = Literary Criticism | Children's literature = Children's | \
    Children's plays, English = Children's; Plays | Translations from English = - | \
    Children's stories, English = Children's | Children's 9-12 - Fiction - General = Children's | Junge = - | \
    MAGIA = Fantasy | MAGOS = Fantasy | Magic = Fantasy | Magie = Fantasy | !Ghosts = Horror | \
    Magier = Fantasy | !Alchemy = Fantasy | General = - | Schools = - | Witches = Fantasy | Wizards = Fantasy | \
    orphans = - | Escuelas = - | Lehrling = - | !Monsters = Horror | Sorciers = Fantasy | \
    Vampires = Paranormal | Granjeros = - | Internats = - | Sorcières = Fantasy | Ungeheuer = Fantasy | \
    Cleverness = - | Fabeltiere = Fantasy | Friendship = - | Kinderbuch = Children's | \
    Fairy tales = Fairy Tales | School Life = Children's | Social Themes = - | Juvenile works = Children's | \
    Magic, fiction = Fantasy | school stories = Children's | Animals - Foxes = Children's | \
    Character books = Children's | Chinese fiction = Literary Fiction | Ciencia-ficción = Science Fiction | \
    Classic fiction = Classics | Fantasy & Magic = Fantasy | Literary theory = Literary Criticism | \
    England, fiction = Fiction | English language = - | Humorous Stories = Humor | \
    Language readers = Education | Magic in fiction = Fantasy | NOVELAS INGLESAS = Fiction | \
    Non-Classifiable = - | Schools, fiction = Fiction | Stein der Weisen = -
    """,
    "googlebooks": """
    Biography & Autobiography = Biography & Memoir | Juvenile Fiction = Children's | \
    Literary Criticism = Literary Criticism | Juvenile Nonfiction = Children's; Nonfiction | \
    Family & Relationships = Family & Relationships | Comics & Graphic Novels = Comics & Graphic Novels
    """,
    "wikipedia": """
    Drama = Drama | Comedy = Comedy | Action = Action | Thriller = Thriller | Horror = Horror | \
    Romance = Romance | Science Fiction = Science Fiction | Biography = Biopic | Animated = Animation | \
    Fantasy = Fantasy | Crime = Crime | Adventure = Adventure | Documentary = Documentary | \
    Supernatural = Paranormal | Historical = Historical Fiction | War = War | Musical = Musical | \
    Superhero = Superhero | Sports = Sports Fiction | Independent = - | Mystery = Mystery | Erotic = Erotica | \
    Western = Western | Family = Family | Noir = Film Noir | Political = Political Fiction | Spy = Spy | \
    Teen = Coming-of-Age | Slasher = Slasher | Satire = Satire | Found Footage = Horror | Disaster = Disaster | \
    Short = - | Legal = Drama | Performance = - | Martial Arts = Martial Arts | Live Action = - | \
    !Dance = Musical | Silent = Silent | Sport = Sports Fiction | Suspense = Thriller
    """,
    "goodreads": """
    books = - | -read = - | to = - | the = - | series = - | and = - | fiction = Fiction | to-read = - | \
    of = - | book = - | in = - | library = - | art = Art | fantasy = Fantasy | my = - | history = History | \
    reading = - | lit = Literary Fiction | literature = Literary Fiction | manga = Manga | novels = Fiction | \
    for = - | romance = Romance | on = - | not = - | mystery = Mystery | list = - | reads = - | non = - | \
    children = Children's | comics = Comics & Graphic Novels | christian = Religion & Spirituality | \
    owned = - | graphic = - | american = - | challenge = - | club = - | author = - | science = Science | \
    non-fiction = Nonfiction | thriller = Thriller | historical = Historical Fiction | war = War | school = - | \
    john = ? | shelf = - | food = Cooking | tbr = - | life = - | ya = Young Adult | have = - | \
    kids = Children's | best = - | kindle = - | adult = - | james = ? | classics = Classics | !love = Romance | \
    horror = Horror | world = - | novel = Fiction | new = - | sci = - | !stories = Short Stories | \
    business = Business & Economics | before = - | authors = - | philosophy = Philosophy | crime = Crime | \
    trilogy = - | cookbooks = Cooking | time = - | book-club = - | want = - | poetry = Poetry | star = - | \
    sci-fi = Science Fiction | cooking = Cooking | dark = - | black = - | family = Family | it = - | \
    i-own = - | graphic-novels = Comics & Graphic Novels | chronicles = - | self = - | century = - | \
    child = Children's | women = - | children-s = Children's | young = - | favorite = - | picture = - | \
    collection = - | all = - | religion = Religion & Spirituality | first = - | books-to-read = - | king = ? | \
    award = -
    """,
  ]
}

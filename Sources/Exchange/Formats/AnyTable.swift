internal import CatalogModel

/// Any table or JSON list whose columns can be guessed by name or are mapped by the user.
struct AnyTable: FileFormat {
  static let usualID = "table"
  let id = AnyTable.usualID
  let name = "table"
  /// The targets that the user set, by ``Cells/key(_:)``.
  private var mapping: [String: ColumnMapping] = [:]

  init() {}

  /// - Throws: ``ImportProblem`` for an unknown column or target.
  init(mapping: [String: String], for shape: Shape) throws(ImportProblem) {
    guard let names = shape.names else {
      throw ImportProblem(.misuse, "--map is for the columns of a table, and the file is not a table")
    }
    for (column, id) in mapping {
      guard let target = ColumnMapping.named(id) else {
        throw ImportProblem(
          .misuse, "'\(id)' is not a meaning of a column",
          hint: "one of: \(ColumnMapping.all.map(\.id).joined(separator: ", "))")
      }
      // JSON elements may differ, so all of them are checked later.
      if case .table = shape, !names.contains(Cells.key(column)) { throw Self.lacks(column, shape) }
      self.mapping[Cells.key(column)] = target
    }
  }

  private static func lacks(_ column: String, _ shape: Shape) -> ImportProblem {
    ImportProblem(.misuse, "the file has no column '\(column)'", hint: hint(shape))
  }

  private static func hint(_ shape: Shape) -> Message? {
    switch shape {
    case .table(let header, _, _): "it has: \(header.prefix(40).joined(separator: ", "))"
    case .json(let names, _): "it has: \(names.sorted().prefix(40).joined(separator: ", "))"
    default: nil
    }
  }

  func recognizes(_ shape: Shape) -> Bool {
    guard let names = shape.names else { return false }
    let meant = names.compactMap { Self.aliases[$0]?.id }
    if names.count == 1, meant == ["barcode"] { return true }
    guard meant.contains(where: { ["title", "isbn", "imdb", "original-title"].contains($0) }) else { return false }
    // In JSON, people, lists and pictures have names, too.
    guard case .json = shape, names.isDisjoint(with: Self.titles) else { return true }
    return meant.contains { Self.marksOfThings.contains($0) }
  }

  /// Whether a line is the heading of a single column and not the first of a list of titles: a word for titles or codes,
  /// or the name of a field as this program writes it.
  static func isHeading(_ line: String) -> Bool {
    let name = line.trimmed
    if let id = aliases[Cells.key(String(name))]?.id {
      if ["title", "isbn", "imdb", "original-title", "barcode"].contains(id) { return true }
    }
    return name.allSatisfy { $0 == "_" || ("a"..."z").contains($0) }
      && TableFormat.catalogListing.columns[Cells.key(String(name))] != nil
  }

  /// The names of columns that are certainly titles.
  private static let titles: Set<String> = [
    "title", "booktitle", "movietitle", "filmtitle", "albumtitle", "titel", "titre", "titulo", "titolo", "제목", "タイトル",
  ]
  /// The targets that only records of a catalog have.
  private static let marksOfThings: Set<String> = [
    "isbn", "imdb", "year", "released", "published", "director", "author", "artist", "creator", "pages", "minutes",
    "rating", "barcode", "label", "publisher",
  ]

  func uses(in file: InputFile) throws -> [ColumnUse] { try fitted(to: file).uses(in: file) }

  func read(_ file: InputFile, each: (ImportRow) throws -> Bool) throws {
    try fitted(to: file).read(file, each: each)
  }

  /// Returns a table format for this file's columns.
  func fitted(to file: InputFile) throws -> any FileFormat {
    var columns: [String: ColumnMapping] = [:]
    var taken: Set<String> = []
    // A target that the user set is not used for guesses.
    for target in mapping.values { taken.insert(target.id) }
    let names = try Self.names(in: file)
    let keys = Set(names.map(Cells.key))
    for key in mapping.keys where !keys.contains(key) { throw Self.lacks(key, file.shape) }
    for name in names {
      let key = Cells.key(name)
      if let told = mapping[key] {
        columns[key] = told
      } else if columns[key] == nil, let guess = Self.target(name) ?? Self.aliases[Self.last(of: name)] {
        let isList = ["creator", "tags", "list", "genre", "finished", "cast"].contains(guess.id)
        // A second column with the same target is not used, unless values can be combined.
        guard isList || taken.insert(guess.id).inserted else { continue }
        columns[key] = guess
      }
    }
    let guess = file.kind ?? Self.kind(of: columns.values.map(\.id), keys: keys)
    // In a list of records, labels are record labels, not tags.
    if guess == .vinyl, mapping["labels"] == nil, columns["labels"] != nil { columns["labels"] = .label }
    let kinds = columns.filter { $0.value.id == "kind" }.map(\.key)
    let hasSeries = columns.values.contains { $0.id == "series" }
    // The kind is known before a cell is read, unless a column gives it.
    var format = TableFormat(id, name, kinds.isEmpty ? guess : nil, isOurs: { _ in true }, columns: [:])
    format.columns = columns
    try format.fit(to: file) { mapping[$0] != nil }
    format.finish = { facts, cells throws(ImportRow.Rejection) in
      for kind in kinds {
        if let text = cells.first(kind), Kind.isOther(text) {
          throw ImportRow.Rejection("it is of a kind '\(text)' that the catalog does not keep")
        }
      }
      if facts.title != nil, facts.year == nil { facts.takeYearFromTitle() }
      facts.kind = facts.kind ?? guess
      if facts.kind == .book { facts.takeSeriesFromTitle() }
      // Without a column for the series, a volume number refers to the title.
      if !hasSeries, facts.kind == .book, facts.seriesNumber != nil {
        facts.book.series = facts.book.series ?? facts.title
      }
      // A rating implies that it was watched or read, unless a status contradicts.
      if facts.rating != nil, facts.status == nil, facts.kind != .vinyl { facts.status = .done }
    }
    return format
  }

  /// The names of columns; for JSON, also those that only later elements have.
  private static func names(in file: InputFile) throws -> [String] {
    guard case .json(let first, _) = file.shape else { return file.columnNames }
    var (names, count) = (first, 0)
    try Records.rows.forEach(in: file) { cells in
      for cell in cells.list where names.count < 1_000 { names.insert(cell.name) }
      count += 1
      return count < 20_000
    }
    return names.sorted { ($0.count, $0) < ($1.count, $1) }
  }

  private static func last(of path: String) -> String {
    Cells.key(path.split(separator: ".").last.map(String.init) ?? path)
  }

  /// The kind that the columns suggest.
  private static func kind(of targets: [String], keys: Set<String>) -> Kind? {
    var votes: [Kind: Int] = [:]
    for target in targets {
      switch target {
      case "isbn", "author", "pages", "series", "series-number", "page", "translator", "published":
        votes[.book, default: 0] += 2
      case "director", "imdb", "tmdb", "minutes": votes[.movie, default: 0] += 2
      case "publisher": votes[.book, default: 0] += 1
      case "cast": votes[.movie, default: 0] += 1
      case "artist", "catalog-number", "label", "media", "sleeve", "discogs": votes[.vinyl, default: 0] += 2
      default: break
      }
    }
    for (kind, words) in marks where !keys.isDisjoint(with: words) { votes[kind, default: 0] += 3 }
    guard let best = votes.max(by: { $0.value < $1.value }), votes.values.count(where: { $0 == best.value }) == 1 else {
      return nil
    }
    return best.key
  }

  /// Names of title columns that imply a kind.
  private static let marks: [(Kind, Set<String>)] = [
    (.movie, ["movie", "movietitle", "film", "filmtitle", "영화", "영화명", "영화제목", "filmtitel"]),
    (.book, ["book", "booktitle", "책", "책제목", "도서명", "서명", "buch", "buchtitel", "livre", "libro"]),
    (.vinyl, ["album", "albumtitle", "앨범", "앨범명", "음반", "record", "disque", "disco"]),
  ]
}

// MARK: - Names of columns

extension AnyTable {
  /// The target for a heading, which may describe the notation of its cells: `My rating (1-10)`, `Date (dd/mm/yyyy)`.
  static func target(_ name: String) -> ColumnMapping? {
    if let target = aliases[Cells.key(name)] { return target }
    guard let (heading, detail) = parted(name), let target = aliases[Cells.key(heading)] else { return nil }
    if target.isOfAnyScale { return scale(in: detail).map { .rating($0) } ?? target }
    if let inOrder = target.inOrder { return order(in: detail).map { inOrder($0).asTold } ?? target }
    return ["minutes", "pages", "price", "discs", "cover-price"].contains(target.id) ? target : nil
  }

  /// Splits a heading before its final brackets or its first number.
  private static func parted(_ name: String) -> (heading: String, detail: String)? {
    let name = name.trimmed
    if let last = name.last, last == ")" || last == "]", let open = name.lastIndex(of: last == ")" ? "(" : "[") {
      return (String(name[..<open].trimmed), String(name[name.index(after: open)...].dropLast()))
    }
    guard let digit = name.firstIndex(where: { $0.isASCII && $0.isNumber }), digit > name.startIndex else { return nil }
    var heading = name[..<digit].trimmed
    for word in ["out of", "of", "sur", "von", "/", "-"] where heading.hasSuffix(word) {
      heading = heading.dropLast(word.count).trimmed
    }
    return (String(heading), String(name[digit...]))
  }

  private static func scale(in detail: String) -> ColumnMapping.Scale? {
    if detail.contains("%") { return .hundred }
    return switch detail.split(whereSeparator: { !($0.isASCII && $0.isNumber) }).last {
    case "5": .five
    case "10": .ten
    case "100": .hundred
    default: nil
    }
  }

  private static func order(in detail: String) -> Dates.Order? {
    let words = detail.lowercased().split { !$0.isLetter }
    guard words.count == 3 else { return nil }
    return switch words.first?.first {
    case "d", "t", "j": .day
    case "m": .month
    case "y", "a": .year
    default: nil
    }
  }

  /// The names of columns in English, Korean, German, French, Spanish and Italian.
  private static let aliases: [String: ColumnMapping] = {
    var aliases: [String: ColumnMapping] = [:]
    func add(_ target: ColumnMapping, _ names: String) {
      for name in names.split(separator: ",") { aliases[Cells.key(String(name))] = target }
    }
    add(
      .title, "title,name,book title,movie title,film title,album title,movie,film,book,album,titel,buchtitel,filmtitel"
    )
    add(
      .title,
      "titre,título,titulo,titolo,nombre,nom,buch,livre,libro,제목,책 제목,영화 제목,영화명,도서명,서명,책,영화,앨범,앨범명,음반,タイトル,书名,标题")
    add(.originalTitle, "original title,originaltitel,titre original,título original,원제")
    add(.subtitle, "subtitle,untertitel,sous-titre,부제")
    add(.kind, "kind,type,category,media type,medientyp,art,typ,종류,분류,구분,유형")
    add(.makers(.director), "director,directors,directed by,regie,regisseur,réalisateur,realisateur,regia,감독")
    add(
      .makers(.author),
      "author,authors,author name,author full name,nom auteur complet,auteur complet,autor,autoren,autorin,verfasser,auteur,auteurs,autore,저자,작가,지은이,글쓴이,著者,作者"
    )
    add(.artist, "artist,artists,band,performer,album artist,interpret,künstler,artiste,artista,가수,아티스트,뮤지션,연주자")
    add(.writer, "writer,writers,written by,screenwriter,각본")
    add(.makers(), "creator,by,creators,urheber")
    add(.lastName, "nom auteur,nom de l'auteur,author last name,last name,nachname,autor nachname,apellido,apellidos,성")
    add(.firstName, "prénom auteur,prénom de l'auteur,prénom,author first name,first name,vorname,autor vorname")
    add(.makers(.translator), "translator,translators,übersetzer,traducteur,traductor,역자,옮긴이,번역")
    add(.cast.each(of: ",;/"), "cast,actors,actor,stars,starring,darsteller,schauspieler,acteurs,actores,출연,배우")
    add(
      .year,
      "year,release year,year released,publication year,year published,original publication year,original year,jahr,erscheinungsjahr"
    )
    add(.year, "année,annee,año,ano,anno,연도,년도,개봉년도,출간년도,제작년도,출판년도,年")
    add(.released, "released,release,release date,erscheinungsdatum,date de sortie,fecha de estreno,개봉일,발매일,출시일")
    add(
      .published,
      "published,pubdate,publication date,publish date,published date,date published,erschienen"
    )
    add(.published, "date de publication,출간일,출판일,발행일")
    add(.isbn, "isbn,isbn13,isbn 13,ean isbn,isbn/uid")
    add(.otherISBN, "isbn10,isbn 10")
    add(.barcode, "barcode,ean,upc,gtin,strichcode,code-barres,바코드")
    add(.label, "label,record label,plattenlabel,레이블")
    add(.catalogNumber, "catalog,catalog#,catalog number,catalogue number,catno,cat no,katalognummer,카탈로그 번호")
    add(.discs, "discs,# of lps,number of lps,lps,# of discs,number of discs,disc count,장수")
    add(.format, "format,binding,media,medium,einband,ausgabe,formato,포맷,매체,형태")
    add(.publisher, "publisher,verlag,éditeur,editeur,editorial,editore,출판사,출판")
    add(
      .pages,
      "pages,page count,number of pages,num pages,seiten,seitenzahl,páginas,paginas,nombre de pages,쪽수,페이지,페이지수,면수")
    add(.minutes, "minutes,runtime,running time,duration,runtime (mins),length,laufzeit,durée,duree,duración,러닝타임,상영시간")
    add(.language, "language,languages,sprache,langue,langues,idioma,lingua,언어")
    add(.country, "country,countries,land,pays,país,pais,paese,국가,제작국가,나라")
    add(.genres(of: ",;/|"), "genre,genres,style,styles,género,generos,genere,장르")
    add(.series, "series,series name,reihe,serie,série,saga,시리즈")
    add(
      .seriesNumber,
      "series number,series index,number in series,volume,vol,vol.,volume number,band nr,bandnummer,권,권수,巻,巻数,巻号,巻次,号,巻・号"
    )
    add(.summary, "summary,description,plot,synopsis,overview,beschreibung,inhalt,résumé,sinopsis,줄거리,소개,설명")
    add(.url, "url,link,website,page,webseite,주소,링크")
    add(
      .rating(.asWritten),
      "rating,my rating,your rating,score,stars,star rating,bewertung,wertung,note,notes sur 10,calificación,puntuación"
    )
    add(.rating(.asWritten), "valutazione,voto,평점,별점,점수,내 평점,评分,評価")
    add(
      .review,
      "review,my review,comment,comments,opinion,rezension,kritik,kommentar,critique,avis,commentaire,reseña,comentario"
    )
    add(.review, "recensione,리뷰,감상,감상평,한줄평,코멘트,서평,독후감,후기")
    add(
      .status,
      "status,read status,reading status,watch status,state,statut,estado,stato,상태,읽은 상태,독서상태,독서 상태,읽기 상태,시청 상태,감상 상태")
    add(.shelf, "shelf,exclusive shelf")
    add(.ratedOn, "date rated,rated on,rating date")
    add(.wishedOn, "date wished,wished on")
    add(.isDoneOrDay, "read,seen,watched,finished?,gelesen,gesehen,lu,vu,leído,visto,읽음,봄")
    add(.started, "started,date started,start date,began,begonnen,angefangen,commencé,inicio,시작일,읽기 시작")
    add(
      .finished.each(of: ",;"),
      "finished,date read,date finished,finish date,end date,date watched,watched date,watch date,watched on,date seen,seen on"
    )
    add(
      .finished.each(of: ",;"),
      "last date read,read on,completed,date completed,gelesen am,gesehen am,beendet,date de lecture,vu le,lu le,fecha")
    add(.finished.each(of: ",;"), "fecha de lectura,본 날짜,본 날,관람일,감상일,읽은 날짜,읽은 날,완독일,완료일,날짜,날짜 읽음,date,datum")
    add(.count, "read count,watch count,plays,play count,times read,times watched,views,횟수,몇 번")
    add(.page, "current page,aktuelle seite,현재 쪽")
    add(.remark, "diary,diary note,where,with whom")
    add(.tags, "tags,tag,keywords,labels,schlagwörter,schlagworte,étiquettes,etiquetas,태그,키워드")
    add(.piles, "list,lists,shelves,bookshelves,collection,collections,liste,listen,regal,étagère,estante,목록,책장,컬렉션")
    add(.favorite, "favorite,favourite,favorites,liked,like,loved,favorit,favori,favorito,즐겨찾기,좋아요,최애")
    add(.owned, "owned,own,owned?,copies,owned copies,besitz,im besitz,possédé,소장,보유,소유,수량")
    add(.place, "location,place,where is it,standort,platz,emplacement,ubicación,위치,보관 장소,보관위치,장소")
    add(.coverPrice(), "list price,cover price,retail price,ladenpreis,precio de lista,prix public,prezzo di copertina")
    add(.coverPrice(in: "KRW"), "정가,정가(원)")
    add(.coverPrice(in: "JPY"), "定価,定価(円),本体価格")
    add(.coverPrice(in: "CNY"), "定价,定價")
    add(.price, "price,paid,purchase price,price paid,cost,preis,kaufpreis,prix,precio,prezzo,цена,cena,価格,价格")
    add(.price(in: "KRW"), "가격,구입가,구매가,구입 가격,구매 가격,구입 금액,구매 금액,결제 금액,판매가,산 가격")
    add(.price(in: "JPY"), "購入価格,購入金額,買値")
    add(.currency, "currency,currency code,währung,devise,moneda,valuta,waluta,валюта,통화,화폐,通貨,货币,币种")
    add(
      .acquiredOn,
      "bought,purchase date,date purchased,acquired,date acquired,gekauft,kaufdatum,gekauft am,date d'achat")
    add(.acquiredOn, "fecha de compra,구입일,구매일,산 날")
    add(.acquiredFrom, "bought from,bought at,shop,store,purchase location,gekauft bei,händler,magasin,tienda,구입처,구매처")
    add(.media, "media condition,condition,grade,record condition,zustand,état,estado del disco,상태 등급,음반 상태")
    add(.sleeve, "sleeve condition,cover condition,sleeve,cover zustand,hülle,자켓 상태,커버 상태")
    add(.copyNote, "copy note")
    add(.holder, "lent to,loaned to,borrower,verliehen an,ausgeliehen an,prêté à,prestado a,빌려준 사람,대여")
    add(.lentOn, "lent on,loan date,verliehen am,빌려준 날")
    add(.addedOn, "added,date added,created,created at,date created,hinzugefügt,ajouté,añadido,등록일,추가일")
    add(.imdb, "imdb,imdb id,const,imdbid,tconst,imdb url")
    add(.id("tmdb"), "tmdb,tmdb id,themoviedb,themoviedb id")
    add(.id("goodreads"), "goodreads,goodreads id,goodreads book id")
    add(.id("openlibrary"), "openlibrary,openlibrary id,olid,open library id")
    add(.id("discogs"), "discogs,discogs id,release id")
    add(.id("musicbrainz"), "musicbrainz,mbid,musicbrainz id,mb albumid")
    return aliases
  }()
}

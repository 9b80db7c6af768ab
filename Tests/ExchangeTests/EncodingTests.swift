import CatalogModel
import Processes
import TestSupport
import Testing

@testable import Exchange

/// Tests which encoding a text is judged to have. Lines with fewer than four letters beyond ASCII fit several.
struct EncodingTests {
  struct Sample: Sendable, CustomTestStringConvertible {
    var language: String
    var encodings: [String]
    var lines: [String]
    var testDescription: String { language }

    init(_ language: String, _ encodings: String, _ lines: String...) {
      (self.language, self.lines) = (language, lines)
      self.encodings = encodings.split(separator: " ").map(String.init)
    }
  }

  private static let western = "windows-1252 macroman"
  private static let central = "windows-1250 iso-8859-2"

  static let samples = [
    Sample(
      "ru", "windows-1251 koi8-u", "Война и мир", "Преступление и наказание", "Мёртвые души", "Отцы и дети, Тургенев"),
    Sample("uk", "windows-1251 koi8-u", "Тіні забутих предків", "Лісова пісня, Леся Українка", "Кобзар"),
    Sample("bg", "windows-1251", "Под игото, Иван Вазов", "Бай Ганьо", "Железният светилник"),
    Sample("sr", "windows-1251", "На Дрини ћуприја", "Нечиста крв", "Госпођа министарка"),
    Sample(
      "pl", central, "Potop, część pierwsza", "Żywot człowieka poczciwego", "Wesele, Stanisław Wyspiański",
      "Łąka pod Żywcem", "Źródło i dąb"),
    Sample("cs", central, "Babička, Božena Němcová", "Válka s mloky, Karel Čapek", "Příliš hlučná samota"),
    Sample("sk", central, "Živý bič, Milo Urban", "Mor ho! hej mor ho! detvo môjho rodu", "Smrť Jánošíkova"),
    Sample("hu", central, "Az arany ember, Jókai Mór", "A kőszívű ember fiai", "Tündérvölgy"),
    Sample("ro", central, "Pădurea spânzuraţilor", "Moara cu noroc: prima ediţie în limba română"),
    Sample("hr", central, "Priče iz davnine, Ivana Brlić-Mažuranić", "Čudnovate zgode šegrta Hlapića"),
    Sample("de", western, "Die Räuber", "Der Prozeß", "Grüße aus Köln – „schön“", "Das Schloß, Käthe Müller"),
    Sample("fr", western, "Les Misérables", "L’Éducation sentimentale", "Les Fleurs du mal – œuvres complètes"),
    Sample("es", western, "Doña Perfecta, Benito Pérez Galdós", "¿Quién mató a Palomino?", "La vida es sueño"),
    Sample("pt", western, "Memórias Póstumas de Brás Cubas", "Coração, Cabeça e Estômago", "Os Lusíadas, Camões"),
    Sample("it", western, "Libertà va cercando, ch’è sì cara", "Così è (se vi pare)", "La città e la luna"),
    Sample("sv", western, "Gösta Berlings saga", "Fröken Julie", "Röda rummet på svenska"),
    Sample("da", western, "Den lille havfrue på øen", "Synnøve Solbakken", "Et dukkehjem – første akt, Bjørnson"),
    Sample("fi", western, "Seitsemän veljestä", "Kalevala – täydellinen laitos", "Nuori äiti ja tyttö"),
    Sample("is", "windows-1252", "Sjálfstætt fólk", "Egils saga Skallagrímssonar, þriðja útgáfa"),
    Sample("nl", western, "Kees de jongen in één band", "België, geïllustreerd: ruïnes en reünies"),
    Sample("tr", "windows-1254", "Çalıkuşu, Reşat Nuri Güntekin", "Aşk-ı Memnu, Halit Ziya Uşaklıgil", "İnce Memed"),
    Sample("el", "windows-1253", "Οδύσσεια, Όμηρος", "Βίος και πολιτεία του Αλέξη Ζορμπά", "Η φόνισσα"),
    Sample("ko", "cp949", "소년이 온다", "채식주의자, 한강", "난장이가 쏘아올린 작은 공", "운수 좋은 날"),
    Sample("ja", "shift_jis euc-jp", "吾輩は猫である, 夏目漱石", "坊っちゃん", "銀河鉄道の夜, 宮沢賢治", "ノルウェイの森"),
    Sample("zh-Hans", "gbk", "红楼梦, 曹雪芹", "三国演义, 罗贯中", "骆驼祥子, 老舍", "活着, 余华"),
    Sample("zh-Hant", "big5", "紅樓夢, 曹雪芹", "三國演義, 羅貫中", "駱駝祥子, 老舍", "台北人, 白先勇"),
  ]

  private func bytes(_ text: String, in encoding: TextEncoding) throws -> [UInt8] {
    let run = try Spawn.capture(
      ["iconv", "-f", "UTF-8", "-t", encoding.id], environment: .adding(["LC_ALL": "C.UTF-8"]),
      input: .file(Array(text.utf8)))
    #expect(run.status?.isSuccess == true, "\(encoding.name) has no letters for \(text)")
    return run.output
  }

  @Test(arguments: samples)
  func `the letters decide which encoding a text has`(sample: Sample) throws {
    let whole = sample.lines.joined(separator: "\n")
    for name in sample.encodings {
      let encoding = try #require(TextEncoding(name))
      // ISO 8859-2 and KOI8 have no dashes and curved quotation marks.
      let lines = sample.lines.filter { $0.unicodeScalars.count { $0.value >= 0x80 } >= 4 }
      for text in [whole] + lines {
        let file = try SmallFile(try bytes("Title\n\(text)\n", in: encoding))
        let decoding = try withExtendedLifetime(file) { try TextDecoding(path: file.path) }
        guard case .other(let found, let shown, nil) = decoding else {
          Issue.record("\(name): \(text): \(decoding)")
          continue
        }
        #expect(text.hasPrefix(shown), "\(name): \(text) as \(found.name)")
        let source = try ByteSource(path: file.path).decoded(decoding, path: file.path)
        #expect(String(decoding: try source.all(limit: 1 << 20), as: UTF8.self) == "Title\n\(text)\n", "\(name)")
      }
    }
  }

  @Test func `an encoding is named in any spelling, and overrules the letters`() throws {
    for (name, id) in [
      ("cp1251", "CP1251"), ("Windows-1251", "CP1251"), ("latin 2", "ISO-8859-2"), ("ISO_8859-1", "CP1252"),
      ("sjis", "CP932"), ("EUC-KR", "CP949"), ("utf8", "UTF-8"),
    ] {
      #expect(TextEncoding(name)?.id == id)
    }
    #expect(TextEncoding("klingon") == nil)
    let file = try SmallFile(Array("Title,Author\nZ".utf8) + [0xB3] + Array("o,A B\n".utf8))
    try withExtendedLifetime(file) {
      let choices = ImportChoices(kind: .book, encoding: TextEncoding("latin-2"))
      let opened = try Import(path: file.path, choices: choices)
      #expect(try opened.all().first?.entry?.record.title == "Zło")
      #expect(opened.remarks.map { $0.message.text(in: nil) } == ["read as ISO-8859-2: Zło,A B"])
    }
  }

  @Test func `a member of an archive is judged, too`() throws {
    let korean = try bytes(
      "Date,Name,Year,Letterboxd URI\n2020-01-01,기생충,2019,https://boxd.it/a\n", in: #require(TextEncoding("cp949")))
    let source = try ByteSource(bytes: korean).decoded(path: nil)
    #expect(String(decoding: try source.all(limit: 1 << 20), as: UTF8.self).contains("기생충"))
  }

  @Test(
    .enabled(if: RecordedExports.folder != nil, "set CATALOG_FIXTURES to the folder with recorded exports"),
    arguments: [
      ("russian-cp1251", ["Мастер и Маргарита", "Война и мир"]),
      ("polish-latin2", ["Łąka pod Żywcem", "Źródło i dąb", "Święto śniegu"]),
      ("czech-cp1250", ["Žlutý dům a řeka", "Dvořák a jeho doba"]), ("german-macroman", ["Über den Fluß"]),
      ("french-cp1252", ["Un été inventé – l’œuvre"]), ("japanese-sjis", ["見本の本", "坊っちゃん"]),
      ("japanese-eucjp", ["見本の本", "坊っちゃん"]), ("chinese-gbk", ["活着", "三体", "红楼梦"]), ("chinese-big5", ["紅樓夢"]),
      ("korean-cp949", ["견본 책", "채식주의자"]),
    ])
  func `a table in another encoding is read`(name: String, titles: [String]) throws {
    let file = try Import(
      path: RecordedExports.path("made/november/\(name).csv"), choices: ImportChoices(kind: .book))
    #expect(try file.all().map { $0.entry?.record.title ?? "" } == titles)
    #expect(file.remarks.contains { $0.message.text(in: nil).hasPrefix("read as ") })
  }
}

internal import CatalogModel
internal import Lookup
internal import Processes

extension Dump {
  /// Discogs: albums (*masters*), and their pressings (*releases*) with labels, catalog numbers and barcodes.
  ///
  /// <https://data.discogs.com/>, monthly, in XML. The masters alone make a copy of all albums; the releases add
  /// pressings, and those without a master as titles of their own. The dump has no measure of fame: albums with more
  /// pressings come first, then those of artists with more albums.
  static let discogs = Dump(
    id: Discogs.id, name: "Discogs", kinds: [.vinyl, .music], page: "https://data.discogs.com/",
    checksums: "https://data.discogs.com/?download=data%2FYYYY%2Fdiscogs_YYYYMM01_CHECKSUM.txt",
    license: License(words: "CC0, no rights reserved; pictures are not in it", isPersonal: false),
    attribution: "Data from Discogs (https://www.discogs.com), CC0",
    files: [
      File(
        name: "masters.xml.gz", purpose: "albums, without which each pressing is a title of its own",
        isRequired: false, recordSize: 230, size: 590_000_000,
        address: "https://data.discogs.com/?download=data%2FYYYY%2Fdiscogs_YYYYMM01_masters.xml.gz",
        recognizes: { DiscogsDump.begins($0, "masters", "master") },
        read: DiscogsDump.readMasters),
      File(
        name: "releases.xml.gz", purpose: "pressings with labels, catalog numbers and barcodes", isRequired: false,
        recordSize: 1_100, size: 10_400_000_000,
        address: "https://data.discogs.com/?download=data%2FYYYY%2Fdiscogs_YYYYMM01_releases.xml.gz",
        recognizes: { DiscogsDump.begins($0, "releases", "release") },
        read: DiscogsDump.readReleases),
    ],
    // Various, Unknown Artist, No Artist.
    anonymous: [2 * 194, 2 * 355, 2 * 118_760], ranksByCreator: true,
    ids: IDs(
      id: { id, isEdition in
        let isRelease = isEdition || id.number < 0
        return ExternalID(source: Discogs.id, value: (isRelease ? "" : "master/") + String(id.number.magnitude))
      },
      key: { id in
        guard id.source == Discogs.id else { return nil }
        let isMaster = id.value.hasPrefix("master/")
        return UInt32(isMaster ? id.value.dropFirst("master/".count) : id.value[...]).map {
          UInt64($0) << 1 | (isMaster ? 0 : 1)
        }
      }),
    finish: { record, _ in
      record.url = record.externalIDs.first?.page
    })
}

private enum DiscogsDump {
  /// Whether a file begins with one of these elements. Files before 2014 have no root element.
  static func begins(_ beginning: [UInt8], _ root: String, _ name: String) -> Bool {
    let text = String(decoding: beginning, as: UTF8.self)
    return text.contains("<\(root)>") || text.contains("<\(name) ")
  }

  static func readMasters(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let parts = Parts(staging)
    // Without the pressings it is not known which albums are on vinyl.
    let kinds: CopiedKinds = reading.files.contains("releases.xml.gz") ? .music : [.music, .vinyl]
    try read(source, "master", staging, reading) { element in
      guard let number = XMLParts.attribute("id", of: element).number, number > 0 else { return .untitled }
      var title = StagedTitle()
      (title.number, title.kinds) = (number, kinds)
      var others: [Int] = []
      parts.beginGenres()
      var elements = XMLParts(of: element)
      while let part = elements.next() {
        if part.name.equals("title") {
          title.title = parts.title.line(part.content, .xml)
        } else if part.name.equals("artists") {
          (title.by, others) = try parts.artists(part)
        } else if part.name.equals("genres") || part.name.equals("styles") {
          parts.addGenres(part)
        } else if part.name.equals("year") {
          title.year = year(part.content)
        }
      }
      guard !elements.isBroken else { return .damaged }
      guard !title.title.isEmpty else { return .untitled }
      title.genres = parts.genres()
      guard try staging.add(title) else { return .repeated }
      for name in others { try staging.addCredit(number, name) }
      return nil
    }
  }

  static func readReleases(_ source: ByteSource, _ staging: Staging, _ reading: Dump.Reading) throws {
    let parts = Parts(staging)
    let hasMasters = reading.files.contains("masters.xml.gz")
    let keepsAll = reading.options.kinds?.contains(.music) ?? false
    let catalogNumber = TextCleaner()
    try read(source, "release", staging, reading) { element in
      guard let number = XMLParts.attribute("id", of: element).number, number > 0 else { return .untitled }
      var title = StagedTitle()
      var (others, master): ([Int], Int?) = ([], nil)
      var (isVinyl, hasLabel) = (false, false)
      parts.beginGenres()
      var elements = XMLParts(of: element)
      while let part = elements.next() {
        if part.name.equals("title") {
          title.title = parts.title.line(part.content, .xml)
        } else if part.name.equals("artists") {
          (title.by, others) = try parts.artists(part)
        } else if part.name.equals("labels") {
          var labels = XMLParts(of: part.element)
          while let label = labels.next(), !hasLabel {
            title.label = try parts.label(label.element)
            let raw = catalogNumber.line(XMLParts.attribute("catno", of: label.element), .xml)
            if !raw.equals("none"), !raw.equals("None"), raw.count <= 100 { title.catalogNumber = raw }
            hasLabel = true
          }
        } else if part.name.equals("formats") {
          (title.format, isVinyl) = parts.formats(part)
        } else if part.name.equals("genres") || part.name.equals("styles") {
          parts.addGenres(part)
        } else if part.name.equals("country") {
          title.origin = staging.term(parts.other.line(part.content, .xml))
        } else if part.name.equals("released") {
          title.year = year(part.content)
        } else if part.name.equals("master_id") {
          master = part.content.trimmed.number.flatMap { $0 > 0 ? $0 : nil }
        } else if part.name.equals("identifiers") {
          var identifiers = XMLParts(of: part.element)
          while let identifier = identifiers.next(), title.codes.count < 4 {
            guard XMLParts.attribute("type", of: identifier.element).equals("Barcode"),
              let code = CodeKey.barcode(XMLParts.attribute("value", of: identifier.element)),
              !title.codes.contains(code)
            else { continue }
            title.codes.append(code)
          }
        }
      }
      guard !elements.isBroken else { return .damaged }
      guard !title.title.isEmpty else { return .untitled }
      if let master, hasMasters { staging.addPoints(master, 1) }
      guard isVinyl || keepsAll else { return .otherKind }
      title.kinds = isVinyl ? [.vinyl, .music] : .music
      if let master, hasMasters {
        try staging.add(
          StagedEdition(
            title: master, number: number, kinds: title.kinds, year: title.year, format: title.format,
            origin: title.origin, label: title.label, catalogNumber: title.catalogNumber, codes: title.codes))
      } else {
        title.number = StagedTitle.number(ofEdition: number)
        title.genres = parts.genres()
        guard try staging.add(title) else { return .repeated }
        for name in others { try staging.addCredit(title.number, name) }
      }
      return nil
    }
  }

  /// Reads the elements of a file. `each` returns the reason to leave one out.
  private static func read(
    _ source: ByteSource, _ name: String, _ staging: Staging, _ reading: Dump.Reading,
    _ each: (Bytes) throws -> LeftOut?
  ) throws {
    var elements = XMLElementScanner(ByteWindow(source), name: name, root: "\(name)s")
    guard try elements.skip(to: staging.state.offset) else { throw DumpProblem.cut(reading.path) }
    var damaged = 0
    var reason: LeftOut?
    while try elements.next({ reason = try each($0) }) {
      staging.count(.damaged, elements.damaged - damaged)
      damaged = elements.damaged
      try staging.finishRecord(at: elements.offset, leftOut: reason)
    }
    staging.count(.damaged, elements.damaged - damaged)
    guard !elements.isCut else { throw DumpProblem.cut(reading.path) }
  }

  /// The year of `1999-03-00`.
  private static func year(_ date: Bytes) -> Int? {
    let date = date.trimmed
    guard date.count >= 4, let year = date.part(0, 4).number, (1860...2200).contains(year) else { return nil }
    return year
  }

  /// The parts that albums and pressings have both.
  private final class Parts {
    let title = TextCleaner()
    let other = TextCleaner()
    private let staging: Staging
    private var line: [UInt8] = []
    private var waiting: [UInt8] = []
    /// The most artists of a title that are kept.
    private static let mostArtists = 20
    private static let longestLine = 500

    init(_ staging: Staging) { self.staging = staging }

    /// The numbers of the first artist and of the others. Artists and labels are two series of numbers, so those of
    /// artists are even and those of labels odd.
    func artists(_ part: XMLParts.Part) throws -> (Int?, [Int]) {
      var (first, others): (Int?, [Int]) = (nil, [])
      var artists = XMLParts(of: part.element)
      while let artist = artists.next(), others.count < Self.mostArtists {
        var (number, name): (Int?, Bytes) = (nil, .none)
        var fields = XMLParts(of: artist.element)
        while let field = fields.next() {
          if field.name.equals("id") {
            number = field.content.trimmed.number
          } else if field.name.equals("name") {
            name = field.content
            // The following rows belong to this title.
            break
          }
        }
        guard let known = try self.name(name, number.flatMap { $0 > 0 ? 2 * $0 : nil }) else { continue }
        if first == nil { first = known } else if known != first, !others.contains(known) { others.append(known) }
      }
      return (first, others)
    }

    /// The number of a label; nil for a release without one.
    func label(_ element: Bytes) throws -> Int? {
      let name = XMLParts.attribute("name", of: element)
      guard !name.has("Not On Label", at: 0) else { return nil }
      let number = XMLParts.attribute("id", of: element).number
      return try self.name(name, number.flatMap { $0 > 0 ? 2 * $0 + 1 : nil })
    }

    private func name(_ raw: Bytes, _ number: Int?) throws -> Int? {
      guard !raw.isEmpty else { return nil }
      let number = number ?? Staging.number(ofName: raw)
      try staging.addName(number) { other.keep(Discogs.displayName(other.line(raw, .xml).text)) }
      return number
    }

    func beginGenres() { line.removeAll(keepingCapacity: true) }

    func addGenres(_ part: XMLParts.Part) {
      var genres = XMLParts(of: part.element)
      while let genre = genres.next() { add(genre.content, "; ") }
    }

    /// The term of the genres that were added.
    func genres() -> Int? { line.withUnsafeBytes { staging.term($0) } }

    /// The term of the formats, `Vinyl, LP, Album + CD`, and whether one is a record.
    func formats(_ part: XMLParts.Part) -> (Int?, Bool) {
      // The genres wait in the other buffer.
      swap(&line, &waiting)
      defer { swap(&line, &waiting) }
      line.removeAll(keepingCapacity: true)
      var isVinyl = false
      var formats = XMLParts(of: part.element)
      while let format = formats.next() {
        let name = XMLParts.attribute("name", of: format.element)
        isVinyl = isVinyl || Self.records.contains { name.equals($0) }
        add(name, " + ")
        var lists = XMLParts(of: format.element)
        while let list = lists.next() {
          var descriptions = XMLParts(of: list.element)
          while let description = descriptions.next() {
            let content = description.content
            if !content.has(" RPM", at: content.count - 4) { add(description.content, ", ") }
          }
        }
      }
      return (line.withUnsafeBytes { staging.term($0) }, isVinyl)
    }

    private static let records: [StaticString] = ["Vinyl", "Shellac", "Flexi-disc", "Lathe Cut", "Acetate"]

    private func add(_ raw: Bytes, _ separator: StaticString) {
      let text = other.line(raw, .xml)
      guard !text.isEmpty, line.count + text.count < Self.longestLine else { return }
      if !line.isEmpty { line += UnsafeBufferPointer(start: separator.utf8Start, count: separator.utf8CodeUnitCount) }
      line += text
    }
  }
}

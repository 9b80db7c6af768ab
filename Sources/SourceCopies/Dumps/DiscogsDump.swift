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
    checksumAddress: "https://data.discogs.com/?download=data%2FYYYY%2Fdiscogs_YYYYMM01_CHECKSUM.txt",
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

  static func readMasters(_ reading: Dump.Reading) throws {
    // Without the pressings it is not known which albums are on vinyl.
    let kinds: CopiedKinds = reading.files.contains("releases.xml.gz") ? .music : [.music, .vinyl]
    try read("master", reading) { release in
      release.title.kinds = kinds
      return try add(release, to: reading.staging)
    }
  }

  static func readReleases(_ reading: Dump.Reading) throws {
    let staging = reading.staging
    let hasMasters = reading.files.contains("masters.xml.gz")
    let keepsAll = reading.options.kinds?.contains(.music) ?? false
    try read("release", reading) { release in
      let master = hasMasters ? release.master : nil
      if let master { try staging.addPoints(master, 1) }
      guard release.isVinyl || keepsAll else { return .otherKind }
      release.title.kinds = release.isVinyl ? [.vinyl, .music] : .music
      if let master {
        try staging.add(release.title, of: master)
        return nil
      }
      release.title.number = StagedTitle.number(ofEdition: release.title.number)
      return try add(release, to: staging)
    }
  }

  private static func add(_ release: Release, to staging: Staging) throws -> LeftOut? {
    var title = release.title
    title.genres = try staging.term(release.genres)
    guard try staging.add(title) else { return .repeated }
    try staging.addCredits(title.number, release.artists.dropFirst())
    return nil
  }

  /// Reads the elements of a file. `each` stages one, or returns the reason to leave it out.
  private static func read(
    _ name: String, _ reading: Dump.Reading, _ each: (inout Release) throws -> LeftOut?
  ) throws {
    var elements = XMLElementScanner(reading.source, name: name, root: "\(name)s")
    try reading.forEach(in: &elements) { element in
      guard let number = XMLParts.attribute("id", of: element).number, number > 0 else { return .untitled }
      var release = Release()
      release.title.number = number
      var parts = XMLParts(of: element)
      while let part = parts.next() { try release.take(part, reading.staging) }
      guard !parts.isBroken else { return .damaged }
      return release.title.title.isEmpty ? .untitled : try each(&release)
    }
  }

  /// An album or a pressing, with what decides where it belongs.
  private struct Release {
    var title = StagedTitle()
    /// The numbers of the artists. Artists and labels are two series of numbers, so those of artists are even and those
    /// of labels odd.
    var artists: [Int] = []
    var genres = ""
    var master: Int?
    var isVinyl = false

    /// The most artists of a title that are kept, codes of a pressing, and bytes of a line of genres or formats.
    private static let (mostArtists, mostCodes, longestLine) = (20, 4, 500)
    private static let records: Set<String> = ["Vinyl", "Shellac", "Flexi-disc", "Lathe Cut", "Acetate"]

    mutating func take(_ part: XMLParts.Part, _ staging: Staging) throws {
      switch part.name.text {
      case "title": title.title = part.text
      case "artists":
        for artist in part.parts where artists.count <= Self.mostArtists {
          // Elements after the first name are of this title alone.
          let id = artist.first("id").flatMap { $0.content.trimmed.number }
          let number = try Self.name(artist.first("name")?.text ?? "", id, isLabel: false, staging)
          if let number, !artists.contains(number) { artists.append(number) }
        }
        title.by = artists.first
      case "labels":
        guard let label = part.parts.first(where: { _ in true }) else { return }
        let (name, number) = (label.attribute("name"), label.attribute("catno"))
        if !name.hasPrefix("Not On Label") {
          let id = XMLParts.attribute("id", of: label.element).number
          title.label = try Self.name(name, id, isLabel: true, staging)
        }
        if !["", "none", "None"].contains(number), number.utf8.count <= 100 { title.catalogNumber = number }
      case "formats": title.format = try staging.term(formats(part))
      case "genres", "styles": for genre in part.parts { Self.append(genre.text, "; ", to: &genres) }
      case "country": title.origin = try staging.term(part.text)
      // `1999-03-00`.
      case "year", "released":
        title.year = part.content.trimmed.prefix(4).number.flatMap { (1860...2200).contains($0) ? $0 : nil }
      case "master_id": master = part.content.trimmed.number.flatMap { $0 > 0 ? $0 : nil }
      case "identifiers":
        for identifier in part.parts where XMLParts.attribute("type", of: identifier.element).equals("Barcode") {
          guard title.codes.count < Self.mostCodes, let code = CodeKey.barcode(identifier.attribute("value")),
            !title.codes.contains(code)
          else { continue }
          title.codes.append(code)
        }
      default: break
      }
    }

    /// The number of an artist or a label.
    private static func name(_ name: String, _ id: Int?, isLabel: Bool, _ staging: Staging) throws -> Int? {
      let number = id.flatMap { $0 > 0 ? 2 * $0 + (isLabel ? 1 : 0) : nil }
      return try staging.addName(Discogs.displayName(name), number)
    }

    /// `Vinyl, LP, Album + CD`. One of them may be a record.
    private mutating func formats(_ part: XMLParts.Part) -> String {
      var line = ""
      for format in part.parts {
        let name = format.attribute("name")
        isVinyl = isVinyl || Self.records.contains(name)
        Self.append(name, " + ", to: &line)
        for text in format.parts.flatMap(\.parts).map(\.text) where !text.hasSuffix(" RPM") {
          Self.append(text, ", ", to: &line)
        }
      }
      return line
    }

    private static func append(_ text: String, _ separator: String, to line: inout String) {
      guard !text.isEmpty, line.utf8.count + text.utf8.count < longestLine else { return }
      line += line.isEmpty ? text : separator + text
    }
  }
}

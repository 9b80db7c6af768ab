public import CatalogModel
internal import Processes

/// A source's published dump: its files, its terms, how their bytes become rows, and how a row becomes a record. Each
/// dump is one value in one file.
public struct Dump: Sendable, Identifiable {
  /// The source that it is of, as in ``ExternalID``: `discogs`.
  public let id: String
  /// The display name: `Discogs`.
  public let name: String
  public let kinds: [Kind]
  /// The page from which its files are downloaded.
  public let page: String
  var checksumAddress: String?
  public let license: License
  /// The attribution to show beside its records.
  public let attribution: String
  /// Its files, in the order in which they are read.
  public let files: [File]
  /// The creators that are none, such as `Various`: the numbers of their names.
  var anonymous: Set<Int> = []
  /// Whether titles with equal points are ranked by the number of titles that their creator has.
  var ranksByCreator = false
  /// The source's ids of a copied row, and back.
  let ids: IDs
  /// Joins staged rows of several tables, once all files were read.
  var join: @Sendable (Staging, SourceCopyOptions) throws -> Void = { _, _ in }
  /// Adds to a record the fields that only this source has.
  let finish: @Sendable (inout Record, CopiedTitle) -> Void

  /// The terms of use.
  public struct License: Sendable {
    /// In one sentence.
    public let words: Message
    /// Whether the files may be used by a person for themselves only.
    public let isPersonal: Bool
  }

  /// One of the files.
  public struct File: Sendable {
    /// The usual name, without a date: `title.basics.tsv.gz`.
    public let name: String
    /// The purpose, and the consequence where it is missing: `without ratings, titles are in no order`.
    public let purpose: Message
    public let isRequired: Bool
    /// The usual size of a record in the packed file, in bytes.
    let recordSize: Int
    /// The usual size of the file in bytes, in 2026; nil when it is not known.
    public internal(set) var size: Int?
    /// The address of the newest file, with `YYYY` and `MM` for the year and the month; nil where it is only linked on
    /// the page.
    var address: String?
    /// The files that are read of an archive, by their paths in it.
    var members: [String] = []
    /// Whether a file with this beginning is one.
    let recognizes: @Sendable ([UInt8]) -> Bool
    let read: @Sendable (Reading) throws -> Void

    /// The address from which the file of a month is downloaded, and its name there.
    /// - Parameter month: `2026-11`.
    public func download(of month: String) -> (address: String, name: String)? {
      address.map { Dump.filled($0, month) }.map { ($0, Dump.fileName(in: $0)) }
    }

    /// Whether a file at a path has this name, perhaps with a date: `discogs_20261001_masters.xml.gz`.
    func isCalled(_ path: String) -> Bool {
      let endings: Set = ["csv", "tsv", "txt", "xml", "tar", "gz", "bz2"]
      return path.contains(name.split(separator: ".").prefix { !endings.contains(String($0)) }.joined(separator: "."))
    }
  }

  /// A file that is being read.
  struct Reading {
    let source: ByteSource
    let staging: Staging
    let path: String
    let options: SourceCopyOptions
    /// The names of all files of the build.
    let files: Set<String>

    /// Reads the records behind those that were read before.
    /// - Parameter each: stages a record, or returns the reason to leave it out.
    func forEach(in scanner: inout some RecordScanner, _ each: (Bytes) throws -> LeftOut?) throws {
      for _ in stride(from: 0, to: staging.state.rows, by: 1) where try !scanner.next({ _ in }) {
        throw DumpProblem.cut(path)
      }
      var (leftOut, reason): (Int, LeftOut?) = (scanner.leftOut, nil)
      while try scanner.next({ reason = try each($0) }) {
        staging.count(scanner.reason, scanner.leftOut - leftOut)
        leftOut = scanner.leftOut
        try staging.finishRecord(leftOut: reason)
      }
      staging.count(scanner.reason, scanner.leftOut - leftOut)
      guard !scanner.isCut else { throw DumpProblem.cut(path) }
    }

    /// Reads the rows of a table whose first row names the columns.
    /// - Parameters:
    ///   - columns: the columns that `each` wants, in its order. Without the first one the file is refused, and a file
    ///     that is no CSV without any. For another one that is missing it gets no bytes.
    ///   - each: stages a row, or returns the reason to leave it out.
    func forEachRow(isCSV: Bool = false, _ columns: [String], _ each: ([Bytes]) throws -> LeftOut?) throws {
      var lines = LineScanner(source, isCSV: isCSV)
      guard let header = try lines.next().map({ Cells($0, isCSV: isCSV) }) else { throw DumpProblem.cut(path) }
      let places = header.places(of: columns)
      if let missing = zip(columns, places).first(where: { $0.1 < 0 })?.0, !isCSV || missing == columns.first {
        throw DumpProblem(.unknown, "'\(path)' has no column '\(missing)'")
      }
      try forEach(in: &lines) { line in
        let cells = Cells(line, isCSV: isCSV)
        return isCSV || cells.count == header.count ? try each(places.map { cells[$0] }) : .damaged
      }
    }
  }

  /// The source's ids of titles and editions.
  struct IDs: Sendable {
    /// The id of a title, or of an edition, by the number or bytes in the copy.
    var id: @Sendable (CopiedID, _ isEdition: Bool) -> ExternalID
    /// The key of an id in the copy; nil for an id that no dump has.
    var key: @Sendable (ExternalID) -> UInt64?
  }

  /// The address of a file with the SHA-256 of all files of a month.
  public func checksums(of month: String) -> String? { checksumAddress.map { Self.filled($0, month) } }

  private static func filled(_ address: String, _ month: String) -> String {
    address.replacing("YYYY", with: month.prefix(4)).replacing("MM", with: month.suffix(2))
  }

  private static func fileName(in address: String) -> String {
    let last = address.split(separator: "/").last.map(String.init) ?? address
    return last.split(separator: "%2F").last.map(String.init) ?? last
  }

  /// All dumps.
  public static let all: [Dump] = [.discogs, .imdb, .musicBrainz, .nlk, .openLibrary]

  /// The dump of a source.
  public static func named(_ id: String) -> Dump? { all.first { $0.id == id } }
}

/// The choices for a copy.
public struct SourceCopyOptions: Hashable, Sendable {
  /// The kinds to keep; nil for those that the source has by default.
  public var kinds: [Kind]?
  /// ISO 639-1 codes of the languages in which titles are kept, besides those that everyone knows.
  public var languages: [String]
  /// IMDb's types of titles: `movie`, `tvMovie`, `short`, `video`, `tvSpecial`.
  public var types: [String]
  /// The most titles to keep, the best known.
  public var most: Int?

  public init(
    kinds: [Kind]? = nil, languages: [String] = ["ko", "en"], types: [String] = ["movie", "tvMovie"], most: Int? = nil
  ) {
    (self.kinds, self.languages, self.types, self.most) = (kinds, languages, types, most)
  }

  /// Reads options as they are noted in a copy.
  public init(words: String) {
    self.init()
    for part in words.split(separator: "; ") {
      let values = part.split(separator: " ").dropFirst().first.map { $0.split(separator: ",").map(String.init) } ?? []
      switch part.split(separator: " ").first {
      case "kinds": kinds = values.compactMap { Kind(rawValue: $0) }
      case "languages": languages = values
      case "types": types = values
      case "most": most = values.first.flatMap { Int($0) }
      default: break
      }
    }
  }

  /// The options as they are noted in a copy.
  var words: String {
    let parts = [
      kinds.map { "kinds " + $0.map(\.rawValue).joined(separator: ",") },
      "languages " + languages.joined(separator: ","), "types " + types.joined(separator: ","),
      most.map { "most \($0)" },
    ]
    return parts.compactMap(\.self).joined(separator: "; ")
  }
}

internal import CatalogModel
internal import FoundationEssentials
internal import Glibc
internal import Lookup
internal import Processes
internal import SQLite

/// The building of a copy from the files of a dump.
///
///     let build = try CopyBuild(.imdb, files: ["/data/imdb"], folder: "/home/anna/.cache/catalog/copies")
///     let summary = try build.run { progress in … }
///
/// A build that was interrupted or killed goes on when the same files are built again: rows and the place in each file
/// are committed together. The finished file is the same, byte for byte, as that of a build without interruption.
public struct CopyBuild: Sendable {
  public let dump: Dump
  public let options: SourceCopyOptions
  /// The files, in the order in which they are read.
  public let inputs: [Input]
  /// The files that are called like a missing part of the dump and are something else, by the name of the part.
  public let wrong: [String: String]
  /// The folder of the copy.
  public let folder: String
  /// The rows between two commits.
  var batch = Staging.usualBatch

  /// A file and the part of the dump that it is.
  public struct Input: Sendable {
    public let path: String
    public let file: Dump.File
    /// The last part of the path.
    public var name: String { path.split(separator: "/").last.map(String.init) ?? path }
    /// Its size on the disk, in bytes.
    public let size: Int
    let changed: Int

    /// `title.basics.tsv.gz 187423 1793145600`: name, size and time of the last change.
    fileprivate var identity: String { "\(name) \(size) \(changed)" }
  }

  /// The progress of a build.
  public struct Progress: Hashable, Sendable {
    public enum Phase: Hashable, Sendable {
      case reading(name: String)
      case ranking
      case writing
    }

    public var phase: Phase
    /// The work done and all work of the phase: bytes of the packed file, or titles.
    public var done = 0
    public var total = 0
    /// The records read of the file, and of those kept.
    public var rows = 0
    public var kept = 0
    /// The records or titles in a second, since this phase began.
    public var rate = 0.0
    /// The expected time to the end of the phase, in seconds; nil before anything can be said.
    public var secondsLeft: Double?
  }

  /// The outcome of a build.
  public struct Summary: Hashable, Sendable {
    public var path: String
    public var titles = 0
    public var editions = 0
    /// The editions that were left out, because the files have no title of theirs that is kept.
    public var orphans = 0
    /// The size of the copy in bytes.
    public var bytes = 0
    /// The records that were left out, by file and reason.
    public var leftOut: [String: [LeftOut: Int]] = [:]
  }

  /// Recognizes files by their beginnings.
  /// - Parameters:
  ///   - paths: files, and folders whose files are looked at. A file in a folder that is no part of the dump is
  ///     ignored.
  ///   - folder: the folder of the copy, which must exist.
  /// - Throws: ``DumpProblem`` for a file that is no part of the dump, for two that are the same part, and for one that
  ///   is missing without which no copy can be built.
  public init(_ dump: Dump, files paths: [String], folder: String, options: SourceCopyOptions = SourceCopyOptions())
    throws
  {
    var inputs: [Input] = []
    for input in try paths.flatMap({ try Self.parts(at: $0, of: dump) }) {
      if let other = inputs.first(where: { $0.file.name == input.file.name }) {
        throw DumpProblem(.unknown, "'\(other.path)' and '\(input.path)' are the same part of the dump")
      }
      inputs.append(input)
    }
    let missing = dump.files.filter { file in !inputs.contains { $0.file.name == file.name } }
    let wrong = Self.paths(at: paths).reduce(into: [String: String]()) { wrong, path in
      guard !inputs.contains(where: { $0.path == path }) else { return }
      let name = String(path.split(separator: "/").last ?? "")
      for file in missing where wrong[file.name] == nil && file.isCalled(name) { wrong[file.name] = path }
    }
    for file in missing where file.isRequired {
      if let path = wrong[file.name] {
        throw DumpProblem(
          .damaged, "'\(path)' is called like '\(file.name)', and is something else",
          hint: "download it again from \(dump.page)")
      }
      throw DumpProblem(.missing, "the file '\(file.name)' is missing", hint: "download it from \(dump.page)")
    }
    self.inputs = dump.files.compactMap { file in inputs.first { $0.file.name == file.name } }
    (self.dump, self.folder, self.options, self.wrong) = (dump, folder, options, wrong)
  }

  /// The path of the copy.
  public var path: String { "\(folder)/\(dump.id).db" }

  /// The files of the dump that are missing. Without them the copy lacks what they are for.
  public var missing: [Dump.File] {
    dump.files.filter { file in !inputs.contains { $0.file.name == file.name } }
  }

  /// The expected number of bytes that the build takes on the disk while it runs.
  public var expectedBytes: Int { bytes(ofTitle: 320 + Self.sortedBytes) }

  /// The bytes of a title while SQLite sorts.
  private static let sortedBytes = 130

  private func bytes(ofTitle size: Int) -> Int {
    let titles = inputs.reduce(0.0) { $0 + Double($1.size) / Double(max(1, $1.file.recordSize)) }
    return Int(clamping: (titles * Double(size) + 10_000_000) * 1.05)
  }

  /// Builds the copy, or goes on with it.
  /// - Parameter onProgress: called some times a second; an error from it ends the build, which can go on later.
  /// - Throws: ``DumpProblem``, `Interrupted`, `SystemError`.
  @discardableResult
  public func run(_ onProgress: @escaping (Progress) throws -> Void = { _ in }) throws -> Summary {
    do {
      return try FileLock.holding(path + ".lock", patience: .zero) { try build(onProgress) }
    } catch let error as SystemError where error.code == EWOULDBLOCK {
      throw DumpProblem(.busy, "another process is building the copy of \(dump.name)", hint: "wait until it is done")
    } catch let error as SQLiteError where error.isInterrupted {
      try Interrupt.check()
      throw error
    } catch let error as SQLiteError where error.findsNoRoom {
      throw DumpProblem(.space, "the disk is full", hint: "make room and run the same command: it goes on")
    }
  }

  /// Removes what an unfinished build has left.
  public func discard() {
    for suffix in [".staging", ".staging-wal", ".staging-shm", ".building"] { unlink(path + suffix) }
  }

  // MARK: Steps

  private func build(_ onProgress: @escaping (Progress) throws -> Void) throws -> Summary {
    try checkSpace()
    let staging = try openStaging()
    staging.db.interrupt { Interrupt.isRequested }
    staging.batch = batch
    let known = try staging.files()
    for input in inputs {
      let state = known.first { $0.name == input.file.name } ?? Staging.FileState(input)
      if !state.isDone { try read(input, state, into: staging, onProgress) }
    }
    for state in try staging.files() {
      let bad = (state.leftOut[.damaged] ?? 0) + (state.leftOut[.tooLong] ?? 0)
      guard bad < 100 || bad * 10 < state.rows else {
        discard()
        throw DumpProblem(
          .damaged, "\(bad) of \(state.rows) records of '\(state.name)' cannot be read",
          hint: "download it again and compare its checksum")
      }
    }
    try onProgress(Progress(phase: .ranking))
    try dump.join(staging, options)
    let states = try staging.files()
    let titles = try staging.rank(dump, most: options.most)
    guard titles > 0 else {
      discard()
      throw DumpProblem(.damaged, "there is no title in the files that could be kept")
    }
    unlink(path + ".building")
    let clock = PhaseClock(.writing, total: titles)
    let writer = CopyWriter(staging: staging, dump: dump, titles: titles) { done in
      try Interrupt.check()
      try onProgress(clock.progress(done, rows: done, kept: done))
    }
    var summary: Summary
    do {
      summary = try writer.write(to: path + ".building", about: about(states))
      try Self.sync(path + ".building")
    } catch {
      unlink(path + ".building")
      throw error
    }
    guard rename(path + ".building", path) == 0 else { throw SystemError(errno, "write '\(path)'") }
    try Self.sync(folder)
    discard()
    var status = stat()
    stat(path, &status)
    (summary.path, summary.bytes) = (path, Int(status.st_size))
    summary.leftOut = Dictionary(states.map { ($0.name, $0.leftOut) }) { $1 }
    return summary
  }

  /// An estimate of the copy from the first records of the files.
  public struct Preview: Hashable, Sendable {
    /// The beginning of a file.
    public struct Part: Hashable, Sendable {
      public var name: String
      /// The records read, and of those kept.
      public var rows = 0
      public var kept = 0
      public var leftOut: [LeftOut: Int] = [:]
      /// The part of the file that was read, 0 … 1.
      public var share = 1.0
      /// The expected number of its records.
      public var allRows: Int { share > 0 ? Int(clamping: Double(rows) / share) : rows }
    }

    public var parts: [Part] = []
    /// The expected number of titles, and the expected size of the copy in bytes. The records of other files refer to
    /// titles that were not read, so only those that make titles count.
    public var titles = 0
    public var bytes: Int { titles * Self.bytesOfTitle }

    /// The bytes of a title in a copy, with its words and keys.
    private static let bytesOfTitle = 160
  }

  /// Reads the first records of each file, and writes nothing.
  public func preview(records: Int = 100_000) throws -> Preview {
    struct IsEnough: Error {}
    let staging = try Staging(.memory)
    staging.batch = Staging.Batch(rows: .max, time: .seconds(3_600), look: min(1_024, records))
    var preview = Preview()
    func titles() throws -> Int { try staging.db.value("SELECT count(*) FROM title") ?? 0 }
    for input in inputs {
      var part = Preview.Part(name: input.name)
      let before = try titles()
      do {
        try read(input, Staging.FileState(input), into: staging) { progress in
          part.share = min(1, Double(max(1, progress.done)) / Double(max(1, input.size)))
          if progress.rows >= records { throw IsEnough() }
        }
        part.share = 1
      } catch is IsEnough {
        if staging.db.isInTransaction { try staging.finish() }
      }
      (part.rows, part.kept, part.leftOut) = (staging.state.rows, staging.state.kept, staging.state.leftOut)
      preview.titles += Int(clamping: Double(try titles() - before) / part.share)
      preview.parts.append(part)
    }
    preview.titles = min(preview.titles, options.most ?? .max)
    return preview
  }

  private func read(
    _ input: Input, _ state: Staging.FileState, into staging: Staging,
    _ onProgress: @escaping (Progress) throws -> Void
  ) throws {
    let file = try DumpFile(path: input.path)
    let clock = PhaseClock(.reading(name: input.name), total: file.size, rows: state.rows)
    staging.onProgress = { state in
      try onProgress(clock.progress(file.position, rows: state.rows, kept: state.kept))
    }
    defer { staging.onProgress = { _ in } }
    try staging.begin(state)
    try input.file.read(reading(input, file, staging))
    if try file.hasStrayBytes() { staging.count(.strayBytes) }
    try staging.finish()
  }

  private func reading(_ input: Input, _ file: DumpFile, _ staging: Staging) throws -> Dump.Reading {
    Dump.Reading(
      source: try file.unpacked(input.file.members), staging: staging, path: input.path, options: options,
      files: Set(inputs.map(\.file.name)))
  }

  /// Opens the staged rows, or begins anew where they cannot be read or are of another build.
  private func openStaging() throws -> Staging {
    let build = "\(dump.id) \(options.words) \(inputs.map(\.identity).joined(separator: ", "))"
    do {
      let staging = try Staging(.file(path + ".staging"))
      if try staging.belong(to: build) { return staging }
    } catch let error as SQLiteError where error.isCorrupt || error.isGeneral {}
    discard()
    let staging = try Staging(.file(path + ".staging"))
    _ = try staging.belong(to: build)
    return staging
  }

  /// The folder where SQLite sorts: <https://sqlite.org/tempfiles.html>.
  /// - Parameter named: the folders that the environment names.
  static func sortingFolder(
    named: [String?] = ["SQLITE_TMPDIR", "TMPDIR"].map { (name: String) in getenv(name).map { String(cString: $0) } }
  ) -> String {
    (named.compactMap(\.self) + ["/var/tmp", "/usr/tmp", "/tmp"]).first { access($0, W_OK | X_OK) == 0 } ?? "."
  }

  private func checkSpace() throws {
    func status(_ path: String) -> stat? {
      var status = stat()
      return stat(path, &status) == 0 ? status : nil
    }
    let begun = status(path + ".staging").map { Int($0.st_size) } ?? 0
    let sorting = Self.sortingFolder()
    let isOneDisk = status(folder)?.st_dev == status(sorting)?.st_dev
    let needs =
      isOneDisk
      ? [(folder, expectedBytes - begun)]
      : [(folder, bytes(ofTitle: 320) - begun), (sorting, bytes(ofTitle: Self.sortedBytes))]
    for (folder, bytes) in needs {
      var facts = statvfs()
      guard statvfs(folder, &facts) == 0 else { throw SystemError(errno, "use the folder '\(folder)'") }
      let free = Int(clamping: Double(facts.f_bavail) * Double(facts.f_frsize))
      guard free < bytes else { continue }
      let (needed, left) = (Self.megabytes(bytes), Self.megabytes(free))
      throw DumpProblem(.space, "the build takes about \(needed) MB in '\(folder)', where \(left) MB are free")
    }
  }

  private static func megabytes(_ bytes: Int) -> Int { bytes / 1_000_000 }

  private func about(_ states: [Staging.FileState]) -> [(name: String, value: String)] {
    var leftOut: [LeftOut: Int] = [:]
    for state in states { leftOut.merge(state.leftOut) { $0 + $1 } }
    var rows = [
      ("source", dump.id),
      ("files", inputs.map { "\($0.name) (\($0.size))" }.joined(separator: "; ")),
      ("folders", Self.folders(of: inputs).joined(separator: "\n")),
      ("built of", inputs.map(\.identity).joined(separator: "\n")),
      ("options", options.words), ("license", dump.license.words.text(in: nil)), ("attribution", dump.attribution),
      ("records read", String(states.reduce(0) { $0 + $1.rows })), ("left out", LeftOut.text(leftOut)),
    ]
    // A source names its files by the day in UTC.
    if let date = inputs.lazy.compactMap({ Self.date(in: $0.name) }).first
      ?? inputs.first.map({ LocalTime.utc.day(of: Timestamp(Date(timeIntervalSince1970: Double($0.changed)))) })
    {
      rows.append(("date", date))
    }
    return rows.map { (name: $0.0, value: $0.1) }
  }

  /// The absolute paths of the folders of files, each once.
  private static func folders(of inputs: [Input]) -> [String] {
    inputs.map { input in
      let folder =
        input.path.contains("/") ? String(input.path[..<(input.path.lastIndex(of: "/") ?? input.path.endIndex)]) : "."
      guard let path = realpath(folder.isEmpty ? "/" : folder, nil) else { return folder }
      defer { free(path) }
      return String(cString: path)
    }.withoutRepeats(by: \.self)
  }

  /// The newest file of each part in the folders that the files of a copy came from: those to build it anew of. Nil
  /// where they are the files that it was built of.
  /// - Throws: ``DumpProblem`` where the files are gone, or the copy does not say where they were.
  public static func newer(than about: SourceCopy.About, of dump: Dump) throws -> [String]? {
    guard !about.folders.isEmpty else {
      throw DumpProblem(
        .missing, "the copy of \(dump.name) does not say where its files were",
        hint: "build it again: catalog source build \(dump.id) FOLDER")
    }
    var newest: [String: Input] = [:]
    for input in try about.folders.flatMap({ try parts(at: $0, of: dump) }) {
      let other = newest[input.file.name]
      if other.map({ (date(in: $0.name) ?? "", $0.changed) < (date(in: input.name) ?? "", input.changed) }) ?? true {
        newest[input.file.name] = input
      }
    }
    let isGone = newest.isEmpty || dump.files.contains { $0.isRequired && newest[$0.name] == nil }
    guard !isGone else {
      throw DumpProblem(
        .missing, "the files of the copy of \(dump.name) are not in \(about.folders.joined(separator: ", ")) any more",
        hint: "download them from \(dump.page)")
    }
    let inputs = dump.files.compactMap { newest[$0.name] }
    return inputs.map(\.identity) == about.builtOf ? nil : inputs.map(\.path)
  }

  /// The date in the name of a file: `discogs_20261001_masters.xml.gz`, `ol_dump_works_2026-08-31.txt.gz`.
  static func date(in name: String) -> String? {
    for part in name.split(whereSeparator: { !$0.isASCII || !($0.isNumber || $0 == "-") }) {
      let digits = part.filter(\.isNumber)
      guard digits.utf8.count == 8, digits.hasPrefix("20") else { continue }
      let text = "\(digits.prefix(4))-\(digits.dropFirst(4).prefix(2))-\(digits.suffix(2))"
      if PartialDate(text) != nil { return text }
    }
    return nil
  }

  /// The paths of files, and of the files in folders.
  private static func paths(at paths: [String]) -> [String] {
    paths.flatMap { path in
      (try? FileManager.default.contentsOfDirectory(atPath: path))?.sorted().map { "\(path)/\($0)" } ?? [path]
    }
  }

  /// The parts of a dump at a path, which may be a folder. Other files in a folder may be anything; one that is called
  /// like a part of the dump is meant.
  private static func parts(at path: String, of dump: Dump) throws -> [Input] {
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      guard let input = try input(path, of: dump) else {
        throw DumpProblem(.unknown, "'\(path)' is not a file of the dump of \(dump.name)", hint: "see \(dump.page)")
      }
      return [input]
    }
    return try names.filter { !$0.hasPrefix(".") }.sorted().compactMap { name in
      let path = "\(path)/\(name)"
      do { return try input(path, of: dump) } catch {
        guard dump.files.contains(where: { $0.isCalled(path) }) else { return nil }
        throw error
      }
    }
  }

  private static func input(_ path: String, of dump: Dump) throws -> Input? {
    let file = try DumpFile(path: path)
    let beginning = try file.unpacked().beginning(4_096)
    return dump.files.first { $0.recognizes(beginning) }.map {
      Input(path: path, file: $0, size: file.size, changed: file.changed)
    }
  }

  private static func sync(_ path: String) throws {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError(errno, "open '\(path)'") }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw SystemError(errno, "write '\(path)'") }
  }
}

extension Staging.FileState {
  fileprivate init(_ input: CopyBuild.Input) {
    self.init(name: input.file.name, size: input.size, changed: input.changed)
  }
}

/// The time of a phase, from which its rate and its end are computed.
private struct PhaseClock {
  let phase: CopyBuild.Progress.Phase
  let total: Int
  let firstRow: Int
  let began = Uptime.now()

  init(_ phase: CopyBuild.Progress.Phase, total: Int, rows: Int = 0) {
    (self.phase, self.total, firstRow) = (phase, total, rows)
  }

  func progress(_ done: Int, rows: Int, kept: Int) -> CopyBuild.Progress {
    let seconds = (Uptime.now() - began) / .seconds(1)
    var progress = CopyBuild.Progress(phase: phase, done: done, total: total, rows: rows, kept: kept)
    progress.rate = seconds > 0 ? Double(rows - firstRow) / seconds : 0
    if done > 0, seconds > 1 { progress.secondsLeft = seconds * Double(max(0, total - done)) / Double(done) }
    return progress
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import SQLite
internal import SourceCopies

/// Builds a copy of a source for a person: warnings, the question about its terms, progress and the report.
struct SourceCopyBuilder {
  private let dump: Dump
  private let context: Context

  init(_ dump: Dump, in context: Context) { (self.dump, self.context) = (dump, context) }

  /// Builds the copy of these files and folders, or with `--dry-run` says what it would have.
  func build(_ files: [String], _ options: SourceCopyOptions) throws {
    guard let folder = context.places.copies else {
      throw Failure("there is no place for the copy: HOME is not set")
    }
    do {
      if !context.globals.isDryRun {
        let code = PrivateFolder.make(folder)
        guard code == 0 else { throw SystemError(code, "make the folder \(folder.quoted)") }
      }
      let build = try CopyBuild(dump, files: files, folder: folder, options: options)
      for file in build.missing {
        if let path = build.wrong[file.name] {
          context.warn("\(path.quoted) is called like \(file.name.quoted), and is something else: \(file.purpose)")
        } else {
          context.warn("\(file.name) is missing: \(file.purpose)")
        }
      }
      if context.globals.isDryRun { return try report(build.preview(), of: build) }
      try agree()
      try report(run(build))
    } catch let problem as DumpProblem {
      throw Failure(problem)
    }
  }

  private func report(_ preview: CopyBuild.Preview, of build: CopyBuild) throws {
    let names = build.inputs.map { $0.name.quoted }.joined(separator: ", ")
    try context.print(
      "would build a copy of \(dump.name) from \(context.safe(names)), with about \(build.expectedBytes.size) of room")
    for part in preview.parts {
      let name = context.safe(part.name)
      try context.print(
        part.share < 1
          ? "  \(name): \(part.kept) of the first \(part.rows) records are kept, of about \(part.allRows)"
          : "  \(name): \(part.kept) of \(part.rows) records are kept")
      let reasons = words(for: part.leftOut)
      if !reasons.isEmpty { try context.print("    left out: \(reasons)") }
    }
    let titles = preview.titles.counted("title", "titles")
    try context.would(
      "the copy would have at most about \(titles), and \(preview.bytes.size)",
      change([("file", Table.Value.none), ("titles", preview.titles), ("bytes", preview.bytes)]))
  }

  private func change(_ more: Change.Members) -> Change {
    Change(.done, [("source", dump.id)] + more)
  }

  /// Asks for the agreement to personal terms, once.
  private func agree() throws {
    guard dump.license.isPersonal, context.copyPath(of: dump.id) == nil else { return }
    context.note("\(dump.name) gives its files \(dump.license.words).")
    guard try context.confirm("Do you agree?") else { throw Failure("nothing was built") }
  }

  private func run(_ build: CopyBuild) throws -> CopyBuild.Summary {
    let line = BuildLine(in: context)
    defer { line.clear() }
    return try build.run { progress in
      try Interrupt.check()
      line.show(progress)
    }
  }

  private func report(_ summary: CopyBuild.Summary) throws {
    let titles = summary.titles.counted("title", "titles")
    try context.did(
      "built a copy of \(dump.name): \(titles), \(summary.bytes.size)",
      change([("file", summary.path), ("titles", summary.titles), ("bytes", summary.bytes)]))
    for (file, counts) in summary.leftOut.sorted(by: { $0.key < $1.key }) {
      let reasons = words(for: counts)
      if !reasons.isEmpty { try context.print("left out of \(context.safe(file)): \(reasons)") }
    }
    if summary.orphans > 0 { try context.print("left out: \(words(for: [.orphan: summary.orphans]))") }
    try context.print(verbatim: dump.attribution)
    try tellVanished()
    context.hint("to ask it before the network: catalog config set sources.\(dump.id).copy first")
  }

  /// Tells of items whose id is not in the copy that was built.
  private func tellVanished() throws {
    guard let path = context.copyPath(of: dump.id), let store = try? context.reading(),
      let copy = try? SourceCopy(path: path)
    else { return }
    let ids = try store.externalIDs(at: dump.id)
    let gone = try ids.count { try copy.record($0) == nil }
    guard gone > 0 else { return }
    context.note("\(gone) of your \(ids.count.counted("item", "items")) from \(dump.name) are not in the copy")
  }

  /// `3 damaged, 7 of another kind`.
  private func words(for counts: [LeftOut: Int]) -> Message {
    LeftOut.allCases.compactMap { reason in
      counts[reason].flatMap { $0 > 0 ? reason.words($0) : nil }
    }.joined(separator: ", ")
  }
}

extension Failure {
  init(_ problem: DumpProblem) {
    self.init(problem.message, hint: problem.hint, status: problem.reason == .unknown ? .misused : .failed)
  }
}

/// The line with the progress of a build: on a terminal at once, elsewhere every minute.
private final class BuildLine {
  private let context: Context
  private var last: Duration?

  init(in context: Context) { self.context = context }

  private var isTerminal: Bool { context.progressTerminal.isErrorTerminal }

  func show(_ progress: CopyBuild.Progress) {
    let now = context.uptime()
    if let last, now - last < (isTerminal ? .milliseconds(200) : .seconds(60)) { return }
    // The first minute of a pipe is silent.
    defer { last = now }
    guard isTerminal else { return last == nil ? () : context.note(words(progress)) }
    let line = context.text(words(progress))
    try? context.errors.append("\r" + line.truncated(to: context.terminal.width - 1) + "\u{1B}[K")
    context.errors.flushIgnoringErrors()
  }

  func clear() {
    guard isTerminal, last != nil else { return }
    try? context.errors.append("\r\u{1B}[K")
    context.errors.flushIgnoringErrors()
  }

  /// `title.basics.tsv.gz: 41 %, 7900000 read, 3100000 kept, 51000/s, 4 min to go`.
  private func words(_ progress: CopyBuild.Progress) -> Message {
    let share = progress.total > 0 ? Int(clamping: Int64(progress.done) * 100 / Int64(progress.total)) : 0
    var parts: [Message] = ["\(min(share, 100)) %"]
    let subject: Message
    switch progress.phase {
    case .reading(let name):
      subject = Message(verbatim: context.safe(name))
      parts += ["\(progress.rows) read", "\(progress.kept) kept"]
    case .ranking: (subject, parts) = ("sorting by fame", [])
    case .writing: subject = "writing"
    }
    if progress.rate > 0 { parts.append(Message(verbatim: "\(Int(clamping: progress.rate))/s")) }
    if let left = progress.secondsLeft {
      parts.append(
        left < 60 ? "\(Int(clamping: left.rounded(.up))) s to go" : "\((Int(clamping: left) / 60 + 1).duration) to go")
    }
    return parts.isEmpty ? subject : "\(subject): \(parts.joined(separator: ", "))"
  }
}

extension LeftOut {
  /// A number of records with the reason why they are left out: `3 damaged`.
  fileprivate func words(_ count: Int) -> Message {
    switch self {
    case .damaged: "\(count) damaged"
    case .tooLong: "\(count) longer than 16 MiB"
    case .untitled: "\(count) without a title"
    case .repeated: "\(count) repeated"
    case .otherKind: "\(count) of another kind"
    case .adult: "\(count) for adults"
    case .otherLanguage: "\(count) in other languages and without readers"
    case .orphan: "\(count) of no kept title"
    case .tooManyTerms: "\(count) with too many genres or formats"
    case .strayBytes: "\(count) or more bytes that are not Korean text"
    }
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Glibc
internal import Lookup
internal import Processes
internal import SQLite

/// The exit status of the program. This is its table, which `catalog help exit-status` and docs/output.md print.
enum ExitStatus: Int32, CaseIterable {
  case done = 0
  case failed = 1
  case misused = 2
  case sourceFailed = 3
  case keyNeeded = 4
  case rowsLeft = 5
  case overdue = 6

  /// The cases in which a command ends with it, in indented lines of at most 79 columns.
  var meaning: Message {
    switch self {
    case .done: "It was done, or was so already; a listing has rows."
    case .failed:
      """
      Nothing was found, you do not own it, several things are meant, or it
           could not be done; also an import that kept nothing.
      """
    case .misused:
      """
      The line was not understood: an unknown word, a value that does not fit,
           a question without a terminal.
      """
    case .sourceFailed:
      """
      A source or the network failed, so that all or a part is missing. Never
           with --offline.
      """
    case .keyNeeded:
      """
      A key is missing or was refused, and no copy on this computer answers
           instead.
      """
    case .rowsLeft:
      """
      An import left rows out, since it could not read or store them; it kept
           the others.
      """
    case .overdue: "'catalog loans --overdue' found some."
    }
  }
}

/// An error in the user's words: what happened, and what to type next.
struct Failure: Error, Equatable {
  /// Starts in lower case, quotes the user's words, contains no SQL and no key.
  var message: Message
  var hint: Message?
  /// The command that writes the person's kept text after all; printed however the program ends.
  var kept: String?
  var status = ExitStatus.failed
  /// Whether the end of the program says which changes were made.
  var ambiguity = Ambiguity.none
  /// The error described by these words, for callers that need more than the words.
  var cause: (any Error)?

  enum Ambiguity {
    case none
    /// The end says it when something was changed before the error.
    case ofChanges
    /// The end always says it: reading or writing stopped half-way.
    case ofAll
  }

  init(_ message: Message, hint: Message? = nil, status: ExitStatus = .failed, ambiguity: Ambiguity = .none) {
    (self.message, self.hint, self.status, self.ambiguity) = (message, hint, status, ambiguity)
  }

  /// Compares the words and the status, but not the causes.
  static func == (a: Failure, b: Failure) -> Bool {
    a.message == b.message && a.hint == b.hint && a.kept == b.kept && a.status == b.status && a.ambiguity == b.ambiguity
  }

  /// Whether a source could not be asked, so that a copy of it may answer instead: it failed, lacks its key or was not
  /// to be asked.
  var isOfAbsence: Bool {
    guard case SourceError.network(.offline)? = cause as? SourceError else {
      return status == .sourceFailed || status == .keyNeeded
    }
    return true
  }

  /// The hint, and the place of the kept text.
  var hints: Message? {
    let parts = [hint, kept.map { "your text is kept: \($0)" }].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ")
  }

  /// The lines printed for this error, outside a full-screen command.
  var lines: [Message] {
    [Message(verbatim: "catalog: ") + message] + (hint.map { ["hint: \($0)"] } ?? [])
  }
}

extension Failure {
  /// Describes any error.
  /// - Parameter catalog: the file that an SQLite error is about.
  init(_ error: any Error, catalog: String? = nil) {
    if let failure = error as? Failure {
      self = failure
    } else {
      self.init(words: error, catalog: catalog)
      cause = error
    }
  }

  private init(words error: any Error, catalog: String?) {
    switch error {
    case let error as NeedsAnswer:
      self.init(
        "cannot ask without a terminal: \(error.question)", hint: "\(error.option) answers yes", status: .misused)
    case let error as UsageError: self.init(error.message, hint: error.hint, status: .misused)
    case let error as Query.Problem: self.init(error)
    case let error as Field.Problem:
      self.init(error.message, hint: error.hint, status: .misused)
    case let error as Reference.Problem:
      self.init(error.message, hint: "see 'catalog help references'", status: .misused)
    case let error as Rating.Problem:
      self.init(error.message, hint: "see 'catalog help ratings'", status: .misused)
    case let error as ISBN.Problem: self.init(error.message, status: .misused)
    case let error as Barcode.Problem: self.init(error.message, status: .misused)
    case let error as DocumentProblem:
      let words = error.message
      self.init(error.line.map { "line \($0): \(words)" } ?? words)
    case let error as CatalogError:
      self.init(
        error.message, hint: error.hint, status: error.isMisuse ? .misused : .failed,
        ambiguity: error.stoppedHalfway ? .ofAll : error.isMisuse ? .none : .ofChanges)
    case let error as SourceError: self.init(error, named: "the source")
    case Chafa.Failure.isMissing:
      self.init(
        "covers are drawn by the program chafa, which is not installed",
        hint: "apt-get install chafa; 'catalog cover --save FILE' keeps a picture without it")
    case Chafa.Failure.hasFailed:
      self.init("chafa could not draw the cover", hint: "'catalog cover --save FILE' keeps the picture")
    case ZBar.Failure.isMissing:
      self.init(
        "barcodes in pictures are read by the program zbarimg, which is not installed",
        hint: "apt-get install \(ZBar.packages)")
    case ZBar.Failure.hasFailed: self.init("zbarimg could not read the picture")
    case RSVG.Failure.isMissing:
      self.init(
        "a PNG is drawn by the program rsvg-convert, which is not installed",
        hint: "apt-get install librsvg2-bin; or name a file that ends in .svg or .html")
    case RSVG.Failure.hasFailed:
      self.init("rsvg-convert could not draw the poster", hint: "name a file that ends in .svg or .html")
    case let error as SystemError: self.init(Message(verbatim: error.description))
    case let error as SQLiteError where error.isInterrupted: self.init("interrupted")
    case let error as SQLiteError: self.init(words: CatalogError(error, path: catalog ?? ""), catalog: catalog)
    case let error as ColumnError:
      self.init(words: CatalogError.otherSchema(catalog ?? "", error.description), catalog: catalog)
    default: self.init(Message(verbatim: "\(error)"))
    }
    if !(error is Failure) { cause = error }
  }

  /// Describes an error of standard output.
  /// - Parameter isWriting: whether the command changed something, which is not undone.
  init(lostOutput error: SystemError, isWriting: Bool) {
    self.init(
      error.code == EBADF
        ? "standard output is closed, and nothing could be printed"
        : "the output could not be written: \(String(cString: strerror(error.code)))",
      hint: isWriting ? "the change was saved: there is no need to repeat it" : nil)
  }

  /// Describes the error of a source.
  /// - Parameters:
  ///   - keyOrigin: the origin of the key in the request.
  ///   - hasContact: whether the request named a contact.
  init(_ error: SourceError, source: Source, keyOrigin: KeyOrigin? = nil, hasContact: Bool = true) {
    self.init(error, named: source.words, key: source.key.map { (source.id, $0) })
    cause = error
    explain(error, by: source, isUnknown: source.asksForContact && !hasContact)
    guard error == .key(missing: false), let need = source.key else { return }
    switch keyOrigin {
    case .environment(let variable): hint = "it is what \(variable) says; it should be the \(need.name) of \(need.page)"
    case .command(let command): hint = "it is what '\(command)' prints; it should be the \(need.name) of \(need.page)"
    case .configuration, nil: break
    }
  }

  init(_ error: SourceError, named source: Message, key: (source: String, need: KeyRequirement)? = nil) {
    self.init(words: error, named: source, key: key)
    cause = error
  }

  private init(words error: SourceError, named source: Message, key: (source: String, need: KeyRequirement)?) {
    switch error {
    case .network(let error): self.init(error, source: source)
    case .notFound: self.init("\(source) has no such item")
    case .noShop(let country):
      self.init(
        "\(source) has no shop in \(country.quoted)",
        hint: "name another country with --country, such as KR, or GB for the United Kingdom", status: .misused)
    case .refused(let status, let words):
      self.init(
        "\(source) refused the request (\(status))" + Message(verbatim: words.map { ": \($0)" } ?? ""),
        hint: status >= 500 ? "try again later" : status == 422 ? "try other words" : nil, status: .sourceFailed)
    case .noPage(nil, _): self.init("\(source) has no more results", hint: "give a lower --page")
    case .noPage(let last?, let hits):
      let pages = last.counted("page", "pages")
      self.init(
        hits.map { "\(source) has \($0.counted("result", "results")), on \(pages)" } ?? "\(source) has \(pages)",
        hint: last == 1 ? "leave --page out" : "--page goes from 1 to \(last)")
    case .key(missing: true):
      self.init(
        "\(source) needs a key",
        hint: key.map { id, need in
          "get one at \(need.page), then: catalog source key \(id). Without it \(Message(words: need.without))"
        }, status: .keyNeeded)
    case .key(missing: false):
      guard let key else {
        self.init("\(source) refused the request (401)", status: .sourceFailed)
        return
      }
      self.init(
        "\(source) does not accept the key",
        hint: "catalog source key \(key.source) sets another; it is the \(key.need.name) of \(key.need.page)",
        status: .keyNeeded)
    case .apiNotEnabled:
      self.init(
        "\(source) does not allow this for the app of the key",
        hint: key.map { _, need in "switch it on for the app: \(need.page)" }, status: .keyNeeded)
    case .quota(.noKey):
      self.init(
        "\(source) answers only with a key",
        hint: key.map { "get one at \($0.need.page), then: catalog source key \($0.source)" }, status: .keyNeeded)
    case .quota(.day):
      self.init("\(source) has no more answers for this key today", hint: "try again tomorrow", status: .sourceFailed)
    case .quota(.minute):
      self.init("\(source) has no more answers in this minute", hint: "try again in a minute", status: .sourceFailed)
    case .unreadable(let words): self.init("\(source) sent \(words)", hint: "try again later", status: .sourceFailed)
    case .noCopy(let id):
      self.init(
        "there is no copy of \(source) on this computer, and it cannot be asked otherwise",
        hint: "how to build one: catalog source build \(id)", status: .sourceFailed)
    case .badCopy(let reason): self.init("the copy of \(source) cannot be read: \(reason)", status: .sourceFailed)
    }
  }

  private init(_ error: HTTPError, source: Message) {
    switch error {
    case .curlMissing:
      self.init(
        "curl is not installed; without it sources cannot be asked", hint: "apt-get install curl", status: .sourceFailed
      )
    case .curlTooOld(let found, let needed):
      self.init("curl \(found) is too old: \(needed) or newer is needed", hint: "upgrade curl", status: .sourceFailed)
    case .hungUp(let host):
      self.init(
        "\(source) closed the connection without an answer (\(host))", hint: "try again later", status: .sourceFailed)
    case .resting(_, let seconds, let reason):
      let time = seconds < 60 ? "\(seconds) s" : ((seconds + 59) / 60).duration
      self.init("\(source) is not asked for another \(time): \(reason.words)", status: .sourceFailed)
    case .unreachable(let host), .closed(let host):
      self.init(
        "\(source) cannot be reached (\(host))", hint: "check the network, or use --offline", status: .sourceFailed)
    case .timedOut(let host): self.init("\(source) did not answer in time (\(host))", status: .sourceFailed)
    case .damaged(let host):
      self.init("\(source) sent a damaged answer (\(host))", hint: "try again later", status: .sourceFailed)
    case .tooLarge(let host): self.init("\(source) sent more than allowed (\(host))", status: .sourceFailed)
    case .insecure(let host):
      self.init("\(source) does not use HTTPS (\(host)); nothing was sent there", status: .sourceFailed)
    case .privateNetwork(let host):
      self.init(
        "\(source) is on this computer or a private network (\(host)); nothing was sent there",
        hint: "an answer points there; only sources whose base_url is there may do that", status: .sourceFailed)
    case .tooManyRedirects(let host): self.init("\(source) redirects in circles (\(host))", status: .sourceFailed)
    case .throttled(_, let seconds):
      self.init(
        "\(source) asks for a pause: too many requests",
        hint: seconds.map { "try again in \($0) s" } ?? "try again in a minute", status: .sourceFailed)
    case .busy(_, let seconds):
      self.init(
        "\(source) is busy", hint: seconds.map { "try again in \($0) s" } ?? "try again in a minute",
        status: .sourceFailed)
    case .offline: self.init("\(source) was not asked: --offline")
    case .interrupted: self.init("interrupted")
    }
  }
}

extension Failure {
  /// Adds the meaning that an error has for this source, and the next command.
  private mutating func explain(_ error: SourceError, by source: Source, isUnknown: Bool) {
    switch error {
    case .refused(403, _) where isUnknown, .network(.resting(_, _, .contact)) where isUnknown:
      message = "\(source.name) refuses requests without a contact"
      if source.policy().restsWithoutContact { message = "\(source.name) is not asked: it requires a contact" }
      hint = Self.contactHint
    case .network(.hungUp) where isUnknown:
      message = "\(source.name) closed the connection, as it does to programs without a contact"
      hint = Self.contactHint
    case .refused(403, _) where source.asksForContact:
      hint = "it refuses some requests for a while; try again later, or with other words"
    case .network(.resting(_, let seconds, .limit)): hint = "try again in \(seconds) s"
    case .network(.resting):
      hint = "to try it now: catalog source test \(source.id)"
    case .network(.throttled(_, nil)):
      guard case .seconds(let seconds, _) = source.policy().rests[.throttled] else { return }
      hint = "it is asked again in \((seconds / 60).duration)"
    case .network(.unreachable), .network(.closed), .network(.hungUp), .network(.timedOut):
      guard source.id == Source.tmdb.id else { return }
      hint = """
        where it is blocked, another address may work: catalog config set sources.tmdb.base_url \
        https://api.tmdb.org/3
        """
    default: break
    }
  }

  private static let contactHint: Message = "set one: catalog config set contact me@example.org"
}

extension Rest.Reason {
  /// The cause of the pause, as a clause after a colon.
  var words: Message {
    switch self {
    case .throttled: "too many requests"
    case .busy: "it is busy"
    case .limit: "its rate limit is used up"
    case .quota: "the requests of the day are used up"
    case .contact: "it requires a contact"
    case .forbidden: "it refused"
    case .hungUp: "it closed the connection"
    case .closed: "it accepts no connection"
    }
  }
}

/// An error that has been printed already.
struct SilentFailure: Error, Equatable {
  var status: ExitStatus
}

internal import Processes

/// Reads the objects of a repository one by one, through one `git cat-file --batch` that starts with the first question
/// and ends with this value.
///
/// No more than one object is in memory, and none that is larger than ``largest``. Two programs for each cover would
/// run while all other writers wait. (`--batch-command`, which tells sizes first, is missing in the git of some
/// systems.)
///
///     let reader = ObjectReader(repository)
///     if case .bytes(let bytes) = try reader.object("\(commit):catalog.json") { … }
public final class ObjectReader {
  public enum Object: Sendable, Hashable {
    /// There is no file of this name.
    case missing
    /// It is larger than ``largest``.
    case tooLarge
    case bytes([UInt8])
  }

  private let repository: Repository
  /// The most bytes of an object.
  public let largest: Int
  private var program: ChildProcess?
  /// The bytes read from git, and the offset of the first one not yet used.
  private var waiting: [UInt8] = []
  private var place = 0

  public init(_ repository: Repository, largest: Int = 64 << 20) {
    (self.repository, self.largest) = (repository, largest)
  }

  deinit { end() }

  /// The object with a name: an id, or `COMMIT:PATH`.
  /// - Throws: ``Repository/Problem``.
  public func object(_ name: String) throws -> Object {
    var found = Object.missing
    try forEach([name]) { found = $1 }
    return found
  }

  /// Calls `body` with each object and the place of its name, in order. `body` must not use this reader.
  /// - Throws: ``Repository/Problem``, and the errors of `body`.
  public func forEach(_ names: [String], _ body: (_ place: Int, Object) throws -> Void) throws {
    do {
      var rest = names.indices
      while !rest.isEmpty {
        let lot = questions(about: rest, of: names)
        try ask(lot.text)
        for index in rest.prefix(lot.count) {
          rest = rest.dropFirst()
          let object = Self.canBeAsked(names[index]) ? try answer() : .missing
          // Git would write all of it: it is ended, and asked again for the objects behind it.
          if object == .tooLarge { end() }
          try body(index, object)
          if program == nil { break }
        }
      }
    } catch {
      // The unread answer would be taken for that to the next question.
      end()
      throw error
    }
  }

  /// A name of several lines would be several requests.
  private static func canBeAsked(_ name: String) -> Bool {
    !name.isEmpty && !name.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == 0 }
  }

  /// Returns the next requests that fit into one write to git without blocking, so that there is no round trip for
  /// each.
  private func questions(about rest: Range<Int>, of names: [String]) -> (text: [UInt8], count: Int) {
    var (text, count) = ([UInt8](), 0)
    for name in names[rest] {
      if count > 0, text.count + name.utf8.count >= 4_096 { break }
      count += 1
      if Self.canBeAsked(name) { text += Array(name.utf8) + [UInt8(ascii: "\n")] }
    }
    return (text, count)
  }

  private func ask(_ questions: [UInt8]) throws {
    guard !questions.isEmpty else { return }
    if program == nil {
      do {
        program = try ChildProcess(
          ["git"] + repository.place + ["cat-file", "--batch=%(objecttype) %(objectsize)"],
          environment: repository.settings.own, input: .pipe)
      } catch {
        throw Repository.Problem(startingFailed: error)
      }
    }
    do { try program?.write(questions) } catch is Interrupted {
      throw Repository.Problem(.ended, "")
    } catch {
      throw ended
    }
  }

  /// The next answer: `blob 12`, the bytes and the end of a line; or `NAME missing`.
  private func answer() throws(Repository.Problem) -> Object {
    let words = try line().split(separator: " ")
    guard words.count == 2, let size = Int(words[1]), size >= 0 else { return .missing }
    guard size <= largest else { return .tooLarge }
    let bytes = try take(size)
    _ = try take(1)
    return words[0] == "blob" ? .bytes(bytes) : .missing
  }

  private func line() throws(Repository.Problem) -> String {
    var searched = place
    while true {
      if let end = waiting[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        defer { place = end + 1 }
        return String(decoding: waiting[place..<end], as: UTF8.self)
      }
      waiting.removeFirst(place)
      (searched, place) = (waiting.count, 0)
      waiting += try more()
    }
  }

  private func take(_ count: Int) throws(Repository.Problem) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while true {
      let some = waiting[place...].prefix(count - bytes.count)
      bytes += some
      place += some.count
      if bytes.count == count { return bytes }
      (waiting, place) = (try more(), 0)
    }
  }

  private func more() throws(Repository.Problem) -> [UInt8] {
    while var running = program {
      if Interrupt.isRequested { throw Repository.Problem(.ended, "") }
      program = nil
      ChildProcess.wait(for: [running])
      running.read()
      let bytes = running.takeOutput()
      program = running
      if !bytes.isEmpty { return bytes }
      if running.isSilent { break }
    }
    throw ended
  }

  /// The error of a git that ended before its answer.
  private var ended: Repository.Problem {
    let words = String(decoding: program?.error.bytes ?? [], as: UTF8.self)
    return Repository.Problem(.other, words.isEmpty ? "git cat-file ended too early" : words)
  }

  private func end() {
    program?.end()
    (program, waiting, place) = (nil, [], 0)
  }
}

@available(*, unavailable) extension ObjectReader: Sendable {}

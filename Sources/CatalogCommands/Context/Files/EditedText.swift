internal import CommandLineKit
internal import FoundationEssentials
internal import Processes

/// A text from the editor, and the value parsed from it. The file stays until the value is in the catalog.
struct EditedText<Value> {
  var value: Value
  fileprivate(set) var file: EditorFile

  /// Calls `write`, and removes the file on success.
  /// - Throws: the error of `write`, with the place where the text is kept.
  func written<T>(_ write: (Value) throws -> T) throws -> T {
    do {
      let result = try write(value)
      file.discard()
      return result
    } catch {
      throw file.kept(error)
    }
  }
}

/// The file that an editor was opened on.
struct EditorFile {
  var path: String
  /// The text appended to the file when it is kept.
  var appendix = ""
  /// The command that writes the kept text after all.
  var retry: String

  func discard() { try? FileManager.default.removeItem(atPath: path) }

  /// Keeps the file, and returns the error with its place.
  func kept(_ error: any Error) -> Failure {
    if !appendix.isEmpty, let text = FileManager.default.contents(atPath: path) {
      let end = text.last == UInt8(ascii: "\n") || text.isEmpty ? "" : "\n"
      // Without the appendix, the file still has the person's text.
      try? AtomicFile.write(Array(text) + Array((end + appendix).utf8), to: path, isPrivate: true)
    }
    var failure = error is Interrupted ? Failure("stopped; nothing was changed") : Failure(error)
    failure.kept = retry
    return failure
  }
}

extension Context {
  /// Opens a text in the person's editor and parses the result.
  ///
  /// An error of `read` is printed, and the text can be opened again. When the person gives up, the file is kept, and
  /// the error names it.
  /// - Parameters:
  ///   - name: a word for the file's name.
  ///   - appendix: the text appended to a file that is kept.
  ///   - retry: the command that writes the text of this file after all.
  func edit<Value>(
    _ text: String, named name: String, appendix: String = "", retry: (_ path: String) -> String,
    _ read: (String) throws -> Value
  ) throws -> EditedText<Value> {
    guard terminal.isInputTerminal, terminal.isOutputTerminal else {
      throw Failure("the editor needs a terminal", hint: "give the new values as arguments instead", status: .misused)
    }
    let folder = environment["TMPDIR"].flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
    let path = "\(folder)/catalog-\(name)-\(String(UInt64.random(in: 0...UInt64.max), radix: 36)).txt"
    let file = EditorFile(path: path, appendix: appendix, retry: retry(path.shellWord))
    try AtomicFile.write(Array(text.utf8), to: path, isPrivate: true)
    while true {
      try output.flush()
      do {
        guard try Editor.edit(path, environment) else { throw Failure("the editor failed; nothing was changed") }
      } catch let error as SystemError {
        // The editor did not start: the file has nothing that is not in the catalog.
        file.discard()
        throw error
      } catch {
        throw file.kept(error)
      }
      do {
        return EditedText(value: try read(try Self.text(of: path)), file: file)
      } catch {
        let failure = Failure(error)
        warn("\(failure.message)")
        if let words = failure.hint { hint(words) }
        do {
          guard !globals.saysYes, try confirm("Open it again?") else { throw Failure("nothing was changed") }
        } catch {
          throw file.kept(error)
        }
      }
    }
  }

  /// The most bytes of a text that a person has edited, or of a review of 200 000 rows.
  private static var longest: Int { 16 << 20 }

  /// The text in a file that a person names; `-` is standard input.
  func typedText(of path: String) throws -> String {
    guard path == "-" else { return try Self.text(of: path) }
    return try Self.text(readBytes(Self.longest + 1), named: text("standard input"))
  }

  /// The text in a file of a person's.
  /// - Throws: ``Failure`` when there is none, or more than 16 MiB.
  static func text(of path: String) throws -> String {
    guard let bytes = try AtomicFile.read(path, atMost: longest + 1) else {
      throw Failure("there is no file \(path.quoted)")
    }
    return try text(bytes, named: path)
  }

  private static func text(_ bytes: [UInt8], named path: String) throws -> String {
    guard bytes.count <= longest else {
      throw Failure("\(path.quoted) is larger than \(longest.size)", status: .misused)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Failure("the text in \(path.quoted) is not valid UTF-8")
    }
    return text
  }
}

internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// Something that `add` shall put on its shelf.
enum AddedThing {
  /// Anything but words.
  case reference(Reference)
  /// The words of one title, or of several of a word each.
  case title([String])
  case code(Code)
  /// A line that says nothing that can be read.
  case unreadable(Failure)

  init(_ thing: NamedThing) {
    self =
      switch thing {
      case .reference(let reference): .reference(reference)
      case .title(let words): .title(words)
      }
  }

  /// What a line says: a code, as spreadsheets and lists write it too, a reference, or a title.
  init(line: String) {
    let text = line.unwrapped
    if let isbn = try? ISBN(text) {
      self = .code(.isbn(isbn))
    } else if let barcode = try? Barcode(text), barcode.digits == text || barcode.digits.utf8.count > 8 {
      self = .code(.barcode(barcode))
    } else if TypedCode(text).isMeant {
      do { self = .code(.isbn(try ISBN(text))) } catch { self = .unreadable(Failure(error)) }
    } else {
      do {
        switch try Reference(argument: text) {
        case .words where text.isRowOfTable:
          self = .unreadable(
            Failure(
              "that is a row of a table: 'add -' takes one reference or code a line",
              hint: "of a file with columns take that of the codes: cut -d, -f1 FILE | catalog add -", status: .misused)
          )
        case .words(let words): self = .title([words])
        case let reference: self = .reference(reference)
        }
      } catch { self = .unreadable(Failure(error)) }
    }
  }
}

/// A line of standard input that names something.
struct AddedLine {
  /// From 1, those that name nothing counted too.
  var number: Int
  var text: String
  var thing: AddedThing

  /// The text for a message, of which a long one's beginning is enough.
  var shown: String { text.truncated(to: 60).quoted }
}

/// The lines of standard input that are neither empty nor a comment.
struct AddedLines {
  let readLine: () throws -> String?
  private var number = 0

  init(readLine: @escaping () throws -> String?) { self.readLine = readLine }

  mutating func next() throws -> AddedLine? {
    while true {
      number += 1
      let line: String?
      do { line = try readLine() } catch is UsageError {
        return AddedLine(
          number: number, text: "…", thing: .unreadable(Failure("it is not valid UTF-8", status: .misused)))
      }
      guard let line else { return nil }
      let text = (line.unicodeScalars.first == "\u{FEFF}" ? String(line.unicodeScalars.dropFirst()) : line)
        .trimmingBlanks
      if !text.isEmpty, !text.hasPrefix("#") {
        return AddedLine(number: number, text: text, thing: AddedThing(line: text))
      }
    }
  }
}

extension String {
  /// The text without what spreadsheets and lists write around a code: `="0140328726"`, `[0140328726]`, `"Dune"`.
  fileprivate var unwrapped: String {
    var text = trimmingBlanks[...]
    if text.hasPrefix("=\""), text.hasSuffix("\"") { text = text.dropFirst() }
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
    // A title may stand in brackets; a code in them is a code.
    if text.hasPrefix("["), text.hasSuffix("]"), TypedCode(String(text.dropFirst().dropLast())).isMeant {
      text = text.dropFirst().dropLast()
    }
    return text.trimmingBlanks
  }

  /// Whether it has the separators of a table: tabs, or commas or semicolons with no blank behind them, as no title has.
  fileprivate var isRowOfTable: Bool {
    let bytes = Array(utf8)
    func digits(from place: Int) -> Int { bytes[place...].prefix { (48...57).contains($0) }.count }
    let separators = bytes.indices.dropLast().filter { place in
      switch bytes[place] {
      case UInt8(ascii: ";"): bytes[place + 1] != 0x20
      // Three digits behind it belong to a number: 1,000,000 Years
      case UInt8(ascii: ","): bytes[place + 1] != 0x20 && digits(from: place + 1) != 3
      default: false
      }
    }
    return bytes.contains(0x09) || separators.count >= 2
  }
}

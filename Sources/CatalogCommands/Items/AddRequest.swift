internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// A thing that `add` is asked to add.
enum AddRequest {
  /// Any reference except words.
  case reference(Reference)
  /// The words of one title, or of several titles of one word each.
  case title([String])
  case code(Code)
  /// A line that cannot be parsed.
  case unreadable(Failure)

  init(_ part: TypedReferences.Part) {
    self =
      switch part {
      case .reference(let reference): .reference(reference)
      case .title(let words): .title(words)
      }
  }

  /// Parses a line: a code, also as spreadsheets and lists write it, a reference, or a title.
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

/// A line of standard input that names a thing to add.
struct AddedLine {
  /// The number of the line, from 1, with all lines counted.
  var number: Int
  var text: String
  var thing: AddRequest

  /// The text for a message, cut to 60 cells.
  var shown: String { text.truncated(to: 60).quoted }
}

/// The lines of standard input, without empty lines and comments.
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
        return AddedLine(number: number, text: text, thing: AddRequest(line: text))
      }
    }
  }
}

extension String {
  /// The text without the characters that spreadsheets and lists put around a code: `="0140328726"`, `[0140328726]`,
  /// `"Dune"`.
  fileprivate var unwrapped: String {
    var text = trimmingBlanks[...]
    if text.hasPrefix("=\""), text.hasSuffix("\"") { text = text.dropFirst() }
    if text.count > 1, text.hasPrefix("\""), text.hasSuffix("\"") { text = text.dropFirst().dropLast() }
    // A title may be in brackets, so they are removed from codes only.
    if text.hasPrefix("["), text.hasSuffix("]"), TypedCode(String(text.dropFirst().dropLast())).isMeant {
      text = text.dropFirst().dropLast()
    }
    return text.trimmingBlanks
  }

  /// Whether the text looks like a row of a table: it has a tab, or two commas or semicolons without a blank after
  /// them.
  fileprivate var isRowOfTable: Bool {
    let bytes = Array(utf8)
    func digits(from place: Int) -> Int { bytes[place...].prefix { (48...57).contains($0) }.count }
    let separators = bytes.indices.dropLast().filter { place in
      switch bytes[place] {
      case UInt8(ascii: ";"): bytes[place + 1] != 0x20
      // Three digits after a comma belong to a number: 1,000,000 Years
      case UInt8(ascii: ","): bytes[place + 1] != 0x20 && digits(from: place + 1) != 3
      default: false
      }
    }
    return bytes.contains(0x09) || separators.count >= 2
  }
}

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

  /// Parses a line: a code, a reference, or a title.
  init(_ line: TypedLine) {
    let text = line.name
    if let problem = line.problem {
      self = .unreadable(problem)
    } else if let isbn = try? ISBN(text) {
      self = .code(.isbn(isbn))
    } else if let barcode = try? Barcode(text), barcode.digits == text || barcode.digits.utf8.count > 8 {
      self = .code(.barcode(barcode))
    } else if TypedCode(text).isMeant {
      do { self = .code(.isbn(try ISBN(text))) } catch { self = .unreadable(Failure(error)) }
    } else {
      do {
        switch try Reference(argument: text) {
        case .words(let words): self = .title([words])
        case let reference: self = .reference(reference)
        }
      } catch { self = .unreadable(Failure(error)) }
    }
  }
}

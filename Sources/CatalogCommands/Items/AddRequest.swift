internal import CatalogModel
internal import CommandLineKit
internal import Lookup
internal import Processes

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

extension Context {
  /// The barcodes in a photograph. Those that were read only once are asked about.
  func requests(inPhotograph file: String) throws -> [AddRequest] {
    let codes: PhotographedCodes
    do {
      let (bytes, name) = try picture(file, atMost: PhotographedCodes.mostBytes)
      codes = try PhotographedCodes(in: bytes, named: name, along: environment["PATH"])
      if codes.sure.isEmpty, codes.doubtful.isEmpty { throw Failure(noCodesIn: name) }
    } catch {
      try Interrupt.check()
      return [.unreadable(Failure(error))]
    }
    return codes.sure.map(AddRequest.code) + (try codes.doubtful.compactMap(request(forDoubtful:)))
  }

  /// Asks about a code. Without a terminal it is not added.
  /// - Returns: nil when the answer is no.
  private func request(forDoubtful code: Code) throws -> AddRequest? {
    let question: Message = "\(code.name) was read only once. Is it right?"
    if globals.saysYes || terminal.isInputTerminal && terminal.isErrorTerminal {
      return try confirm(question) ? .code(code) : nil
    }
    var failure = Failure(
      "not added, since it was read only once: \(code.name)", hint: "if it is right: catalog add \(code.option)")
    failure.cause = NeedsAnswer(option: "--yes", question: question)
    return .unreadable(failure)
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import Web

/// Pictures that a browser sends.
extension Site {
  /// The form that sends a photograph of barcodes.
  static let photograph = HTMLPage.Form(
    "Read the barcodes", to: "/find", summary: "Photograph barcodes",
    [.init("photo", "Picture", .picture(isTaken: true))])

  /// The form that sends a cover.
  static func coverForm(_ item: ItemID) -> HTMLPage.Form {
    HTMLPage.Form(
      "Set the cover", to: "/item/\(item)/cover", summary: "Set the cover",
      [.init("cover", "Picture", .picture(isTaken: false))])
  }

  /// The codes in the photographs of a form, to choose what to keep.
  func photographed(_ visit: Visit) throws -> WebAnswer {
    let photos = visit.request.form.files.filter { $0.name == "photo" }
    var page = page("Find", subtitle: "The barcodes in the picture: choose what to keep", at: "/find", visit)
    guard !photos.isEmpty else { throw Failure("no picture was chosen", status: .misused) }
    let work = try BackgroundWork { [path = context.environment["PATH"]] in
      try photos.map { try PhotographedCodes(in: $0.bytes, named: "the file", along: path) }
    }
    return .after(work) { [self] result in
      do {
        let (sure, doubtful) = try Self.codes(result)
        let new = try sure.filter { try item(of: $0) == nil }
        if new.count > 1 {
          let fields = new.map { HTMLPage.Form.Field.hidden("what", $0.digits) }
          page.add(.form(HTMLPage.Form("Keep these \(new.count)", to: "/add", fields)))
        }
        var things: [HTMLPage.Thing] = []
        for code in sure { things.append(try thing(code, note: nil)) }
        for code in doubtful {
          things.append(try thing(code, note: "read only once: compare it with the picture"))
        }
        page.add(.things(things))
        page.add(.form(Self.photograph))
        return response(page)
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  /// The codes of all photographs, each once.
  /// - Throws: ``Failure`` where none was read.
  private static func codes(
    _ result: Result<[PhotographedCodes], any Error>
  ) throws -> (sure: [Code], doubtful: [Code]) {
    do {
      let found = try result.get()
      let sure = found.flatMap(\.sure).withoutRepeats(by: \.self)
      let doubtful = found.flatMap(\.doubtful).withoutRepeats(by: \.self).filter { !sure.contains($0) }
      guard !sure.isEmpty || !doubtful.isEmpty else { throw Failure(noCodesIn: "the file") }
      return (sure, doubtful)
    } catch {
      var failure = Failure(error)
      failure.status = .misused
      throw failure
    }
  }

  private func item(of code: Code) throws -> ItemID? {
    switch code {
    case .isbn(let isbn): try store().itemID(of: isbn)
    case .barcode(let barcode): try store().itemIDs(of: barcode).first
    }
  }

  private func thing(_ code: Code, note: Message?) throws -> HTMLPage.Thing {
    guard let item = try item(of: code) else {
      return HTMLPage.Thing(Message(verbatim: code.digits), note: note, form: Self.adding(code.digits, nil))
    }
    return HTMLPage.Thing(
      Message(verbatim: try store().item(item).record.headline),
      note: "\(Message(verbatim: code.digits)) · on your shelf",
      address: "/item/\(item)")
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Lookup
internal import Processes
internal import Web

/// Pictures that a browser sends.
extension Site {
  /// The form that sends a photograph of barcodes.
  static let photograph = PageForm(
    "Read the barcodes", to: "/find", [.init("photo", "Picture", .picture(isTaken: true), isRequired: true)],
    summary: "Photograph barcodes")

  /// The form that sends a cover.
  static func coverForm(_ item: ItemID) -> PageForm {
    PageForm(
      "Set the cover", to: "/item/\(item)/cover",
      [.init("cover", "Picture", .picture(isTaken: false), isRequired: true)],
      summary: "Set the cover")
  }

  /// The codes in the photographs of a form, to choose what to keep.
  func photographed(_ visit: Visit) throws -> WebAnswer {
    let photos = visit.request.form.files.filter { $0.name == "photo" }
    var page = page("Add", subtitle: "The barcodes in the picture: choose what to keep", visit)
    guard !photos.isEmpty else { throw Failure("no picture was chosen", status: .misused) }
    let work = try BackgroundWork { [path = context.environment["PATH"]] in
      try photos.map { try PhotographedCodes(in: $0.bytes, named: "the file", along: path) }
    }
    return .after(work) { [self] result in
      do {
        let (sure, doubtful) = try Self.codes(result)
        let new = try sure.filter { try item(of: $0) == nil }
        if new.count > 1 {
          let fields = new.map { PageForm.Field.hidden("what", $0.digits) }
          page.add(PageForm("Keep these \(new.count)", to: "/add", fields, isMain: true))
        }
        var things: [PageList.Row] = []
        for code in sure { things.append(try thing(code, note: nil)) }
        for code in doubtful {
          things.append(try thing(code, note: "read only once: compare it with the picture"))
        }
        page.add(PageList(things))
        page.add(Self.photograph)
        return response(page, at: "/find")
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

  private func thing(_ code: Code, note: Message?) throws -> PageList.Row {
    guard let item = try item(of: code) else {
      return PageList.Row(
        Message(verbatim: code.digits), note: note, acts: [Self.adding(code.digits, nil, code.digits)])
    }
    return PageList.Row(
      Message(verbatim: try store().item(item).record.headline),
      note: "\(Message(verbatim: code.digits)) · on your shelf",
      address: "/item/\(item)")
  }
}

internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Processes
internal import Web

extension Site {
  /// Runs the command that a submitted form stands for.
  func change(_ visit: Visit) throws -> WebAnswer {
    let (path, form) = (visit.request.path, visit.request.form)
    if path == ["browsers", "forget"] {
      if let browser = try browsers.all.first(where: { $0.digest == form["browser"] }) { try browsers.forget(browser) }
      return .now(.redirect(to: "/browsers"))
    }
    guard let (words, place) = FormRoute.command(path, form) else { throw WebResponse.refusing(.notFound) }
    // No field differs from the shown values.
    guard !words.isEmpty else { return .now(.redirect(to: place)) }
    let key = key(of: visit)
    removeSent()
    if let key {
      if let work = sending[key] { return answer(after: work, place, visit) }
      if let sent = try content().sentForm(key) {
        tell(sent.lines.map { Message(verbatim: $0) }, operation: sent.operation, visit)
        return .now(.redirect(to: sent.place))
      }
    }
    guard sending.count < Self.mostSending else { throw WebResponse.refusing(.unavailable) }
    var typed = try self.command((form["yes"] == nil ? [] : ["--yes"]) + words, visit)
    typed.seen = Self.seen(form)
    let work = try BackgroundWork { [perform, browsers, typed] in
      let result = perform(typed)
      if let key, result.isWritten { try? browsers.keep(PairedBrowsers.SentForm(key, result, place: place)) }
      return result
    }
    if let key { sending[key] = work }
    return answer(after: work, place, visit)
  }

  /// The most forms that are worked on at a time, also for browsers that have gone.
  private static let mostSending = 32

  /// Forgets the forms whose work is done.
  func removeSent() { sending = sending.filter { $0.value.result == nil } }

  /// The digest of a form with all that its person wrote; nil for one without a token. The token alone would not do: a
  /// person may go back, and write something else into the same form.
  private func key(of visit: Visit) -> String? {
    let (request, form) = (visit.request, visit.request.form)
    guard form[PageForm.token] != nil else { return nil }
    let text = [visit.browser.digest, request.path.joined(separator: "/"), form.text].joined(separator: "\n")
    return SHA256.hexadecimal(of: Array(text.utf8))
  }

  /// The state that the form had shown.
  private static func seen(_ form: WebForm) -> Seen {
    var seen = Seen(operation: form["operation"].flatMap { Int64($0) })
    for field in form.fields where field.name.hasPrefix("was-") {
      // A browser sends each line end as two characters.
      seen.fields[String(field.name.dropFirst(4))] = field.value.replacing("\r\n", with: "\n")
    }
    return seen
  }

  private func answer(after work: BackgroundWork<CommandResult>, _ place: String, _ visit: Visit) -> WebAnswer {
    .after(work) { [self] result in
      do {
        let result = try result.get()
        sync?.noteChange()
        return told(result, place, visit)
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  /// The page after a change, or the error that prevented it.
  private func told(_ result: CommandResult, _ place: String, _ visit: Visit) -> WebResponse {
    let lines = result.lines.prefix(20).map { Message(verbatim: $0) }
    guard result.isWritten else {
      var page = HTMLPage("It could not be done", in: visit.translation)
      page.add(PageNotice(lines))
      if result.needsYes {
        let again = visit.request.form.fields.map { PageForm.Field.hidden($0.name, $0.value) }
        page.add(PageForm("Yes", to: "/" + visit.request.path.joined(separator: "/"), again + [.hidden("yes", "1")]))
      }
      page.add(.paragraph("Your text is still on the previous page: go back in the browser."))
      if place.hasPrefix("/item/") { page.add(PageLinks(.init("Back to the item", place))) }
      return response(page, .unprocessable)
    }
    tell(lines, operation: result.operation, visit)
    return .redirect(to: place)
  }
}

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
    // It changes nothing, but a picture is too large for an address.
    if path == ["find"] { return try photographed(visit) }
    guard let sending = FormRoute.sending(path, form), sending.missing != ["operation"] else {
      throw WebResponse.refusing(.notFound)
    }
    if sending.route.command == ["cover", "set"], form.files.isEmpty {
      throw Failure("no picture was chosen", status: .misused)
    }
    guard sending.missing.isEmpty else { return .now(refused(nil, sending, visit)) }
    // No field differs from the shown values.
    guard !sending.words.isEmpty else { return .now(.redirect(to: sending.place)) }
    let key = key(of: visit)
    removeSent()
    if let key {
      if let work = self.sending[key] { return answer(after: work, sending, visit) }
      if let sent = try content().sentForm(key) {
        tell(sent.lines.map { Message(verbatim: $0) }, operation: sent.operation, visit)
        return .now(.redirect(to: sent.place))
      }
    }
    guard self.sending.count < Self.mostSending else { throw WebResponse.refusing(.unavailable) }
    var typed = try self.command((form["yes"] == nil ? [] : ["--yes"]) + sending.words, visit)
    (typed.seen, typed.input) = (Self.seen(form), form.files.first?.bytes ?? [])
    let work = try BackgroundWork { [perform, browsers, typed] in
      let result = perform(typed)
      if let key, result.isWritten {
        try? browsers.keep(PairedBrowsers.SentForm(key, result, place: result.place(after: sending)))
      }
      return result
    }
    if let key { self.sending[key] = work }
    return answer(after: work, sending, visit)
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
    let text = [visit.browser.digest, request.path.joined(separator: "/"), form.text]
    let files = form.files.map { "\($0.name) \(SHA256.hexadecimal(of: $0.bytes))" }
    return SHA256.hexadecimal(of: Array((text + files).joined(separator: "\n").utf8))
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

  private func answer(
    after work: BackgroundWork<CommandResult>, _ sending: FormRoute.Sending, _ visit: Visit
  ) -> WebAnswer {
    .after(work) { [self] result in
      do {
        let result = try result.get()
        sync?.noteChange()
        guard result.isWritten else { return refused(result, sending, visit) }
        tell(result.lines.prefix(20).map { Message(verbatim: $0) }, operation: result.operation, visit)
        return .redirect(to: result.place(after: sending))
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  /// The page after a refused form: the reason, and the form with the sent values.
  /// - Parameter result: nil when a needed field is empty.
  private func refused(_ result: CommandResult?, _ sending: FormRoute.Sending, _ visit: Visit) -> WebResponse {
    var page = HTMLPage(
      result?.needsYes == true ? "One question" : "Nothing is saved yet: one thing needs a look", in: visit.translation)
    page.layout = .narrow
    let action = "/" + visit.request.path.joined(separator: "/")
    let problem = result?.problem(in: sending.route)
    page.add(PageNotice(result.map { $0.spoken(problem, in: visit.translation) } ?? ["Something is missing."]))
    if result?.needsYes == true {
      let again = visit.request.form.fields.filter { $0.name != PageForm.token }
        .map { PageForm.Field.hidden($0.name, $0.value) }
      page.add(PageForm("Yes", to: action, again + [.hidden("yes", "1")], isMain: true))
    } else if var form = shownForm(action, at: sending.source, visit) {
      for missing in sending.missing.flatMap({ $0.split(separator: "|") }) {
        form.note("This is needed.", at: "\(missing)")
      }
      if let problem { form.note(problem.words, at: problem.field) }
      page.add(form)
    } else {
      page.add(.paragraph("Your text is still on the previous page: go back in the browser."))
    }
    page.add(PageLinks(PageLink("Leave it as it was", sending.source)))
    return response(page, .unprocessable)
  }

  /// The form of a page with the values that were sent. A value that its person did not change is the current one.
  private func shownForm(_ action: String, at source: String, _ visit: Visit) -> PageForm? {
    let path = source.split(separator: "/").map(String.init)
    for route in pages {
      guard let page = route.page, let values = route.pattern.values(in: path) else { continue }
      var visit = visit
      visit.values = values
      let form = visit.request.form
      let found = (try? page(self)(visit))?.parts.forms.filter { $0.action == action && !$0.sendsFile } ?? []
      // Several forms of a page may be sent to one address.
      let best = found.max { one, other in
        func shared(_ of: PageForm) -> Int {
          of.fields.count { field in form.fields.contains { $0.name == field.name } }
        }
        return shared(one) < shared(other)
      }
      guard var again = best, again.fields.contains(where: { $0.kind != .hidden }) else { return nil }
      again.summary = nil
      again.isMain = true
      for place in again.fields.indices where again.fields[place].kind != .hidden {
        let name = again.fields[place].name
        guard let sent = form.fields.first(where: { $0.name == name })?.value,
          sent.replacing("\r\n", with: "\n") != form.fields.first(where: { $0.name == "was-\(name)" })?.value
        else { continue }
        again.fields[place].value = sent
      }
      return again
    }
    return nil
  }
}

extension PageForm {
  /// Says what is wrong with a field.
  fileprivate mutating func note(_ problem: Message, at name: String) {
    for place in fields.indices where fields[place].name == name && fields[place].kind != .hidden {
      fields[place].problem = problem
    }
  }
}

extension [any PagePart] {
  /// All forms in these parts.
  var forms: [PageForm] {
    flatMap { part -> [PageForm] in
      if let form = part as? PageForm { return [form] }
      return (part as? any PageGroup)?.inner.forms ?? []
    }
  }
}

extension CommandResult {
  /// The page to show afterwards: that of what was added, where it is one thing.
  fileprivate func place(after sending: FormRoute.Sending) -> String {
    added.map { "/item/\($0)" } ?? sending.place
  }

  /// The mistake in a field of the form, in words without the option of the command.
  fileprivate func problem(in route: FormRoute) -> (field: String, words: Message)? {
    for notice in notices.reversed() {
      guard case .failure(let failure) = notice, let problem = (failure.cause as? UsageError)?.problem else { continue }
      let field = route.options.first {
        $0.split(separator: "=").last.map { $0.prefix { $0 != "*" } } == problem.name[...]
      }
      let words = problem.message.text(in: nil).isEmpty ? failure.message : problem.message
      return (field?.split(separator: "=").first.map { String($0.prefix { $0 != "*" }) } ?? problem.name, words)
    }
    return nil
  }

  /// The lines for a page: the problem of a field without the option of the command.
  fileprivate func spoken(_ problem: (field: String, words: Message)?, in translation: Translation?) -> [Message] {
    if let problem { return [Message(verbatim: problem.words.text(in: translation).capitalizedFirst)] }
    let questions = notices.compactMap(\.question)
    if !questions.isEmpty { return questions }
    return lines.prefix(20).map { Message(verbatim: $0.capitalizedFirst) }
  }
}

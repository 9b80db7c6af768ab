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
    let (words, place) = try command(path, form)
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
    (typed.seen, typed.input) = (Self.seen(form), form.files.first?.bytes ?? [])
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
    guard form[Self.token] != nil else { return nil }
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
      page.navigation = [HTMLPage.Link("Shelf", "/")]
      page.add(.told(lines))
      if result.needsYes {
        let again = visit.request.form.fields.map { HTMLPage.Form.Field.hidden($0.name, $0.value) }
        page.add(
          .form(
            HTMLPage.Form("Yes", to: "/" + visit.request.path.joined(separator: "/"), again + [.hidden("yes", "1")])))
      }
      page.add(.paragraph("Your text is still on the previous page: go back in the browser."))
      if place.hasPrefix("/item/") { page.add(.links([.init("Back to the item", place)])) }
      return response(page, .unprocessable)
    }
    tell(lines, operation: result.operation, visit)
    return .redirect(to: place)
  }

  /// The words of the command, empty when there is nothing to do; and the page to show afterwards.
  private func command(_ path: [String], _ form: WebForm) throws -> (words: [String], place: String) {
    func option(_ name: String, _ field: String) -> [String] { form[field].map { ["--\(name)=\($0)"] } ?? [] }
    switch (path.first, path.count) {
    case ("item", 3):
      let number = try number(path[1])
      let (item, place) = ("\(number)", "/item/\(number)")
      switch path[2] {
      case "card":
        return (
          ["card", "add"] + option("stars", "stars") + option("seen", "seen") + words(form) + ["--", item], place
        )
      case "log": return (["log"] + option("on", "on") + option("stars", "stars") + words(form) + ["--", item], place)
      case "favorite": return (["favorite", "--", item], place)
      case "unfavorite": return (["unfavorite", "--", item], place)
      case "copy":
        let options = ["media", "sleeve", "place", "price", "from", "note"].flatMap { option($0, $0) }
        return (["copy", "add"] + options + ["--", item], place)
      case "wish": return (["wish"] + option("up-to", "limit") + option("note", "note") + ["--", item], place)
      case "edit":
        let changes = form.fields.filter { field in
          form.fields.contains { $0.name == "was-\(field.name)" && $0.value.lineFeeds != field.value.lineFeeds }
        }
        let words = changes.map { "\($0.name)=\($0.value.lineFeeds)" }
        return (words.isEmpty ? [] : ["edit", "--", item] + words, place)
      case "cover":
        guard !form.files.isEmpty else { throw Failure("no picture was chosen", status: .misused) }
        return (["cover", "set", "--", item, "-"], place)
      case "remove": return (["remove", "--yes", "--", item], "/")
      default: break
      }
    case ("card", 3):
      let (card, place) = ("\(try number(path[1]))", "/item/\(try number(form["item"] ?? ""))")
      if path[2] == "remove" { return (["card", "remove", "--yes", "--", card], place) }
      guard path[2] == "edit" else { break }
      var words: [String] = []
      func isChanged(_ name: String) -> Bool { form[name]?.lineFeeds != form["was-\(name)"]?.lineFeeds }
      if isChanged("stars"), let stars = form["stars"] { words.append("--stars=\(stars)") }
      if isChanged("seen"), let seen = form["seen"] { words.append("--seen=\(seen)") }
      if isChanged("words") { words += ["--", card, form["words"]?.lineFeeds ?? ""] } else { words += ["--", card] }
      return (words.count > 2 ? ["card", "edit"] + words : [], place)
    case ("copy", 3):
      let place = try form["item"].map { "/item/\(try number($0))" } ?? "/loans"
      switch path[2] {
      case "lend": return (["lend"] + option("due", "due") + ["--", path[1], "to", form["person"] ?? ""], place)
      case "return": return (["return", "--", path[1]], place)
      default: break
      }
    case ("wish", 3) where path[2] == "remove": return (["wishes", "remove", "--yes", "--", path[1]], "/wishes")
    case ("wish", 1):
      return (["wish"] + option("up-to", "limit") + option("note", "note") + ["--", form["what"] ?? ""], "/wishes")
    case ("add", 1):
      let what = form.fields.filter { $0.name == "what" }.map(\.value)
      if !what.isEmpty { return (["add"] + option("as", "as") + ["--"] + what, "/") }
      let parts = ["title", "creator", "year", "genre"].flatMap { option($0, $0) }
      return (["add"] + parts + ["--", form["kind"] ?? "movie"], "/")
    case ("undo", 1) where form["operation"].flatMap({ Int64($0) }) != nil: return (["undo"], "/")
    default: break
    }
    throw WebResponse.refusing(.notFound)
  }

  /// The typed comment as an argument.
  private func words(_ form: WebForm) -> [String] { form["words"].map { ["--comment=\($0.lineFeeds)"] } ?? [] }
}

extension String {
  /// The text with a line feed at the end of each line, where a browser sends two characters. A blank is added to a
  /// lone `-`, which would mean standard input.
  fileprivate var lineFeeds: String {
    let lines = replacing("\r\n", with: "\n")
    return lines == "-" ? "- " : lines
  }
}

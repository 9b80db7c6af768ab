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
    let (words, place) = try command(path, form)
    // No field differs from the shown values.
    guard !words.isEmpty else { return .now(.redirect(to: place)) }
    let typed = try command((form["yes"] == nil ? [] : ["--yes"]) + words, visit)
    let work = try BackgroundWork { [perform] in perform(typed) }
    return .after(work) { [self] result in
      do {
        let result = try result.get()
        sync?.noteChange()
        return told(result, path == ["undo"], place, visit)
      } catch {
        return response(for: error, visit.translation)
      }
    }
  }

  /// The page after a change, or the error that prevented it.
  private func told(_ result: CommandResult, _ isUndo: Bool, _ place: String, _ visit: Visit) -> WebResponse {
    let lines = result.lines.prefix(20).map { Message(verbatim: $0) }
    guard result.isDone else {
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
      return response(page, .unprocessable)
    }
    tell(lines, canTakeBack: !isUndo, visit)
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
          // A browser sends each line end as two characters.
          form.fields.contains { $0.name == "was-\(field.name)" && $0.value.lineFeeds != field.value.lineFeeds }
        }
        let words = changes.map { "\($0.name)=\($0.value.lineFeeds)" }
        return (words.isEmpty ? [] : ["edit", "--", item] + words, place)
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
      if let what = form["what"] { return (["add"] + option("as", "as") + ["--", what], "/") }
      let parts = ["title", "creator", "year", "genre"].flatMap { option($0, $0) }
      return (["add"] + parts + ["--", form["kind"] ?? "movie"], "/")
    case ("undo", 1): return (["undo"], "/")
    default: break
    }
    throw WebResponse.refusing(.notFound)
  }

  /// The typed comment as an argument.
  private func words(_ form: WebForm) -> [String] { form["words"].map { ["--comment=\($0.lineFeeds)"] } ?? [] }
}

extension String {
  /// The text with a line feed at the end of each line. A blank is added to a lone `-`, which would mean standard
  /// input.
  fileprivate var lineFeeds: String {
    let lines = replacing("\r\n", with: "\n")
    return lines == "-" ? "- " : lines
  }
}

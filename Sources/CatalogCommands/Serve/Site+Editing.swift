internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Processes
internal import Web

extension Site {
  func editing(_ visit: Visit) throws -> HTMLPage {
    let item = try store().item(visit.id)
    var page = page("Edit", subtitle: Message(verbatim: item.record.headline), visit)
    page.layout = .narrow
    page.add(.note("Separate several values with '; '. Fields that you do not change stay as they are."))
    let draft = Draft(item)
    let fields = Field.editable(of: item.record.kind).flatMap { field -> [PageForm.Field] in
      let value = field.text(of: draft)
      let isText = ["description", "note"].contains(field.key)
      return [
        .init(
          field.word, Message(words: field.heading), isText ? .text : field == .year ? .number : .words, value: value,
          isRequired: field == .title),
        .hidden("was-\(field.word)", value),
      ]
    }
    page.add(PageForm("Change it", to: "/item/\(visit.id)/edit", fields, isMain: true))
    page.add(
      PageLinks(PageLink("Back to the item", "/item/\(visit.id)"), PageLink("Remove…", "/item/\(visit.id)/remove")))
    return page
  }

  func removing(_ visit: Visit) throws -> HTMLPage {
    let store = try store()
    let item = try store.item(visit.id)
    var page = page("Remove", subtitle: Message(verbatim: item.record.headline), visit)
    page.layout = .narrow
    let (copies, cards) = (try store.copies(of: visit.id), try store.cards(of: visit.id))
    let entries = try store.diary(of: visit.id).filter { $0.entry != nil }
    var things = [
      copies.count.counted("copy", "copies"), entries.count.counted("entry", "entries"),
      cards.count.counted("card", "cards"),
    ]
    things = zip([copies.count, entries.count, cards.count], things).filter { $0.0 > 0 }.map(\.1)
    if item.wishedSince != nil { things.append("its wish") }
    if item.favoriteSince != nil { things.append("its place among the favorites") }
    things += item.piles.map { "its place on the pile \($0)" }
    if !things.isEmpty { page.add(.paragraph("With it go: \(things.joined(separator: ", ")).")) }
    for copy in copies {
      if let holder = copy.holder { page.add(PageNotice(["\(holder.person) has borrowed it."])) }
    }
    page.add(.paragraph("All of it comes back with undo."))
    page.add(PageForm("Remove it", to: "/item/\(visit.id)/remove", isMain: true))
    page.add(PageLinks(PageLink("Back to the item", "/item/\(visit.id)")))
    return page
  }
}

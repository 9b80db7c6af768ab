internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit
internal import Exchange
internal import Glibc
internal import Processes

/// Export to a folder of notes, one for each item. A note is recognized by the number in its front matter, whatever its
/// name. The text after its last line belongs to the person and stays.
extension Export {
  func writeNotes(of query: Query, to folder: String, in context: Context) throws {
    try context.requireFree(folder, of: store.path)
    let notes = try Self.notes(in: folder, context)
    let known = try store.ids(query).count { notes.files[$0] != nil }
    if context.globals.isDryRun {
      return try context.print("would write \(count.counted("note", "notes")) to \(folder.quoted)")
    }
    if known > 0 {
      try context.ask(
        "\(folder.quoted) already has \(known.counted("note", "notes")) of these. Replace them?", about: [])
    }
    var taken = notes.names
    let sanitizing = Sanitizing(choice: context.globals.text)
    var (written, same, left) = (0, 0, 0)
    try forEach(query, in: context) { item in
      let text = sanitizing.lines(MarkdownNote.text(of: item))
      if let file = notes.files[item.id] {
        guard let whole = try AtomicFile.read("\(folder)/\(file)").map({ String(decoding: $0, as: UTF8.self) }),
          let end = whole.firstRange(of: MarkdownNote.ending + "\n")
        else {
          left += 1
          return
        }
        let anew = text + whole[end.upperBound...]
        if anew == whole { same += 1 } else { written += 1 }
        if anew != whole { try AtomicFile.write(Array(anew.utf8), to: "\(folder)/\(file)") }
      } else {
        let usual = MarkdownNote.name(of: item)
        guard let name = [usual, "\(usual) \(item.id)"].first(where: { !taken.contains(Self.key($0)) }) else {
          left += 1
          return
        }
        taken.insert(Self.key(name))
        try AtomicFile.write(Array(text.utf8), to: "\(folder)/\(name).md")
        written += 1
      }
    }
    try context.print("wrote \(written.counted("note", "notes")) to \(context.safe(folder))")
    if same > 0 { context.note("already up to date: \(same.counted("note", "notes"))") }
    if left > 0 {
      context.warn(
        "left unchanged, since their end was edited or their names are taken: \(left.counted("note", "notes"))")
    }
  }

  /// The exported notes in a folder by item, and the names of all notes. A missing folder is created.
  private static func notes(
    in folder: String, _ context: Context
  ) throws -> (files: [ItemID: String], names: Set<String>) {
    var status = stat()
    if stat(folder, &status) != 0, errno == ENOENT {
      if context.globals.isDryRun { return ([:], []) }
      guard mkdir(folder, 0o777) == 0 else { throw SystemError(errno, "make the folder \(folder.quoted)") }
    }
    guard let directory = opendir(folder) else {
      if errno == ENOTDIR {
        throw Failure("\(folder.quoted) is not a folder", hint: "name one: catalog export markdown -o notes")
      }
      throw SystemError(errno, "read the folder \(folder.quoted)")
    }
    defer { closedir(directory) }
    var files: [ItemID: String] = [:]
    var names = Set<String>()
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: Int(NAME_MAX) + 1) { String(cString: $0) }
      }
      guard name.hasSuffix(".md") else { continue }
      names.insert(key(String(name.dropLast(3))))
      // The number of the item is in the second line.
      if let beginning = try? AtomicFile.read("\(folder)/\(name)", atMost: 64),
        let item = MarkdownNote.item(of: String(decoding: beginning, as: UTF8.self))
      {
        files[item] = name
      }
    }
    return (files, names)
  }

  /// The form in which equal names collide on some file systems.
  private static func key(_ name: String) -> String { Folding.fold(name) }
}

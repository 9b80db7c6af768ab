internal import CatalogModel
internal import FoundationEssentials
internal import Glibc
internal import Processes

/// The Markdown notes in a folder, as Obsidian keeps them.
struct NoteFolder: Sendable {
  let path: String
  /// The paths of the notes below the folder, sorted.
  let notes: [String]

  /// The bounds of a folder: levels of folders in folders, and notes.
  private static let (deepest, most) = (16, RowKeys.most)
  /// The bytes of a note that are read.
  private static let longest = 1 << 20

  /// Nil for a path that is no folder.
  /// - Throws: ``ImportProblem`` when the folder cannot be read or has too many notes, `Interrupted`.
  init?(path: String) throws {
    guard Self.isFolder(path) else { return nil }
    self.path = path
    notes = try Self.files(in: path, most: Self.most) { $0.lowercased().hasSuffix(".md") }
  }

  /// The paths of the files below a folder, sorted.
  /// - Throws: ``ImportProblem`` when the folder cannot be read or has too many, `Interrupted`.
  static func files(in path: String, most: Int, where isWanted: (String) -> Bool) throws -> [String] {
    var files: [String] = []
    try find(in: path, below: "", level: 0, most, isWanted, &files)
    return files.sorted()
  }

  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  private static func find(
    in folder: String, below: String, level: Int, _ most: Int, _ isWanted: (String) -> Bool, _ files: inout [String]
  ) throws {
    guard level < deepest else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder)
    } catch {
      throw ImportProblem(.missing, "'\(folder)' cannot be read: \(String(cString: strerror(errno)))")
    }
    // `.obsidian`, `.trash` and their like are left out.
    for name in names where !name.hasPrefix(".") {
      try Interrupt.check()
      var status = stat()
      guard lstat("\(folder)/\(name)", &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR:
        try find(in: "\(folder)/\(name)", below: below + name + "/", level: level + 1, most, isWanted, &files)
      case S_IFREG where isWanted(name):
        guard files.count < most else { throw ImportProblem.tooMuch("'\(folder)' has more than \(most) files in it") }
        files.append(below + name)
      default: break
      }
    }
  }

  /// Calls `each` for every note with properties, until it returns false.
  /// - Parameter each: gets the number of the note from 1 on, its path below the folder, and the note.
  func forEach(_ each: (Int, String, FrontMatter) throws -> Bool) throws {
    var number = 0
    for name in notes {
      let bytes = try ByteSource(path: "\(path)/\(name)").beginning(Self.longest)
      guard let note = FrontMatter(String(decoding: bytes, as: UTF8.self)) else { continue }
      number += 1
      guard try each(number, name, note) else { return }
    }
  }

  /// The names of all properties, and the number of notes without any.
  func survey() throws -> (names: Set<String>, without: Int) {
    // A note without a title has that of its file.
    var (count, names): (Int, Set<String>) = (0, ["title"])
    try forEach { _, _, note in
      count += 1
      for (name, _) in note.properties where names.count < 1_000 { names.insert(name) }
      return true
    }
    return (names, notes.count - count)
  }
}

extension Cells {
  /// The properties of a note, and the text below them. A note without a title has that of its file.
  init(_ note: FrontMatter, number: Int, name: String) {
    line = number
    list = note.properties
    if !list.contains(where: { Self.key($0.name) == "title" && !$0.value.isEmpty }) {
      let file = name.split(separator: "/").last.map(String.init) ?? name
      list.append(("title", String(file.dropLast(3))))
    }
    if !note.body.trimmed.isEmpty { list.append(("text", note.body.trimmed)) }
    list.append((Self.member, name))
  }
}

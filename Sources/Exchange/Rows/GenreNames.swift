internal import CResources
internal import CatalogModel
internal import Lookup

/// The names of genres, and the labels of every source, that contain marks. Elsewhere such marks stand between genres.
/// Examples: `Funk / Soul`, `Folk, World, & Country`, `집/정원`.
struct GenreNames {
  private static let marks = Set(",;/|·")

  /// Without blanks and upper case.
  private let keys: Set<String>
  /// The most marks in one of them.
  private let most: Int

  static let shipped = GenreNames(
    ofTree(catalog_genres().bytes.dataLines) + labels(catalog_genre_labels().bytes.dataLines) + [
      "Folk, World, & Country", "스페인/중남미소설", "Lo-Fi/Slacker Rock", "Baggy/Madchester", "가정/요리/뷰티", "수험서/자격증", "컴퓨터/모바일",
    ])

  init(_ names: [String]) {
    let names = names.filter { $0.contains(where: Self.marks.contains) }
    keys = Set(names.map(Self.key))
    most = names.map { $0.count(where: Self.marks.contains) }.max() ?? 0
  }

  private static func key(_ text: some StringProtocol) -> String { text.lowercased().filter { !$0.isWhitespace } }

  private static func ofTree(_ lines: [Substring]) -> [String] {
    lines.flatMap { $0.split(separator: "|").map { String($0.trimmed) } }
  }

  /// The labels of the sections of every source.
  private static func labels(_ lines: [Substring]) -> [String] {
    var (labels, isAny): ([String], Bool) = ([], false)
    for line in lines {
      if line.first == "[" {
        isAny = line.hasPrefix("[any") && !line.contains(" beside ")
      } else if isAny, let equals = line.firstIndex(of: "="), !line[..<equals].contains("*") {
        labels.append(String(line[..<equals].trimmed))
      }
    }
    return labels
  }

  /// The names in a text, split at `marks` where no longer name is known.
  func parts(of text: String, _ marks: String) -> [String] {
    let marks = Set(marks)
    let places = text.indices.filter { marks.contains(text[$0]) }
    guard !places.isEmpty, text.first != "[" else { return Names.list(text, String(marks)) }
    let starts = [text.startIndex] + places.map { text.index(after: $0) }
    let ends = places + [text.endIndex]
    var (parts, next): ([String], Int) = ([], 0)
    while next < starts.count {
      let last = (next..<min(next + most + 1, ends.count)).reversed().first {
        $0 > next && keys.contains(Self.key(text[starts[next]..<ends[$0]]))
      }
      let part = String(text[starts[next]..<ends[last ?? next]])
      parts += last == nil ? Names.list(part, "") : [String(part.trimmed)]
      next = (last ?? next) + 1
    }
    return parts
  }
}

internal import CatalogModel
internal import SQLite

extension Store {
  /// The books and films of one story that are both selected and rated: a title in common, and the author of the book
  /// is the one on whose work the film says it is based.
  func stories(_ members: ItemTable<GenreScope.Member>) throws -> [Story] {
    let titles: SQL = "item.title || coalesce(char(10) || original_title, '') || coalesce(char(10) || other_titles, '')"
    let author = Credit.Role.author.rawValue
    var stories: [Story] = []
    try db.forEach(
      """
      SELECT item.id, \(titles), person.name FROM item
      JOIN credit ON credit.item_id = item.id AND credit.role = \(author) JOIN person ON person.id = credit.person_id
      WHERE item.kind = 'movie' ORDER BY item.id
      """
    ) { film in
      guard let filmRating = members.rating(of: film.integer(0)) else { return true }
      let names = Self.keys(film.text(1))
      try db.forEach(
        """
        SELECT item.id, \(titles) FROM person
        JOIN credit ON credit.person_id = person.id AND credit.role = \(author) JOIN item ON item.id = credit.item_id
        WHERE person.name = \(film.text(2)) AND item.kind = 'book' ORDER BY item.id
        """
      ) { book in
        guard let bookRating = members.rating(of: book.integer(0)), !names.isDisjoint(with: Self.keys(book.text(1)))
        else { return true }
        stories.append(
          Story(
            book: ItemID(rawValue: book.integer(0)), film: ItemID(rawValue: film.integer(0)), bookRating: bookRating,
            filmRating: filmRating))
        return true
      }
      return true
    }
    return stories.withoutRepeats
  }

  /// Titles, a line each, as they are compared.
  private static func keys(_ titles: String) -> Set<String> {
    Set(titles.split(separator: "\n").map { Folding.nameKey(String($0)) }.filter { !$0.isEmpty })
  }
}

/// A book and a film of one story, both rated.
struct Story: Hashable {
  var book: ItemID
  var film: ItemID
  /// 0 … 100.
  var bookRating: Int
  var filmRating: Int
}

extension ItemTable<GenreScope.Member> {
  fileprivate func rating(of id: Int64) -> Int? {
    place(of: id).flatMap { self[$0].isIn ? self[$0].rating.map { Int($0) } : nil }
  }
}

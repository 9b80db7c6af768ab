internal import SQLite

extension Store {
  /// The genre with most items; ties go to the higher weight, then to the name. Nil without genres.
  public func topGenre() throws -> (name: String, items: Int)? {
    try db.one("SELECT genre, items FROM genre_share ORDER BY items DESC, weight DESC, genre LIMIT 1") {
      (try $0.get("genre"), try $0.get("items"))
    }
  }
}

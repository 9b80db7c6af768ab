internal import CatalogModel

extension TableFormat {
  /// The goodbooks-10k data set of ten thousand books.
  static let goodbooks = TableFormat(
    "goodbooks", "goodbooks-10k", .book, needs: ["goodreads_book_id", "work_id", "authors", "title"],
    columns: [
      "book_id": .inside, "goodreads_book_id": .id("goodreads"), "best_book_id": .inside, "work_id": .inside,
      "books_count": .inside, "isbn": .otherISBN, "isbn13": .isbn, "authors": .creator.each(of: ","),
      "original_publication_year": .year, "original_title": .originalTitle, "title": .title,
      "language_code": .language, "average_rating": .others, "ratings_count": .others, "work_ratings_count": .others,
      "work_text_reviews_count": .others, "image_url": .inside, "small_image_url": .inside,
    ], prefixes: [("ratings_", .others)],
    finish: { facts, _ in facts.takeSeriesFromTitle() },
    key: { cells, _ in cells.first("goodreads_book_id") })
}

internal import CatalogModel
internal import Lookup

extension TableFormat {
  /// The export of Hardcover.
  static let hardcover = TableFormat(
    "hardcover", "Hardcover", .book, needs: ["Title", "Hardcover Book ID"],
    columns: [
      "Title": .title, "Author": .makers(nil, .firstLast), "Authors": .makers(nil, .firstLast), "Series": .series,
      "Hardcover Book ID": .id("hardcover"),
      "Hardcover Edition ID": .inside, "ISBN 10": .otherISBN, "ISBN 13": .isbn, "ISBN": .otherISBN, "ASIN": .inside,
      "Status": .status, "Read Status": .status, "Privacy": .inside, "Date Added": .addedOn, "Date Started": .started,
      "Date Finished": .finished, "Rating": .rating(.five), "Review": .review, "Review Slate": .repeated,
      "Publisher": .publisher, "Publish Date": .published, "Release Date": .published, "Pages": .pages,
      "Binding": .format, "Format": .format, "Owned": .owned, "Private Notes": .remark, "Notes": .remark,
      "Lists": .piles, "Tags": .tags, "Genres": .genre.each(of: ","), "Language": .language,
      "Language Code": .language, "Media": .format, "Country": .inside, "Country Code": .inside,
      "Compilation": .inside, "Description": .summary, "Read Count": .count,
    ],
    finish: { facts, _ in facts.takeSeriesFromTitle() },
    key: { cells, _ in cells.first("Hardcover Book ID") })
}

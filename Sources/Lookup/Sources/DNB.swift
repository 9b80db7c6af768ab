import CatalogModel

extension Source {
  /// The catalog of the Deutsche Nationalbibliothek: every book that was published in German or in Germany since 1913.
  /// No key; all data is CC0.
  ///
  /// <https://www.dnb.de/sru>
  public static let dnb = library(
    "dnb", "DNB", attribution: "Data from the Deutsche Nationalbibliothek (CC0)", at: "https://services.dnb.de/sru",
    isbnGroups: ["9783"], pages: "https://d-nb.info/", { catalog })

  /// MARC 21, with codes of the Library of Congress: <https://www.loc.gov/marc/relators/relaterm.html>.
  private static let catalog = LibraryCatalog(
    id: "dnb", path: "/dnb", version: "1.1", schema: "MARC21-xml",
    form: MARCForm(
      isbn: ["020a"], title: ["245a"], subtitle: ["245b"], number: ["245n"], part: ["245p"],
      original: ["240a", "765t"],
      originalLanguage: ["041h"], publisher: ["264b", "260b"], published: ["264c", "260c"], extent: ["300a"],
      language: ["041a"], series: ["490av"], summary: ["520a"], people: ["100", "700"], firstName: nil,
      roles: ["aut": .author, "cre": .author, "trl": .translator]),
    everywhere: "WOE=", indexes: [.title: "TIT=", .creator: "PER=", .publisher: "VLG=", .isbn: "NUM="],
    onlyBooks: "mat=books", ids: "IDN=\"", identify: { $0.controls["001"] })
}

import CatalogModel

extension Source {
  /// The catalog of the Deutsche Nationalbibliothek: every book that was published in German or in Germany since 1913.
  /// No key; all data is CC0.
  ///
  /// <https://www.dnb.de/sru>. A search result is the complete record; it has no genre.
  public static let dnb = Source(
    id: catalog.id, name: "DNB", kinds: [.book], fields: { _ in [.title, .creator, .publisher, .isbn] },
    paging: Paging(mostOnPage: LibraryCatalog.mostOnPage), knowsGenres: false,
    attribution: "Data from the Deutsche Nationalbibliothek (CC0)",
    // None is documented.
    limit: RateLimit(requests: 2, per: 1), defaultBaseURL: "https://services.dnb.de/sru",
    policy: RetryPolicy(throttled: [], busy: [2]), request: catalog.request, read: catalog.read, fetch: catalog.fetch,
    lookUp: catalog.lookUp, isbnGroups: ["9783"], pages: "https://d-nb.info/")

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

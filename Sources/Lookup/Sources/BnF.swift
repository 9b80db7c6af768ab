import CatalogModel

extension Source {
  /// The general catalog of the Bibliothèque nationale de France: every book that was published in France. No key.
  ///
  /// <https://api.bnf.fr/api-sru-catalogue-general>. A search result is the complete record; it has no genre.
  public static let bnf = Source(
    id: catalog.id, name: "BnF", kinds: [.book], fields: { _ in [.title, .creator, .publisher, .isbn] },
    paging: Paging(mostOnPage: LibraryCatalog.mostOnPage), knowsGenres: false,
    attribution: "Data from the Bibliothèque nationale de France (Licence Ouverte)",
    // None is documented.
    limit: RateLimit(requests: 2, per: 1), defaultBaseURL: "https://catalogue.bnf.fr/api",
    policy: RetryPolicy(throttled: [], busy: [2]), request: catalog.request, read: catalog.read, fetch: catalog.fetch,
    lookUp: catalog.lookUp, isbnGroups: ["9782", "97910"], pages: "https://catalogue.bnf.fr/ark:/12148/")

  /// UNIMARC, with its own codes of roles: <https://www.transition-bibliographique.fr/unimarc>.
  private static let catalog = LibraryCatalog(
    id: "bnf", path: "/SRU", version: "1.2", schema: "unimarcXchange",
    form: MARCForm(
      isbn: ["010a"], title: ["200a"], subtitle: ["200e"], number: ["200h"], part: ["200i"], original: ["454t"],
      originalLanguage: ["101c"], publisher: ["214c", "210c"], published: ["214d", "210d"], extent: ["215a"],
      language: ["101a"], series: ["461tv", "225av"], summary: ["330a"], people: ["700", "701", "702"], firstName: "b",
      roles: ["070": .author, "730": .translator]),
    everywhere: "bib.anywhere all ",
    indexes: [
      .title: "bib.title all ", .creator: "bib.author all ", .publisher: "bib.publisher all ",
      .isbn: "bib.isbn any ",
    ],
    onlyBooks: "bib.doctype any \"a\"", ids: "bib.persistentid any \"ark:/12148/",
    identify: { ($0.id ?? $0.controls["003"])?.split(separator: "/").last.map(String.init) })
}

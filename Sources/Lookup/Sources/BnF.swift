import CatalogModel

extension Source {
  /// The general catalog of the Bibliothèque nationale de France: every book that was published in France. No key.
  ///
  /// <https://api.bnf.fr/api-sru-catalogue-general>
  public static let bnf = library(
    "bnf", "BnF", attribution: "Data from the Bibliothèque nationale de France (Licence Ouverte)",
    at: "https://catalogue.bnf.fr/api", isbnGroups: ["9782", "97910"], pages: "https://catalogue.bnf.fr/ark:/12148/",
    { catalog })

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

public import CatalogModel
internal import SQLite

extension Store {
  /// The books and records with a typed code. The first or last digit may be missing, or there may be one too many. The
  /// code is looked up in indexes.
  public func itemIDs(nearCode typed: String) throws -> [ItemID] {
    let codes = Self.codes(near: typed)
    guard !codes.isEmpty else { return [] }
    return try db.values(
      """
      SELECT item_id FROM vinyl WHERE barcode IN (\(list: codes))
      UNION SELECT item_id FROM book WHERE isbn13 IN (\(list: codes)) ORDER BY 1
      """, as: Int64.self
    ).map(ItemID.init)
  }

  /// The records with a catalog number, ignoring separators and case: `CL 1355`, `CL1355`, `cl-1355`.
  public func itemIDs(ofCatalogNumber typed: String) throws -> [ItemID] {
    let key = typed.filter { !" -./".contains($0) }
    guard !key.isEmpty else { return [] }
    // The expression is that of the index.
    return try db.values(
      """
      SELECT item_id FROM vinyl
      WHERE upper(replace(replace(replace(replace(catalog_number, ' ', ''), '-', ''), '.', ''), '/', '')) = upper(\(key))
        AND catalog_number IS NOT NULL ORDER BY item_id
      """, as: Int64.self
    ).map(ItemID.init)
  }

  /// The possible codes for typed digits. Empty if the text is no code or too short a part of one.
  public static func codes(near typed: String) -> [String] {
    let text = TypedCode(typed).digits
    // A spreadsheet may have dropped the zero that an ISBN begins with.
    let isbn = [typed, "0" + text].compactMap { try? ISBN($0).digits13 }
    guard (7...15).contains(text.utf8.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return isbn }
    let digits = (0...9).map(String.init)
    let before = digits.map { $0 + text }
    var codes = isbn + [text] + before + (before + [text]).flatMap { code in digits.map { code + $0 } }
    if text.utf8.count > 8 {
      codes += [String(text.dropFirst()), String(text.dropLast()), String(text.dropFirst().dropLast())]
    }
    // An ISBN of ten digits with a missing or wrong check digit.
    if (9...10).contains(text.utf8.count) { codes += digits.map { "978\(text.prefix(9))\($0)" } }
    // A UPC and its EAN are the same number.
    return Array(Set(codes.flatMap(Barcode.forms)))
  }
}

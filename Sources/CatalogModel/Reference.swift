/// A user's reference to an item: `42`, `r3`, `@1`, `c7`, `w3`, `isbn:9788936434267`, `tmdb:550`, `tt0137523`, the
/// address of its page, or words.
public enum Reference: Sendable, Hashable {
  /// An item by its number: `42`, `id:42`, or as it is printed, `vinyl 42: Kind of Blue`.
  case item(ItemID)
  /// A result of the last search, from 1: `r3`.
  case result(Int)
  /// A recently viewed item, from 1, the latest: `@1`.
  case recent(Int)
  /// A copy: `c7`.
  case copy(CopyID)
  /// A wish: `w3`.
  case wish(WishID)
  case isbn(ISBN)
  case barcode(Barcode)
  /// A source's own id, `tmdb:550`, or IMDb's.
  case external(ExternalID)
  /// An https address, such as that of its page.
  case page(String)
  /// Anything else: words of a title or name.
  case words(String)

  /// The problem with an invalid reference, in the user's words.
  public struct Problem: MessageError, Equatable {
    public let message: Message
    public init(_ message: Message) { self.message = message }
  }

  /// Parses a reference.
  /// - Parameter sources: the names that make `name:id` an external id, called when the text has a colon. Any other
  ///   text with a colon is words.
  /// - Throws: ``Problem`` for an empty text, `r0`, `@0`, an ISBN or barcode with a wrong check digit, or an invalid
  ///   IMDb id.
  public init(_ text: String, sources: @autoclosure () -> [String]) throws(Problem) {
    let typed = text.trimmingBlanks
    guard !typed.isEmpty else { throw Problem("a reference is missing: give a number, a result such as r1, or words") }
    if let code = Self.code(typed) {
      self = code
    } else if let code = try Self.named(typed) {
      self = code
    } else if let number = Self.number(typed[...]) {
      guard number > 0 else { throw Problem("'\(typed)' is not an item number: numbers start at 1") }
      self = .item(ItemID(rawValue: Int64(number)))
    } else if let number = Self.number(typed.dropFirst()), typed.hasPrefix("r") || typed.hasPrefix("R") {
      guard number > 0 else { throw Problem("'\(typed)' is not a result: results start at r1") }
      self = .result(number)
    } else if let number = Self.number(typed.dropFirst()), typed.hasPrefix("@") {
      guard number > 0 else { throw Problem("'\(typed)' is not a recent item: they start at @1") }
      self = .recent(number)
    } else if let copy = CopyID(typed) {
      guard copy.rawValue > 0 else { throw Problem("'\(typed)' is not a copy number: copies start at c1") }
      self = .copy(copy)
    } else if let wish = WishID(typed) {
      self = .wish(wish)
    } else if let id = ExternalID(imdb: typed) ?? ExternalID(imdbPage: typed) {
      self = .external(id)
    } else if ["https://", "http://"].contains(where: typed.lowercased().hasPrefix) {
      self = .page(typed)
    } else if let item = Self.printed(typed) {
      self = .item(item)
    } else if let colon = typed.firstIndex(of: ":") {
      let name = typed[..<colon].lowercased()
      let value = String(typed[typed.index(after: colon)...]).trimmingBlanks
      do {
        switch name {
        case "id" where Self.number(value[...]).map { $0 > 0 } == true: self = try Reference(value, sources: [])
        case "isbn": self = .isbn(try ISBN(value))
        case "barcode", "ean", "upc": self = .barcode(try Barcode(value))
        case ExternalID.imdb:
          guard let id = ExternalID(imdb: value) else {
            throw Problem("'\(value)' is not an IMDb id: that is 'tt' and at least seven digits")
          }
          self = .external(id)
        case _ where sources().contains(name) && !value.isEmpty:
          self = .external(ExternalID(source: name, value: value))
        default: self = .words(typed)
        }
      } catch let problem as Problem {
        throw problem
      } catch let error as any MessageError {
        throw Problem(error.message)
      } catch {
        throw Problem("'\(typed)' is not a reference")
      }
    } else {
      self = .words(typed)
    }
  }

  /// The item of a printed line: `vinyl 42: Kind of Blue — Miles Davis (1959)`.
  private static func printed(_ text: String) -> ItemID? {
    let words = text.split(separator: " ", maxSplits: 2)
    guard words.count == 3, Kind(word: String(words[0])) != nil, words[1].hasSuffix(":"),
      let number = number(words[1].dropLast()), number > 0
    else { return nil }
    return ItemID(rawValue: Int64(number))
  }

  /// A code with its name before it, as it is printed: `ISBN-13: 978-89-364-3412-0`, `UPC 0 36000 29145 2`; or what has
  /// the digits of an ISBN.
  /// - Throws: ``Problem`` for a wrong check digit.
  private static func named(_ text: String) throws(Problem) -> Reference? {
    let code = TypedCode(text)
    let isOfISBN =
      code.digits.utf8.count == 10 || code.digits.utf8.count == 13 && ["978", "979"].contains(code.digits.prefix(3))
    guard code.isMeant, code.hasName || isOfISBN else { return nil }
    do {
      return code.isNamedISBN || !code.hasName ? .isbn(try ISBN(text)) : .barcode(try Barcode(text))
    } catch let error as any MessageError {
      throw Problem(error.message)
    } catch {
      return nil
    }
  }

  /// Parses a printed code without a prefix: an ISBN of 10 or 13 digits, with hyphens or without, or a barcode of 12 or
  /// 13. A number of this length with a valid check digit is neither an item nor a title.
  private static func code(_ text: String) -> Reference? {
    let digits = text.utf8.count { (48...57).contains($0) }
    guard digits >= 9, digits <= 13, let first = text.utf8.first, (48...57).contains(first) else { return nil }
    if let isbn = try? ISBN(text) { return .isbn(isbn) }
    guard digits >= 12, digits == text.utf8.count, let barcode = try? Barcode(text) else { return nil }
    return .barcode(barcode)
  }

  private static func number(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 15, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
    return Int(text)
  }
}

extension StringProtocol {
  /// Without blanks, tabs and line ends at both sides.
  public var trimmingBlanks: String {
    // A Substring, since the standard library looks up other types of text at run time.
    var text = String(self)[...]
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}

/// The reference as typed.
extension Reference: CustomStringConvertible {
  public var description: String {
    switch self {
    case .item(let id): "\(id)"
    case .result(let number): "r\(number)"
    case .recent(let number): "@\(number)"
    case .copy(let id): "\(id)"
    case .wish(let id): "\(id)"
    case .isbn(let isbn): "isbn:\(isbn)"
    case .barcode(let barcode): "barcode:\(barcode)"
    case .external(let id): "\(id)"
    case .page(let address): address
    case .words(let words): words
    }
  }
}

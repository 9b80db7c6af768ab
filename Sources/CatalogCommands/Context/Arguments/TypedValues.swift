internal import CatalogModel
internal import CommandLineKit

// Values that depend on the clock or the settings: the word is checked as far as possible, and parsed later.

/// A date as a person types it: `2019-03`, `today`, `yesterday`, `-2w`.
struct TypedDate: ArgumentValue, Hashable {
  /// The text as typed.
  let text: String

  init(argument word: String) throws {
    // The date is only checked here, so any day will do.
    guard PartialDate(typed: word, today: PartialDate("2000-01-01")) != nil else { throw Self.problem(word) }
    text = word
  }

  fileprivate static func problem(_ word: String) -> UsageError {
    UsageError("invalid date \(word.quoted)", hint: "write 2026, 2026-11, 2026-11-21, today, yesterday or -2w")
  }

  static var valueName: String? { "DATE" }
}

/// A price as a person types it: `25000 KRW`, `€12.50`, or `12.50` of the currency that is set.
struct TypedPrice: ArgumentValue, Hashable {
  /// The text as typed.
  let text: String

  init(argument word: String) throws {
    do { _ = try Price(typed: word) } catch  where error.lacksCurrency {
    } catch { throw UsageError(error.message) }
    text = word
  }

  static var valueName: String? { "PRICE" }
  static var completion: CompletionKind { .dynamic("prices") }
}

extension Context {
  /// The date, relative to today.
  func date(_ typed: TypedDate) throws -> PartialDate {
    guard let date = PartialDate(typed: typed.text, today: PartialDate(day)) else {
      throw TypedDate.problem(typed.text)
    }
    return date
  }

  /// The price; without a currency in that of `copies.currency`.
  /// - Throws: ``Failure`` when there is no currency either, or the text is invalid.
  func price(_ typed: TypedPrice) throws -> Price {
    let usual = try configuration()["copies.currency"]?.uppercased()
    do { return try Price(typed: typed.text, currency: usual) } catch {
      throw Failure(
        error.message,
        hint: error.lacksCurrency ? "or set the usual one: catalog config set copies.currency KRW" : nil,
        status: .misused)
    }
  }
}

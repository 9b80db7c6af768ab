internal import CatalogModel
internal import CommandLineKit

// What can be read in full only where the clock and the settings are: the word is checked as far as it can be, and kept.

/// A date as a person types it: `2019-03`, `today`, `yesterday`, `-2w`.
struct TypedDate: ArgumentValue, Hashable {
  /// As it was typed.
  let text: String

  init(argument word: String) throws {
    // Any day does to see whether it is one.
    guard PartialDate(typed: word, today: PartialDate("2000-01-01")) != nil else { throw Self.problem(word) }
    text = word
  }

  fileprivate static func problem(_ word: String) -> UsageError {
    UsageError("\(word.quoted) is no date", hint: "write 2026, 2026-11, 2026-11-21, today, yesterday or -2w")
  }

  static var valueName: String? { "DATE" }
}

/// A price as a person types it: `25000 KRW`, `€12.50`, or `12.50` of the currency that is set.
struct TypedPrice: ArgumentValue, Hashable {
  /// As it was typed.
  let text: String

  init(argument word: String) throws {
    do { _ = try Price(typed: word) } catch  where error.lacksCurrency {
    } catch { throw UsageError(Message(error.words)) }
    text = word
  }

  static var valueName: String? { "PRICE" }
  static var completion: CompletionKind { .dynamic("prices") }
}

extension Context {
  /// The date that was typed, seen from today.
  func date(_ typed: TypedDate) throws -> PartialDate {
    guard let date = PartialDate(typed: typed.text, today: PartialDate(timestamp.day)) else {
      throw TypedDate.problem(typed.text)
    }
    return date
  }

  /// The price that was typed, without a currency in the one that `copies.currency` names.
  /// - Throws: ``Failure`` when there is none, either.
  func price(_ typed: TypedPrice) throws -> Price {
    let usual = try configuration()["copies.currency"]?.uppercased()
    do { return try Price(typed: typed.text, currency: usual) } catch {
      throw Failure(
        Message(error.words),
        hint: error.lacksCurrency ? "or set the usual one: catalog config set copies.currency KRW" : nil,
        status: .misused)
    }
  }
}

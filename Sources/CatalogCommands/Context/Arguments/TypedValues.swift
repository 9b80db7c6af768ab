internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

// Values that depend on the clock or the settings: the word is checked as far as possible, and parsed later.

/// A date as a person types it: `2019-03`, `2024년 5월 3일`, `yesterday`, `2주 전`.
struct TypedDate: ArgumentValue, Hashable {
  let text: String

  init(argument word: String) throws { try self.init(word, mayBeToCome: false) }

  /// - Parameter mayBeToCome: whether it may be a day to come; then a span counts from today: `2w`.
  fileprivate init(_ word: String, mayBeToCome: Bool) throws {
    // The date is only checked here, so any day will do.
    guard Self.read(word, today: PartialDate("2000-01-01"), mayBeToCome: mayBeToCome) != nil else {
      throw Self.problem(word)
    }
    text = word
  }

  fileprivate static func read(_ word: String, today: PartialDate?, mayBeToCome: Bool) -> PartialDate? {
    PartialDate(typed: word, in: DayContext(today: today, mayBeToCome: mayBeToCome, countsSpans: mayBeToCome))
  }

  fileprivate static func problem(_ word: String) -> UsageError {
    UsageError("invalid date \(word.quoted)", hint: "write 2026, 2026-11, 2026-11-21, today, yesterday or -2w")
  }

  static var valueName: String? { "DATE" }
}

/// The date when a copy is due: a date as typed, or a span from today, `2w`.
struct DueDate: ArgumentValue, Hashable {
  let date: TypedDate

  init(argument word: String) throws { date = try TypedDate(word, mayBeToCome: true) }

  static var valueName: String? { "DATE" }
}

/// A price as a person types it: `25000 KRW`, `€12.50`, or `12.50` of the currency that is set.
struct TypedPrice: ArgumentValue, Hashable {
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
  /// The date of something that has happened, relative to today.
  /// - Throws: ``CatalogError/yetToCome(_:)``.
  func date(_ typed: TypedDate) throws -> PartialDate {
    let date = try date(typed, mayBeToCome: false)
    guard !localTime.isToCome(date, now: timestamp) else { throw CatalogError.yetToCome(date) }
    return date
  }

  /// The date on which something is due.
  func date(_ typed: DueDate) throws -> PartialDate { try date(typed.date, mayBeToCome: true) }

  func date(_ typed: TypedDate, mayBeToCome: Bool) throws -> PartialDate {
    guard let date = TypedDate.read(typed.text, today: PartialDate(day), mayBeToCome: mayBeToCome) else {
      throw TypedDate.problem(typed.text)
    }
    return date
  }

  /// The currency that is set for prices without one.
  func usualCurrency() throws -> String? { try configuration()["copies.currency"]?.uppercased() }

  /// The price; without a currency in that of `copies.currency`.
  /// - Throws: ``Failure`` when there is no currency either, or the text is invalid.
  func price(_ typed: TypedPrice) throws -> Price {
    do { return try Price(typed: typed.text, currency: usualCurrency()) } catch let error as Price.Problem {
      throw Failure(
        error.message,
        hint: error.lacksCurrency ? "or set the usual one: catalog config set copies.currency KRW" : nil,
        status: .misused)
    }
  }
}

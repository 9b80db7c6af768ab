internal import CatalogModel
internal import CatalogStore
internal import CommandLineKit

/// The options of `copy add` and `copy edit` for the fields of a copy.
struct CopyOptions: OptionGroup {
  static var arguments: [Argument<CopyOptions>] {
    [
      .option(
        "media", short: "m", \.media, value: "GRADE",
        completion: .values(Grade.ordered.reversed().map(\.rawValue)),
        help: "The grade of the record: M, NM, EX, VG+, VG, G+, G, F or P."),
      .option(
        "sleeve", short: "s", \.sleeve, value: "GRADE", completion: Grade.completion,
        help: "The grade of its sleeve."),
      .option("format", \.format, value: "TEXT", completion: .dynamic("formats"), help: "The format: \"LP, 180 g\"."),
      .option(
        "place", short: "p", \.place, value: "TEXT", completion: .dynamic("places"),
        help: "The place where it is kept: K2/3."),
      .option(
        "price", \.price, completion: TypedPrice.completion,
        help: "The price paid: \"25000 KRW\"; the default currency is 'config copies.currency'."),
      .option("on", \.acquiredOn, help: "When you got it: 2019, 2019-03, 2019-03-02, today."),
      .option("from", \.acquiredFrom, value: "TEXT", completion: .dynamic("sellers"), help: "Where you got it."),
      .option("note", \.note, value: "TEXT", help: "A note."),
    ]
  }

  var media: Clearable<Grade>?
  var sleeve: Clearable<Grade>?
  var format: Clearable<String>?
  var place: Clearable<String>?
  var price: Clearable<TypedPrice>?
  var acquiredOn: Clearable<TypedDate>?
  var acquiredFrom: Clearable<String>?
  var note: Clearable<String>?

  /// Whether no option was given.
  var isEmpty: Bool {
    media == nil && sleeve == nil && format == nil && place == nil && price == nil && acquiredOn == nil
      && acquiredFrom == nil && note == nil
  }

  /// Returns a function that applies the given options to a copy.
  /// - Throws: ``Failure`` for a price without a currency.
  func changes(in context: Context) throws -> (inout Copy.Facts) -> Void {
    let price = try price.map { try $0.value.map(context.price) }
    let acquiredOn = try acquiredOn.map { try $0.value.map(context.date) }
    return { [self] facts in
      if let media { facts.media = media.value }
      if let sleeve { facts.sleeve = sleeve.value }
      if let format { facts.format = format.value }
      if let place { facts.place = place.value }
      if let price { facts.price = price }
      if let acquiredOn { facts.acquiredOn = acquiredOn }
      if let acquiredFrom { facts.acquiredFrom = acquiredFrom.value }
      if let note { facts.note = note.value }
    }
  }
}

extension Change {
  /// Describes a change of a copy.
  init(_ outcome: Outcome = .done, of face: CopyFace) {
    self.init(outcome, of: face.item, [("copy", face.copy.id)])
  }
}

/// A copy with its item, for messages.
struct CopyFace {
  var copy: Copy
  var item: Item

  init(_ copy: Copy, in store: Store) throws { (self.copy, item) = (copy, try store.item(copy.item)) }

  /// One line: `c7 of vinyl 3: Kind of Blue — Miles Davis (1959) · VG+/VG, K2/3, ₩25,000`.
  func line(in context: Context) -> String {
    let name = context.text(Message("\(copy.id) of \(item.line)", context: "copy"))
    return context.safe(copy.hasLine ? "\(name) · \(context.text(context.line(of: copy)))" : name)
  }
}

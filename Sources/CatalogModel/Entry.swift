/// An item as another program's file describes it, in the terms of the catalog: the data that an import would add.
public struct Entry: Sendable, Hashable {
  public var record: Record
  /// The diary entries, in the order of the file.
  public var times: [Time] = []
  /// The opinions that do not belong to one of ``times``.
  public var opinions: [Opinion] = []
  public var copies: [CopyOwned] = []
  public var wish: Wish.Terms?
  public var tags: [String] = []
  /// The piles that contain the item, and its positions from 1 on; nil for a pile without an order.
  public var piles: [PilePlace] = []
  public var isFavorite = false
  /// The days on which it became a favorite and a wish, if the file has them.
  public var favoriteOn: PartialDate?
  public var wishedOn: PartialDate?
  /// The day on which it was added to the other program.
  public var addedOn: PartialDate?
  /// The number of the item of which it is an edition, in the catalog or file that it comes from.
  public var editionOf: String?
  /// The values without a field in the catalog, each with the name of its column: `Condition: signed`.
  public var notes: [String] = []
  /// Remarks on values that were changed or left out, each once.
  public private(set) var remarks: [Remark] = []

  /// Adds a remark, unless it is already there.
  public mutating func remark(_ remark: Remark) { if !remarks.contains(remark) { remarks.append(remark) } }

  public init(_ record: Record) { self.record = record }

  /// A value that was not taken as the file has it, in words without the value, so that rows can be counted: `a day
  /// that is yet to come goes into the note`.
  public struct Remark: Sendable, Hashable {
    public let message: Message
    public init(_ message: Message) { self.message = message }
  }

  /// One time that it was watched, read or played.
  public struct Time: Sendable, Hashable {
    public var outcome: LogEntry.Outcome
    public var startedOn: PartialDate?
    /// The day on which it was finished or dropped; nil when unknown or ongoing.
    public var endedOn: PartialDate?
    /// The current or last page of a book's reader.
    public var page: Int?
    public var note: String?
    public var opinion: Opinion?
    /// The other program's id of the entry, the same in every export; nil without one.
    public var name: String?

    public init(
      _ outcome: LogEntry.Outcome = .done, startedOn: PartialDate? = nil, endedOn: PartialDate? = nil, page: Int? = nil,
      note: String? = nil, opinion: Opinion? = nil, name: String? = nil
    ) {
      (self.outcome, self.startedOn, self.endedOn, self.page) = (outcome, startedOn, endedOn, page)
      (self.note, self.opinion, self.name) = (note, opinion, name)
    }
  }

  /// Stars, words, or both.
  public struct Opinion: Sendable, Hashable {
    public var rating: Rating?
    public var comment: String?
    /// The day of the opinion, if the file has it.
    public var day: PartialDate?

    /// Nil when there is nothing in it.
    public init?(rating: Rating? = nil, comment: String? = nil, day: PartialDate? = nil) {
      guard rating != nil || comment != nil else { return nil }
      (self.rating, self.comment, self.day) = (rating, comment, day)
    }
  }

  public struct CopyOwned: Sendable, Hashable {
    public var facts: Copy.Facts
    public var holder: Copy.Holder?

    public init(_ facts: Copy.Facts = Copy.Facts(), holder: Copy.Holder? = nil) {
      (self.facts, self.holder) = (facts, holder)
    }
  }

  public struct PilePlace: Sendable, Hashable {
    public var pile: String
    public var position: Int?

    public init(_ pile: String, position: Int? = nil) { (self.pile, self.position) = (pile, position) }
  }
}

extension Entry.Remark {
  public static let lacksCurrency = Entry.Remark(
    "a price without a currency goes into the note: set the usual one with 'catalog config set copies.currency KRW'")
  public static let yetToCome = Entry.Remark("a date in the future goes into the note")
  public static let endsBeforeStart = Entry.Remark("a start date after the end date goes into the note")

  /// The end of a text was left out.
  /// - Parameter name: the text: `review`.
  public static func tooLong(_ name: String) -> Entry.Remark {
    Entry.Remark("the \(words: name) is longer than 10000 characters, and its end is left out")
  }
}

/// A line, or a part, of a file that is imported. An object, because it is handed from one to the other and has much in
/// it: to copy it would count the references of fifty texts.
public final class ImportRow: Sendable {
  /// The line, or the number of the element, at which the row begins, from 1.
  public let line: Int
  /// The file inside an archive, if several are read.
  public let member: String?
  /// The other program's key of the row, unique within its format and the same in every export. It identifies the row
  /// in a later import.
  public let key: String
  /// A short label for messages: `Heat (1995)`.
  public let words: String
  public let content: Result<Entry, Rejection>
  /// Whether the file numbers its items, so that the row is no other row's item, however alike they are.
  public let isItem: Bool
  /// The number of its work, which its editions share; nil if the file does not say which rows are editions.
  public let work: String?
  /// The names of its item in the catalog that it came from, if that was one of this program.
  public let origin: Origin?

  /// The names of an item in its catalog.
  public struct Origin: Hashable, Sendable {
    public let number: Int64
    public let createdAt: String
    public let uid: String?

    public init(number: Int64, createdAt: String, uid: String?) {
      (self.number, self.createdAt, self.uid) = (number, createdAt, uid)
    }
  }

  public init(
    line: Int, member: String? = nil, key: String, words: String, content: Result<Entry, Rejection>,
    isItem: Bool = false, work: String? = nil, origin: Origin? = nil
  ) {
    (self.line, self.member, self.key, self.words, self.content) = (line, member, key, words, content)
    (self.isItem, self.work, self.origin) = (isItem, work, origin)
  }

  /// Why a row cannot be kept, in a person's words: `the title is missing`.
  public struct Rejection: MessageError, Hashable {
    public let message: Message
    public init(_ message: Message) { self.message = message }

    /// The rejection of an item of a kind that the catalog does not keep.
    /// - Parameter kind: its name in the file.
    public static func otherKind(_ kind: String) -> Rejection {
      Rejection("it is of a kind '\(kind)' that the catalog does not keep")
    }
  }
}

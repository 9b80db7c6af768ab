/// What a file of another program says of one thing, in the words of the catalog: what an import would keep of it.
public struct Entry: Sendable, Hashable {
  public var record: Record
  /// Each time that it was watched, read or played, in the order of the file.
  public var times: [Time] = []
  /// What is thought of it, at no time that ``times`` tells of.
  public var opinions: [Opinion] = []
  public var copies: [CopyOwned] = []
  /// Set when it is wished for.
  public var wish: Wish.Terms?
  public var tags: [String] = []
  /// The lists that it stands on, and where, from 1 on; nil for a list without an order.
  public var piles: [PilePlace] = []
  public var isFavorite = false
  /// When it was liked, and wished for, where the file says so.
  public var favoriteOn: PartialDate?
  public var wishedOn: PartialDate?
  /// When it came into the other program.
  public var addedOn: PartialDate?
  /// What the file says that has no place in the catalog, each with the name of its column: `Condition: signed`.
  public var notes: [String] = []
  /// The values that were not taken as the file has them, each remark once.
  public private(set) var remarks: [Remark] = []

  /// Adds a remark, unless it is there already.
  public mutating func remark(_ remark: Remark) { if !remarks.contains(remark) { remarks.append(remark) } }

  public init(_ record: Record) { self.record = record }

  /// A value that was not taken as the file has it, in words without the value, so that rows can be counted: `a day that is yet to come
  /// goes into the note`.
  public struct Remark: Sendable, Hashable {
    public let words: Wording
    public init(_ words: Wording) { self.words = words }
  }

  /// One time that it was watched, read or played.
  public struct Time: Sendable, Hashable {
    public var outcome: LogEntry.Outcome
    public var startedOn: PartialDate?
    /// When it was finished or dropped; nil when nobody knows, or when it is not over.
    public var endedOn: PartialDate?
    /// Where the reader of a book is, or stopped.
    public var page: Int?
    public var note: String?
    /// What was thought of it then.
    public var opinion: Opinion?
    /// What the other program calls it, the same in every export; nil where it has no name.
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
    /// The day on which it was given, where the file says so.
    public var day: PartialDate?

    /// Nil when there is nothing in it.
    public init?(rating: Rating? = nil, comment: String? = nil, day: PartialDate? = nil) {
      guard rating != nil || comment != nil else { return nil }
      (self.rating, self.comment, self.day) = (rating, comment, day)
    }
  }

  /// One that is owned, and who has it just now.
  public struct CopyOwned: Sendable, Hashable {
    public var facts: Copy.Facts
    public var holder: Copy.Holder?

    public init(_ facts: Copy.Facts = Copy.Facts(), holder: Copy.Holder? = nil) {
      (self.facts, self.holder) = (facts, holder)
    }
  }

  /// A place on a list.
  public struct PilePlace: Sendable, Hashable {
    public var pile: String
    public var position: Int?

    public init(_ pile: String, position: Int? = nil) { (self.pile, self.position) = (pile, position) }
  }
}

extension Entry.Remark {
  public static let yetToCome = Entry.Remark("a day that is yet to come goes into the note")
  public static let endsBeforeStart = Entry.Remark("a beginning behind the end goes into the note")

  /// The end of a text was left out.
  /// - Parameter name: the text: `review`.
  public static func tooLong(_ name: String) -> Entry.Remark {
    Entry.Remark("the \(words: name) is longer than 10000 characters, and its end is left out")
  }
}

/// A line, or a part, of a file that is imported. An object, because it is handed from one to the other and has much in it: to copy
/// it would count the references of fifty texts.
public final class ImportRow: Sendable {
  /// Where it begins: the line, or the number of the part, counted from 1.
  public let line: Int
  /// The file of an archive that it stands in, where several are read.
  public let member: String?
  /// What the other program calls it, unique within its format and the same in every export: by it a row is known again.
  public let key: String
  /// The row in a few words, for a person: `Heat (1995)`.
  public let words: String
  public let content: Result<Entry, Rejection>

  public init(
    line: Int, member: String? = nil, key: String, words: String, content: Result<Entry, Rejection>
  ) {
    (self.line, self.member, self.key, self.words, self.content) = (line, member, key, words, content)
  }

  /// Why a row cannot be kept, in a person's words: `the title is missing`.
  public struct Rejection: WordedError, Hashable {
    public let words: Wording
    public init(_ words: Wording) { self.words = words }
  }
}

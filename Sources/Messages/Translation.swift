/// A language that a program speaks beside English: where its messages are.
public struct SpokenLanguage: Sendable {
  /// Two letters, `ko`.
  public let code: String
  private let pluralForm: @Sendable (Int) -> Int
  private let file: @Sendable () -> UnsafeRawBufferPointer

  /// A language.
  /// - Parameters:
  ///   - pluralForm: returns the index of the plural form for a number, as `Plural-Forms` in the file says.
  ///   - file: its messages as a PO file of gettext, read when the language is used.
  public init(
    _ code: String, pluralForm: @escaping @Sendable (Int) -> Int = { _ in 0 },
    file: @escaping @Sendable () -> UnsafeRawBufferPointer
  ) {
    (self.code, self.pluralForm, self.file) = (code, pluralForm, file)
  }

  /// Its messages.
  /// - Parameter onMissing: hears of every message that is asked for and is not there.
  public func translation(onMissing: (@Sendable (String) -> Void)? = nil) -> Translation {
    Translation(language: code, entries: MessageFile(file()).entries, pluralForm: pluralForm, onMissing: onMissing)
  }
}

/// The messages of one language, by their English words.
public final class Translation: Sendable {
  /// Two letters, `ko`.
  public let language: String
  /// The forms of each message, by its context and English words.
  private let entries: [String: [String]]
  private let pluralForm: @Sendable (Int) -> Int
  private let onMissing: (@Sendable (String) -> Void)?

  init(
    language: String, entries: [String: [String]], pluralForm: @escaping @Sendable (Int) -> Int,
    onMissing: (@Sendable (String) -> Void)? = nil
  ) {
    (self.language, self.entries, self.pluralForm, self.onMissing) = (language, entries, pluralForm, onMissing)
  }

  /// The English words, with their contexts before them, of all that it has.
  public var keys: some Collection<String> { entries.keys }

  func format(for key: String, context: String?, counting number: Int = 1) -> String? {
    if let forms = entries[context.map { MessageFile.key(key, context: $0) } ?? key] {
      let form = forms.count == 1 ? 0 : pluralForm(number)
      return forms.indices.contains(form) ? forms[form] : forms.first
    }
    // A message of arguments and signs alone needs no translation.
    if let onMissing, key.unicodeScalars.contains(where: \.properties.isAlphabetic) { onMissing(key) }
    return nil
  }
}

extension Translation? {
  /// The language, as pages name it: `en` where nothing is translated.
  public var language: String { self?.language ?? "en" }
}

extension Translation: Hashable {
  public static func == (a: Translation, b: Translation) -> Bool { a === b }
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// A PO file of gettext, the format of translation tools.
struct MessageFile {
  /// The forms of each message that is translated, by its context and English words.
  private(set) var entries: [String: [String]] = [:]

  /// The name of a message that has a context, as gettext makes it.
  static func key(_ words: String, context: String) -> String { "\(context)\u{4}\(words)" }

  init(_ bytes: UnsafeRawBufferPointer) {
    var entry = Entry()
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      switch line.first {
      case UInt8(ascii: "#"):
        // A tool's guess that was not reviewed.
        if line.starts(with: "#, ".utf8), String(decoding: line, as: UTF8.self).contains("fuzzy") {
          keep(&entry)
          entry.isFuzzy = true
        }
      case UInt8(ascii: "\""): entry.append(Self.text(line[...]))
      default:
        guard let blank = line.firstIndex(of: UInt8(ascii: " ")) else { continue }
        let word = String(decoding: line[..<blank], as: UTF8.self)
        if word == "msgctxt" || word == "msgid" && !entry.hasOnlyContext { keep(&entry) }
        entry.begin(word)
        entry.append(Self.text(line[blank...]))
      }
    }
    keep(&entry)
  }

  private mutating func keep(_ entry: inout Entry) {
    // A fuzzy mark comes before its entry.
    if entry.words.isEmpty && entry.forms.isEmpty && entry.context == nil { return }
    if !entry.words.isEmpty, !entry.isFuzzy, !entry.forms.isEmpty, entry.forms.allSatisfy({ !$0.isEmpty }) {
      entries[entry.context.map { Self.key(entry.words, context: $0) } ?? entry.words] = entry.forms
    }
    entry = Entry()
  }

  private struct Entry {
    enum Part { case context, words, plural, form }
    var context: String?
    var words = ""
    var forms: [String] = []
    var isFuzzy = false
    private var part = Part.words

    var hasOnlyContext: Bool { context != nil && words.isEmpty && forms.isEmpty }

    mutating func begin(_ word: String) {
      switch word {
      case "msgctxt": (part, context) = (.context, "")
      case "msgid": part = .words
      case "msgid_plural": part = .plural
      default:
        part = .form
        forms.append("")
      }
    }

    mutating func append(_ text: String) {
      switch part {
      case .context: context = (context ?? "") + text
      case .words: words += text
      case .plural: break
      case .form: if !forms.isEmpty { forms[forms.count - 1] += text }
      }
    }
  }

  /// The text between the quotes.
  private static func text(_ line: Slice<UnsafeRawBufferPointer>) -> String {
    guard let start = line.firstIndex(of: UInt8(ascii: "\"")), let end = line.lastIndex(of: UInt8(ascii: "\"")),
      start < end
    else { return "" }
    let quoted = line[start..<end].dropFirst()
    guard quoted.contains(UInt8(ascii: "\\")) else { return String(decoding: quoted, as: UTF8.self) }
    var bytes: [UInt8] = []
    var isEscaped = false
    for byte in quoted {
      switch (isEscaped, byte) {
      case (false, UInt8(ascii: "\\")):
        isEscaped = true
        continue
      case (true, UInt8(ascii: "n")): bytes.append(UInt8(ascii: "\n"))
      case (true, UInt8(ascii: "t")): bytes.append(UInt8(ascii: "\t"))
      default: bytes.append(byte)
      }
      isEscaped = false
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

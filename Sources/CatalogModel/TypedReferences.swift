/// The words of a command line that name items, results, copies or makers, each as typed.
///
/// A word with a blank in it was in quotes: it is a title by itself.
public struct TypedReferences: Sendable, Hashable, ExpressibleByArrayLiteral {
  public var words: [String]

  public init(words: [String] = []) { self.words = words }
  public init(arrayLiteral words: String...) { self.words = words }

  public var isEmpty: Bool { words.isEmpty }

  public var together: String { words.map(\.trimmingBlanks).joined(separator: " ") }

  /// The one reference that is printed as several words: `ISBN 978-89-364-3412-0`, `movie 6: Dune`.
  private var printed: Reference? {
    guard words.count > 1, let whole = try? Reference(together, sources: []) else { return nil }
    switch whole {
    case .item, .barcode: return whole
    // Ten digits may be five items.
    case .isbn: return words[0].hasPrefix("97") || Int(words.joined()) == nil ? whole : nil
    default: return nil
    }
  }

  public enum Part: Sendable, Hashable {
    /// Any reference except words.
    case reference(Reference)
    /// The words of one title, or of several titles of one word each.
    case title([String])

    /// The words of this part alone.
    public var typed: TypedReferences {
      switch self {
      case .reference(let reference): [reference.description]
      case .title(let words): TypedReferences(words: words)
      }
    }
  }

  /// The parts that the words stand for. A reference stands for itself, and so does a quoted title. The words between
  /// them form one part, with its numbers: `2001 a space odyssey`.
  /// - Parameter sources: the names that make `name:id` an external id.
  public func parts(sources: @autoclosure () -> [String]) throws(Reference.Problem) -> [Part] {
    if let printed { return [.reference(printed)] }
    var parts: [Part] = []
    var loose: [(word: String, reference: Reference)] = []
    func endTitle() {
      let isTitle = loose.contains { $0.reference.isWords }
      parts += isTitle ? [.title(loose.map(\.word))] : loose.map { .reference($0.reference) }
      loose = []
    }
    for word in words.map(\.trimmingBlanks) {
      let reference = try Reference(word, sources: sources())
      switch reference {
      case .item where word.utf8.allSatisfy { (48...57).contains($0) }: loose.append((word, reference))
      case .words where !word.contains(where: \.isWhitespace): loose.append((word, reference))
      case .words:
        // A kind before a quoted title belongs to it.
        let kind = loose.count == 1 && Kind(word: loose[0].word)?.isShelved == true ? [loose.removeLast().word] : []
        endTitle()
        parts.append(.title(kind + [word]))
      default:
        endTitle()
        parts.append(.reference(reference))
      }
    }
    endTitle()
    return parts
  }
}

extension Reference {
  /// Whether it is no reference but words of a title.
  public var isWords: Bool { if case .words = self { true } else { false } }
}

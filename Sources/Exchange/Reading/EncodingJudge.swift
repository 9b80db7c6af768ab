internal import CResources
internal import CatalogModel
internal import Glibc
internal import Processes

/// Judges by its letters in which encoding a text is that is not Unicode.
struct EncodingJudge {
  /// Whole lines with bytes beyond ASCII.
  private let sample: [UInt8]
  /// The number of such bytes.
  private let high: Int
  /// The bytes beyond ASCII that are examined, and all bytes.
  private static let (most, mostBytes) = (8_000, 64 << 10)

  init(of source: ByteSource) throws {
    var (sample, high): ([UInt8], Int) = ([], 0)
    var (line, ofLine): ([UInt8], Int) = ([], 0)
    func end() {
      if ofLine > 0, sample.count + line.count <= Self.mostBytes {
        sample += line
        high += ofLine
      }
      (line, ofLine) = ([], 0)
    }
    while high < Self.most, sample.count < Self.mostBytes / 2, case let piece = try source.next(), !piece.isEmpty {
      for byte in piece where high < Self.most {
        line.append(byte)
        if byte >= 0x80 { ofLine += 1 }
        if byte == 0x0A || byte == 0x0D || line.count >= Self.mostBytes / 4 { end() }
      }
    }
    end()
    (self.sample, self.high) = (sample, high)
  }

  /// The likeliest encoding; that of western Windows where `iconv` is missing.
  var best: TextEncoding {
    guard high > 0 else { return .windows1252 }
    var best: (encoding: TextEncoding, score: Double) = (.windows1252, -.infinity)
    for encoding in TextEncoding.all {
      guard let prior = encoding.prior else { continue }
      let levels = encoding.pairs.map { self.levels(of: $0) }
      // Pairs that would not win if each were common are not decoded.
      if let levels, prior + levels.score + levels.most <= best.score { continue }
      guard let bytes = encoding.text(of: sample) else { continue }
      let text = Array(String(decoding: bytes, as: UTF8.self).unicodeScalars)
      let likelihood = levels.map { $0.score + self.common(text, of: encoding) } ?? score(text, of: encoding)
      if prior + likelihood > best.score { best = (encoding, prior + likelihood) }
    }
    return best.encoding
  }

  /// The first line of the sample, as text of an encoding.
  func shown(in encoding: TextEncoding) -> String {
    let text = encoding.text(of: sample).map { String(decoding: $0, as: UTF8.self) } ?? ""
    let line = text.split(whereSeparator: \.isNewline).first { !$0.utf8.allSatisfy { $0 < 0x80 } } ?? ""
    return line.count > 60 ? line.prefix(59) + "…" : String(line)
  }

  // MARK: Letters

  /// The letters of a language beyond ASCII, with the logarithms of their frequency.
  private struct Language {
    var encodings: Set<Substring>
    var letters: [Unicode.Scalar: Double] = [:]
    /// The common characters of East Asia.
    var characters: Set<Unicode.Scalar> = []

    /// - Parameter parts: `pl	CP1250 ISO-8859-2	250 ł 150 ęą`
    init?(_ parts: [Substring]) {
      guard parts.count == 3 else { return nil }
      encodings = Set(parts[1].split(separator: " "))
      let words = parts[2].split(separator: " ")
      guard words.count > 1 else {
        characters = Set(parts[2].unicodeScalars)
        return
      }
      var (weight, sum) = (0.0, 0.0)
      for word in words {
        if let number = Double(word) {
          weight = number
          continue
        }
        for letter in word.unicodeScalars {
          letters[letter] = weight
          sum += weight
        }
      }
      letters = letters.mapValues { log($0 / sum) }
    }
  }

  private static let languages = catalog_encodings().rows.compactMap(Language.init)

  private static let signs = Set("“”‘’„‚–—…«»€™°·№§®©´¿¡•\u{A0}".unicodeScalars)
  /// The logarithm of the likelihood of what no language has.
  private static let (strange, control) = (-9.0, -12.0)

  /// The likelihood of a text of single bytes in the language that fits best.
  private func score(_ text: [Unicode.Scalar], of encoding: TextEncoding) -> Double {
    let letters = text.indices.filter { text[$0].value >= 0x80 }
    // Bytes that mean nothing are gone.
    var score = Self.control * Double(max(0, high - letters.count))
    var found: [(letter: Unicode.Scalar, isCapital: Bool)] = []
    for place in letters {
      let scalar = text[place]
      let before = place > 0 ? text[place - 1] : " "
      let behind = place + 1 < text.count ? text[place + 1] : " "
      func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar.properties.isAlphabetic }
      if scalar.value < 0xA0 {
        score += Self.control
      } else if !isLetter(scalar) || scalar == "ª" || scalar == "º" {
        score += Self.signs.contains(scalar) ? -4.5 : Self.strange
        if isLetter(before), isLetter(behind), scalar != "’", scalar != "·" { score -= 4 }
      } else {
        let isBesideASCII = [before, behind].contains { $0.isASCII && isLetter($0) }
        // Words of Latin letters mix with ASCII, and words of others do not.
        score += scalar.value < 0x250 ? (isBesideASCII ? -0.2 : -1.2) : (isBesideASCII ? -3.5 : -0.05)
        let isCapital = scalar.properties.isUppercase
        if isCapital, isLetter(before), before.properties.isLowercase { score -= 4 }
        let small = scalar.properties.lowercaseMapping.unicodeScalars
        found.append((isCapital && small.count == 1 ? small.first ?? scalar : scalar, isCapital && scalar != "İ"))
      }
    }
    let ofLanguages = Self.languages.filter { $0.encodings.contains(encoding.id[...]) }.map { language in
      found.reduce(0.0) { sum, letter in
        sum + (language.letters[letter.letter].map { log(letter.isCapital ? 0.07 : 0.92) + $0 } ?? Self.strange)
      }
    }
    return score + (ofLanguages.max() ?? Self.strange * Double(found.count))
  }

  /// The likelihood of a text of pairs by their levels, and what common characters can add at most.
  private func levels(of pairs: TextEncoding.Pairs) -> (score: Double, most: Double) {
    var (score, count, line) = (0.0, 0.0, 1)
    pairs.forEach(in: sample, line: &line) { likelihood, _ in
      score += likelihood ?? Self.strange - 5
      count += 1
    }
    return (score, count * (pairs.likelihoods.common - pairs.likelihoods.other))
  }

  /// The part of a text's likelihood that its common characters have.
  private func common(_ text: [Unicode.Scalar], of encoding: TextEncoding) -> Double {
    guard let (likely, other) = encoding.pairs?.likelihoods else { return 0 }
    let common = Self.languages.first { $0.encodings.contains(encoding.id[...]) }?.characters ?? []
    return Double(text.count { common.contains($0) }) * (likely - other)
  }
}

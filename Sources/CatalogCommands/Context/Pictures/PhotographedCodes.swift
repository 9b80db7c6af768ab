internal import CatalogModel
internal import CommandLineKit
internal import Lookup

/// The barcodes in a photograph, of one thing or of many. A single reading may have a wrong digit that fits its check
/// digit, so a code counts if it was read in the picture at two sizes.
struct PhotographedCodes: Hashable, Sendable {
  /// The codes that were read twice, in the order in which they were found.
  private(set) var sure: [Code] = []
  /// The codes that were read once.
  private(set) var doubtful: [Code] = []

  /// The most bytes of a photograph, and its most pixels: a telephone makes some 50 million.
  static let (mostBytes, mostPixels) = (16 << 20, 1 << 26)
  /// The longer side at which a picture is read at most. A smaller one takes less time.
  private static let mostSide = 3_200
  /// The sizes at which a picture is read, in hundredths.
  private static let sizes = [100, 80, 62, 45, 30]

  /// - Parameters:
  ///   - name: the file of the picture, or what else it is called.
  ///   - path: the value of `PATH` along which programs are looked for.
  /// - Throws: ``Failure``, ``ZBar/Failure``, ``Interrupted``.
  init(in bytes: [UInt8], named name: Message, along path: String?) throws {
    guard let info = ImageInfo(bytes) else { throw Failure(noPicture: name) }
    let scaler = PictureScaler(along: path)
    guard info.width <= 1 << 16, info.height <= 1 << 16, info.width * info.height <= Self.mostPixels,
      info.isDrawable || scaler != nil
    else {
      throw Failure(
        "\(name) has too many pixels", hint: "make it smaller: vipsthumbnail FILE --size 3000", status: .misused)
    }
    let (zbar, side) = (ZBar(along: path), min(max(info.width, info.height), Self.mostSide))
    var times: [(code: Code, count: Int)] = []
    for (number, size) in Self.sizes.enumerated() {
      var (picture, mediaType, density) = (bytes, info.mediaType, 1)
      if number > 0 || !info.isDrawable || max(info.width, info.height) > Self.mostSide, let scaler {
        let length = max(1, side * size / 100)
        guard let scaled = try scaler.scaled(bytes, mediaType: mediaType, width: length, height: length) else {
          continue
        }
        (picture, mediaType) = (scaled, "image/jpeg")
      } else {
        // No program makes it smaller: fewer lines are looked at.
        density = number + 1
      }
      for code in try Self.codes(in: picture, mediaType, density, zbar) {
        if let place = times.firstIndex(where: { $0.code == code }) {
          times[place].count += 1
        } else {
          times.append((code, 1))
        }
      }
      if number > 0, !times.isEmpty, times.allSatisfy({ $0.count > 1 }) { break }
    }
    sure = times.filter { $0.count > 1 }.map(\.code)
    doubtful = times.filter { $0.count == 1 }.map(\.code)
  }

  /// The codes with a right check digit, each once.
  private static func codes(in picture: [UInt8], _ mediaType: String, _ density: Int, _ zbar: ZBar) throws -> [Code] {
    let codes = try zbar.codes(in: picture, mediaType: mediaType, density: density).compactMap { digits -> Code? in
      if let isbn = try? ISBN(digits) { return .isbn(isbn) }
      return (try? Barcode(digits)).map { .barcode($0) }
    }
    return codes.withoutRepeats(by: \.self)
  }
}

extension Context {
  /// The bytes of a picture that a person has, and its name for messages.
  /// - Parameter file: its path; `-` is standard input.
  func picture(_ file: String, atMost most: Int) throws -> (bytes: [UInt8], name: Message) {
    let isInput = file == "-"
    guard let bytes = try isInput ? readBytes(most + 1) : AtomicFile.read(file, atMost: most + 1) else {
      throw Failure("there is no file \(file.quoted)")
    }
    let name: Message = isInput ? "what came from standard input" : Message(verbatim: file.quoted)
    guard bytes.count <= most else {
      throw Failure(
        "\(name) is larger than \(most.size)", hint: "make it smaller: vipsthumbnail FILE --size 1200",
        status: .misused)
    }
    return (bytes, name)
  }
}

extension Failure {
  /// - Parameter name: the file that is no picture, or what else it is called.
  init(noPicture name: Message) {
    self.init("\(name) is not a picture", hint: "use JPEG, PNG, WebP or GIF", status: .misused)
  }

  /// A picture in which no code was read.
  init(noCodesIn name: Message) {
    self.init(
      "no barcode could be read in \(name)",
      hint: "take it nearer and sharp, or type the digits: catalog add --isbn 9780140328721")
  }
}

extension Code {
  /// The option of `add` for the code.
  var option: String {
    switch self {
    case .isbn(let isbn): "--isbn \(isbn)"
    case .barcode(let barcode): "--barcode \(barcode)"
    }
  }
}

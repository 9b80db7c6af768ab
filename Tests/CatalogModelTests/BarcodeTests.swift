import CatalogModel
import Testing

struct BarcodeTests {
  @Test(arguments: [
    ("4006381333931", "4006381333931"), ("0 74646 49352 6", "074646493526"), ("036000291452", "036000291452"),
    ("0-36000-29145-2", "036000291452"), ("96385074", "96385074"), ("10012345678902", "10012345678902"),
  ])
  func `a barcode is read as digits with a check digit`(_ text: String, _ digits: String) throws {
    #expect(try Barcode(text).digits == digits)
  }

  @Test(arguments: [
    "0‐74646‐49352‐6", "0\u{A0}74646\u{A0}49352\u{A0}6", "UPC: 074646493526", "UPC-A 0 74646 49352 6", "０７４６４６４９３５２６",
    "UPC 12: 074646493526", "barcode:074646493526",
  ])
  func `a barcode pasted from a page is read`(_ text: String) throws {
    #expect(try Barcode(text).digits == "074646493526")
  }

  @Test(arguments: ["727361379704", "0727361379704", "00727361379704", "EAN-13: 0 727361 379704"])
  func `a UPC, its EAN and its GTIN are one number`(_ text: String) throws {
    let barcode = try Barcode(text)
    #expect(try barcode == Barcode("727361379704"))
    #expect(try Set([barcode, Barcode("727361379704")]).count == 1)
    #expect(barcode.canonical == "727361379704")
    #expect(Barcode.forms(of: text).contains("727361379704"))
    #expect(Barcode.forms(of: text).contains("0727361379704"))
    #expect(Barcode.forms(of: text).contains("00727361379704"))
    #expect(Barcode.forms(of: text).first == text)
  }

  @Test func `different barcodes are not equal`() throws {
    #expect(try Barcode("727361379704") != Barcode("4006381333931"))
    #expect(Barcode.forms(of: "4006381333931") == ["4006381333931", "04006381333931"])
  }

  @Test(arguments: [
    ("727361379704", ["727361379704", "0727361379704"]), ("0727361379704", ["0727361379704", "727361379704"]),
    ("00727361379704", ["727361379704", "0727361379704"]), ("074646493526", ["074646493526", "0074646493526"]),
    ("4006381333931", ["4006381333931"]), ("96385074", ["96385074"]), ("10012345678902", ["10012345678902"]),
  ])
  func `a barcode is printed as UPC and as EAN`(_ text: String, _ printed: [String]) throws {
    #expect(try Barcode(text).printed == printed)
  }

  @Test func `a barcode of zeros has one form`() throws {
    #expect(try Barcode("00000000").canonical.isEmpty)
    #expect(Barcode.forms(of: "00000000") == ["00000000"])
    #expect(try Barcode("000000000000").printed.first == "000000000000")
  }

  @Test(arguments: ["", "abc", "1234567", "036000291453", "٠٣٦٠٠٠٢٩١٤٥٢", "036000291452\u{0}", "CL 1355"])
  func `an invalid barcode is explained`(_ text: String) {
    let problem = #expect(throws: Barcode.Problem.self) { try Barcode(text) }
    #expect(problem?.description.hasPrefix("'\(text)'") ?? false)
  }
}

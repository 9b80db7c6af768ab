import CatalogModel
import Testing

struct BarcodeTests {
  @Test(arguments: [
    ("4006381333931", "4006381333931"), ("0 74646 49352 6", "074646493526"), ("036000291452", "036000291452"),
    ("0-36000-29145-2", "036000291452"), ("96385074", "96385074"), ("10012345678902", "10012345678902"),
  ])
  func `a barcode is digits with a check`(_ text: String, _ digits: String) throws {
    #expect(try Barcode(text).digits == digits)
  }

  @Test(arguments: ["", "abc", "1234567", "036000291453", "٠٣٦٠٠٠٢٩١٤٥٢", "036000291452\u{0}", "CL 1355"])
  func `what is no barcode is explained`(_ text: String) {
    let problem = #expect(throws: Barcode.Problem.self) { try Barcode(text) }
    #expect(problem?.description.hasPrefix("'\(text)'") ?? false)
  }
}

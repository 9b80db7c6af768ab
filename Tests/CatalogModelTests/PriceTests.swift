import CatalogModel
import Testing

struct PriceTests {
  struct Case: CustomTestStringConvertible {
    var units: Int
    var currency: String
    var languages: [String]
    var text: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    Case(units: 14_000, currency: "KRW", languages: ["ko", "en", "ja", "zh", "c", "", "xx"], text: "₩14,000"),
    Case(units: 0, currency: "KRW", languages: ["ko"], text: "₩0"),
    Case(units: 999, currency: "USD", languages: ["en"], text: "$9.99"),
    Case(units: 5, currency: "USD", languages: ["en"], text: "$0.05"),
    Case(units: -1250, currency: "USD", languages: ["en"], text: "-$12.50"),
    Case(units: 123_456_789, currency: "GBP", languages: ["en", "ko"], text: "£1,234,567.89"),
    Case(units: 1200, currency: "JPY", languages: ["ja", "en"], text: "¥1,200"),
    Case(units: 1250, currency: "CHF", languages: ["en"], text: "CHF\u{A0}12.50"),
    Case(units: 14_000, currency: "KRW", languages: ["de", "it", "es"], text: "14.000\u{A0}₩"),
    Case(units: 123_450, currency: "EUR", languages: ["de", "it"], text: "1.234,50\u{A0}€"),
    Case(units: 123_450, currency: "EUR", languages: ["es"], text: "1234,50\u{A0}€"),
    Case(units: 123_450, currency: "EUR", languages: ["fr"], text: "1\u{202F}234,50\u{A0}€"),
    Case(units: 123_450, currency: "EUR", languages: ["nl"], text: "€\u{A0}1.234,50"),
    Case(units: 1250, currency: "CHF", languages: ["de"], text: "12,50\u{A0}CHF"),
    Case(units: .min, currency: "KRW", languages: ["en"], text: "-₩9,223,372,036,854,775,808"),
  ])
  func `a price is formatted for the language`(price: Case) {
    for language in price.languages {
      #expect(Price(minorUnits: price.units, currency: price.currency).text(in: language) == price.text, "\(language)")
    }
  }

  @Test func `the cost of a book is its sale price, and of other items the shop price`() {
    var book = Record(kind: .book, title: "소년이 온다")
    #expect(book.cost == nil)
    book.book.price = Price(minorUnits: 15_000, currency: "KRW")
    #expect(book.cost == book.book.price)
    book.book.salePrice = Price(minorUnits: 13_500, currency: "KRW")
    #expect(book.cost == book.book.salePrice)
    var app = Record(kind: .app, title: "x")
    app.offer = Offer()
    app.offer?.price = Price(minorUnits: 0, currency: "USD")
    #expect(app.cost?.minorUnits == 0)
  }
}

struct TypedPriceTests {
  @Test(arguments: [
    ("25000 KRW", 25_000, "KRW"), ("KRW 25000", 25_000, "KRW"), ("20000krw", 20_000, "KRW"), ("₩25,000", 25_000, "KRW"),
    ("12.50 EUR", 1250, "EUR"), ("12,50 €", 1250, "EUR"), ("€12.5", 1250, "EUR"), ("1.234,50 €", 123_450, "EUR"),
    ("$1,234.50", 123_450, "USD"), ("1,234,567 JPY", 1_234_567, "JPY"), ("0 USD", 0, "USD"), ("45 CHF", 4500, "CHF"),
    ("1,234 USD", 123_400, "USD"), ("25,000원", 25_000, "KRW"), ("12000 원", 12_000, "KRW"), ("￦12,000", 12_000, "KRW"),
    ("1만2천원", 12_000, "KRW"), ("3만원", 30_000, "KRW"), ("2만5000원", 25_000, "KRW"), ("천원", 1_000, "KRW"),
    ("1500円", 1500, "JPY"), ("1.234 KWD", 1_234, "KWD"), ("1.5 KWD", 1_500, "KWD"),
    ("1,234,567 KWD", 1_234_567_000, "KWD"),
    ("2.5 TND", 2_500, "TND"), ("5000 XPF", 5_000, "XPF"),
    ("1만2,500원", 12_500, "KRW"), ("1.5만원", 15_000, "KRW"), ("₩12,000원", 12_000, "KRW"),
    ("1'234.50 CHF", 123_450, "CHF"), ("1’234.50 Fr.", 123_450, "CHF"), ("12 Euro", 1200, "EUR"),
    ("5 EURO", 500, "EUR"),
    ("5 dollars", 500, "USD"), ("US$12", 1200, "USD"), ("US$ 12.50", 1250, "USD"), ("NT$300", 30_000, "TWD"),
    ("R$ 12,50", 1250, "BRL"), ("12,–€", 1200, "EUR"), ("12,- €", 1200, "EUR"), ("20 zł", 2000, "PLN"),
    ("19,99 zł", 1999, "PLN"), ("249 Kč", 24_900, "CZK"), ("20 руб.", 2000, "RUB"), ("₽20", 2000, "RUB"),
    ("20 TL", 2000, "TRY"), ("20 ₺", 2000, "TRY"), ("39.80元", 3980, "CNY"), ("1万2千円", 12_000, "JPY"),
    ("1,200円", 1200, "JPY"), ("12\u{202F}000 €", 1_200_000, "EUR"), ("1\u{A0}234,50 €", 123_450, "EUR"),
    ("0,99 €", 99, "EUR"), ("0.990 KWD", 990, "KWD"), ("12.00 KRW", 12, "KRW"), ("12.500 €", 1_250_000, "EUR"),
  ])
  func `a price is read in its usual spellings`(text: String, units: Int, currency: String) throws {
    #expect(try Price(typed: text) == Price(minorUnits: units, currency: currency))
  }

  @Test func `an amount without a currency uses the given one`() throws {
    #expect(try Price(typed: "25000", currency: "KRW") == Price(minorUnits: 25_000, currency: "KRW"))
    let problem = #expect(throws: Price.Problem.self) { try Price(typed: "25000") }
    #expect(problem?.description == "'25000' has no currency: write 25000 KRW or 12.50 EUR")
    #expect(problem?.lacksCurrency == true)
  }

  @Test(arguments: [
    "", "EUR", "-5 EUR", "1.2.3 EUR", "1,23,456 USD", "1.234.5,6 EUR", "12.50 KRW", "12.505 €€", "5 E",
    "0.999 EUR", "0,999 €", "5 kr", "12 € 5", "$5 EUR", "12 50 EUR", "1234.567 EUR",
    "5 1 x EUR 2", "만원만", "2천3만원", "1만원 USD", "1.2345 KWD",
    "1234567890123 EUR", "5..", ".5 EUR", "12.", "५ EUR", "5 EUR EUR",
  ])
  func `an invalid price is rejected`(text: String) {
    #expect(throws: Price.Problem.self) { try Price(typed: text) }
  }

  @Test func `what is printed is read`() throws {
    for currency in ["KRW", "USD", "EUR", "GBP", "JPY", "CHF", "PLN", "KWD", "CNY"] {
      for units in [0, 5, 999, 1_000, 12_345, 1_234_567] {
        let price = Price(minorUnits: units, currency: currency)
        let texts = [price.description] + ["en", "ko", "de", "fr", "es", "it", "nl", "ja"].map(price.text(in:))
        for text in texts { #expect(try Price(typed: text) == price, "\(text)") }
      }
    }
  }
}

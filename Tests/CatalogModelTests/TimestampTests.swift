import CatalogModel
import FoundationEssentials
import Testing

struct TimestampTests {
  @Test(arguments: [0.0, 951_782_400, 1_795_253_400, 1_709_164_799.9, 4_102_444_800])
  func `a timestamp is written as ISO 8601 and read again`(_ seconds: Double) {
    let date = Date(timeIntervalSince1970: seconds)
    let timestamp = Timestamp(date)
    #expect(timestamp.rawValue == Date(timeIntervalSince1970: seconds.rounded(.down)).formatted(.iso8601))
    #expect(timestamp.date == Date(timeIntervalSince1970: seconds.rounded(.down)))
  }
}

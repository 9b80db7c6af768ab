internal import FoundationEssentials

extension Date {
  /// Reads `Sun, 06 Nov 1994 08:49:37 GMT`, the one form that is still sent.
  /// <https://www.rfc-editor.org/rfc/rfc9110#http.date>
  init?(http text: String) {
    let parts = text.split(separator: " ")
    let months: [Substring] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    guard parts.count == 6, parts[5] == "GMT", parts[1].utf8.count == 2, parts[3].utf8.count == 4,
      parts[4].utf8.count == 8, let index = months.firstIndex(of: parts[2])
    else { return nil }
    let month = index < 9 ? "0\(index + 1)" : "\(index + 1)"
    guard let date = try? Date("\(parts[3])-\(month)-\(parts[1])T\(parts[4])Z", strategy: .iso8601) else { return nil }
    self = date
  }
}

import CatalogModel
import CatalogStore
import Glibc
import SQLite

/// The durations of many searches, in milliseconds.
struct Percentiles {
  var count: Int
  var p50, p95, p99: Double

  init(_ times: [Double]) {
    let sorted = times.sorted()
    count = sorted.count
    func at(_ part: Double) -> Double {
      sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, Int(part * Double(sorted.count)))]
    }
    (p50, p95, p99) = (at(0.5), at(0.95), at(0.99))
  }
}

/// Types the titles of items key by key, with a search after each key.
///
/// Hangul is typed as an input method shows it, with the initial consonant of each syllable first.
func searchAsYouType(in path: String, hangul: Bool) throws -> Percentiles {
  let store = try Store.open(at: path, for: .reading)
  let last = try store.db.value("SELECT max(id) FROM item", as: Int.self) ?? 0
  var titles: [String] = []
  var random = Random(state: 7)
  while titles.count < min(80, last / 20) {
    let id = 1 + random.below(last)
    guard let title = try store.db.value("SELECT title FROM item WHERE id = \(id)", as: String.self),
      title.unicodeScalars.contains(where: { (0xAC00...0xD7A3).contains($0.value) }) == hangul
    else { continue }
    titles.append(title)
  }
  var times: [Double] = []
  for title in titles {
    var typed = ""
    for scalar in title.unicodeScalars {
      var keys = [typed + String(scalar)]
      if (0xAC00...0xD7A3).contains(scalar.value) { keys.insert(typed + initial(of: scalar), at: 0) }
      for key in keys {
        let start = now()
        _ = try store.search(key)
        times.append(now() - start)
      }
      typed = keys[keys.count - 1]
    }
  }
  return Percentiles(times)
}

private func initial(of syllable: Unicode.Scalar) -> String {
  let consonants = Array("ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ".unicodeScalars)
  return String(consonants[Int((syllable.value - 0xAC00) / 588)])
}

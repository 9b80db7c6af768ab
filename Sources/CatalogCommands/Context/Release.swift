/// What this program is, for those who ask.
enum Release {
  static let version = "0.1.0"
  /// Where sources can read who asks them.
  static let homepage = "https://catalog.example"
}

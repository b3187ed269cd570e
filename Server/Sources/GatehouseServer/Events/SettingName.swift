/// Which setting an event is about.
struct SettingName {
  enum Change: String {
    case saved, deleted
  }

  let what: String
  let name: String

  init(_ what: String, _ name: String) {
    self.what = what
    self.name = name
  }

  /// Contains only the first ten characters of the key.
  static func apiKey(_ text: String) -> SettingName {
    SettingName("API key", text.prefix(10) + "…")
  }

  func details(_ change: Change) -> [String: String] {
    ["what": what, "name": name, "change": change.rawValue]
  }
}

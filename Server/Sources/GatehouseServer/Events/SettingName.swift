import GatehouseProtocol

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

extension Transaction {
  /// Tells other processes that a setting changed, and records the event. Every function that
  /// changes a setting calls this one. `SettingEventTests` lists the tables with settings.
  ///
  /// - Parameter details: More than the setting's name and the change.
  func recordSetting(
    _ setting: SettingName, _ change: SettingName.Change = .saved,
    details: [String: String] = [:], in project: ProjectID?
  ) throws {
    try connection.run(ServerSQL.countChange)
    try record(
      .settingChanged, of: nil, details: details.merging(setting.details(change)) { $1 },
      in: project,
      now: EventOrigin.current.clock())
  }
}

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
  /// Changes a stored setting, tells other processes, and records what is different afterwards. Every function
  /// that writes a setting calls this one. `SettingEventTests` lists the tables with settings.
  ///
  /// There is no event if nothing is different, as when a secret was only encrypted again.
  ///
  /// - Parameters:
  ///   - standard: What a setting that is new or was deleted is compared with. Nil: with nothing.
  ///   - details: More than the difference.
  ///   - read: Returns the setting; nil if there is none. Called before and after the change.
  func changeSetting<Setting, Value>(
    _ setting: SettingName, in project: ProjectID?, comparedWith standard: Setting? = nil,
    details: [String: String] = [:], reading read: () throws -> Setting?,
    _ change: () throws -> Value
  ) throws -> Value {
    let before = try Self.state(read)
    let value = try change()
    let after = try Self.state(read)
    guard before.exists || after.exists else { return value }
    let difference = SettingDifference(
      from: before.setting, to: after.setting, standard: standard)
    let all = details.merging(difference.details) { $1 }
    if all.isEmpty, before.setting != nil, after.setting != nil {
      try connection.run(ServerSQL.countChange)
    } else {
      try recordSetting(setting, after.exists ? .saved : .deleted, details: all, in: project)
    }
    return value
  }

  /// A setting that can't be read can be replaced and deleted nevertheless.
  private static func state<Setting>(
    _ read: () throws -> Setting?
  ) throws -> (exists: Bool, setting: Setting?) {
    do {
      let setting = try read()
      return (setting != nil, setting)
    } catch StoreError.damaged {
      return (true, nil)
    }
  }

  /// Tells other processes that a setting changed, and records the event.
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

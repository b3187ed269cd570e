import Foundation
import GatehouseProtocol
import GatehouseServer

/// The values of settings. Flags override `--set`, which overrides the environment, which overrides
/// the file that `--config` names.
struct SettingSources {
  /// A value and, for error messages, where it was given.
  struct Value {
    let text: String
    let origin: String
  }

  private var values: [String: Value] = [:]
  /// Those of the source that is being read.
  private var given: [String: Value] = [:]

  /// - Parameters:
  ///   - flags: Values of a command's own flags by setting key.
  ///   - assignments: `key=value` of `--set`.
  ///   - faults: Everything that can't be parsed is added here.
  init(
    flags: [String: String], assignments: [String], environment: [String: String],
    file: String?, faults: inout [String]
  ) {
    if let file = file ?? environment["GATEHOUSE_CONFIG"] { read(file, faults: &faults) }
    endSource()
    for setting in Settings.all {
      if let text = environment[setting.environmentName] {
        given[setting.key] = Value(text: text, origin: setting.environmentName)
      }
      if let key = setting.fileKey, let name = setting.fileEnvironmentName,
        let path = environment[name]
      {
        given[key] = Value(text: path, origin: name)
      }
    }
    endSource()
    for assignment in assignments {
      let parts = assignment.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard parts.count == 2 else {
        faults.append("--set \(assignment): write it as key=value")
        continue
      }
      set(String(parts[0]), to: String(parts[1]), origin: "--set \(parts[0])", faults: &faults)
    }
    endSource()
    for setting in Settings.all {
      if let text = flags[setting.key] {
        given[setting.key] = Value(text: text, origin: setting.flag)
      }
    }
    endSource()
  }

  /// A secret that a source gives overrides the file with it that an earlier one gives, and the other way
  /// round.
  private mutating func endSource() {
    for setting in Settings.all {
      guard let fileKey = setting.fileKey, given[setting.key] != nil || given[fileKey] != nil else {
        continue
      }
      values[setting.key] = nil
      values[fileKey] = nil
    }
    values.merge(given) { $1 }
    given = [:]
  }

  subscript(_ setting: any DescribedSetting) -> Value? { values[setting.key] }

  /// The path of the file that contains a secret.
  func file(of setting: any DescribedSetting) -> Value? { setting.fileKey.flatMap { values[$0] } }

  private mutating func set(
    _ key: String, to text: String, origin: String, faults: inout [String]
  ) {
    guard Settings.all.contains(where: { $0.key == key || $0.fileKey == key }) else {
      let known = Settings.all.map(\.key)
      let near = Suggestion.nearest(to: key, among: known)
      faults.append(
        "\(origin): there is no such setting; "
          + (near.map { "did you mean \($0)?" }
            ?? "the settings are \(known.joined(separator: ", "))"))
      return
    }
    given[key] = Value(text: text, origin: origin)
  }

  private mutating func read(_ path: String, faults: inout [String]) {
    guard let data = try? Data(contentsOf: URL(fileURLWithPath: path)) else {
      faults.append("--config \(path): can't be read; does it exist, and may this user read it?")
      return
    }
    do {
      let object = try JSONObject(parsing: Array(data))
      flatten(object, prefix: "", path: path, faults: &faults)
    } catch {
      faults.append("--config \(path): not a JSON object: \(error)")
    }
  }

  private mutating func flatten(
    _ object: JSONObject, prefix: String, path: String, faults: inout [String]
  ) {
    for member in object.members {
      let key = prefix + member.name
      let origin = "\(path): \(key)"
      switch member.value {
      case .object(let inner):
        flatten(inner, prefix: key + ".", path: path, faults: &faults)
      case .string(let text): set(key, to: text, origin: origin, faults: &faults)
      case .number(let number): set(key, to: number.text, origin: origin, faults: &faults)
      case .bool(let flag): set(key, to: String(flag), origin: origin, faults: &faults)
      case .array(let elements):
        let texts = elements.compactMap(\.string)
        if texts.count == elements.count {
          set(key, to: texts.joined(separator: ","), origin: origin, faults: &faults)
        } else {
          faults.append("\(origin): write it as a list of strings")
        }
      case .null: break
      }
    }
  }
}

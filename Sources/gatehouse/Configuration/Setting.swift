import ArgumentParser

/// A server-wide setting: its key, what it takes, and what holds without it. ``Settings`` has all.
struct Setting<Value: Sendable>: Sendable {
  let key: String
  /// What a value looks like, with its unit.
  let form: String
  let meaning: String
  /// What holds where nothing is given.
  let standard: Value
  /// What holds in `--dev` instead; nil where that is the same.
  let developmentStandard: Value?
  /// What holds, as operators are told; nil where nothing does.
  let standardText: String?
  /// Whether its value is shown to nobody.
  let isSecret: Bool
  /// The value of what was given.
  let value: @Sendable (Given) throws(SettingFault) -> Value

  /// A value as it was given.
  struct Given: Sendable {
    let text: String
    /// Whether the server is one of `--dev`, which is told a few things more.
    let isDevelopment: Bool
  }

  init(
    _ key: String, _ form: String, _ meaning: String, standard: Value,
    inDevelopment developmentStandard: Value? = nil, shown standardText: String? = nil,
    isSecret: Bool = false, value: @escaping @Sendable (Given) throws(SettingFault) -> Value
  ) {
    self.key = key
    self.form = form
    self.meaning = meaning
    self.standard = standard
    self.developmentStandard = developmentStandard
    self.standardText = standardText
    self.isSecret = isSecret
    self.value = value
  }

  func standard(isDevelopment: Bool) -> Value {
    isDevelopment ? developmentStandard ?? standard : standard
  }
}

/// What is wrong with a value: each text follows where the value was given.
struct SettingFault: Error, Hashable {
  let texts: [String]

  init(_ texts: String...) { self.texts = texts }
  init(_ texts: [String]) { self.texts = texts }
}

/// A setting whatever its values are: its names, and what operators read about it.
protocol DescribedSetting: Sendable {
  var key: String { get }
  var form: String { get }
  var meaning: String { get }
  var standardText: String? { get }
  var isSecret: Bool { get }
}

extension Setting: DescribedSetting {}

extension DescribedSetting {
  /// What it means, and what holds without it.
  var explanation: String { [meaning, standardText].compactMap(\.self).joined(separator: "; ") }

  /// The help of its flag.
  var help: ArgumentHelp {
    ArgumentHelp(
      "\(meaning)\(standardText.map { "; \($0) without it" } ?? "") (\(form); or \(environmentName))"
    )
  }

  /// `publicURL` → `--public-url`, `tls.key` → `--tls-key`.
  var flag: String {
    "--"
      + key.replacing("URL", with: "Url").replacing(".", with: "-").reduce(into: "") {
        name, character in
        if character.isUppercase { name.append("-") }
        name.append(contentsOf: character.lowercased())
      }
  }

  /// `providers.apple.baseURL` → `GATEHOUSE_PROVIDERS_APPLE_BASE_URL`.
  var environmentName: String {
    var name = "GATEHOUSE_"
    var previousIsLowercase = false
    for character in key {
      if character == "." {
        name.append("_")
      } else {
        if previousIsLowercase && character.isUppercase { name.append("_") }
        name.append(contentsOf: character.uppercased())
      }
      previousIsLowercase = character.isLowercase
    }
    return name
  }
}

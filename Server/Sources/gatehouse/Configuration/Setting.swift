import ArgumentParser

/// A server-wide setting: its key, its values and its default. ``Settings`` has all of them.
struct Setting<Value: Sendable>: Sendable {
  let key: String
  /// How a value is written, with its unit.
  let form: String
  /// Does not name the default.
  let meaning: String
  /// The default.
  let standard: Value
  /// The default in `--dev`; nil if it is the same.
  let developmentStandard: Value?
  /// The default as operators read it; nil if there is none.
  let standardText: String?
  /// Whether the value must not be shown.
  let isSecret: Bool
  /// Parses a given value.
  let value: @Sendable (Given) throws(SettingFault) -> Value

  /// A value as the operator gave it.
  struct Given: Sendable {
    let text: String
    /// Whether the server runs with `--dev`, which allows some more values.
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

/// What is wrong with a value. Each text is shown after the place where the value was given.
struct SettingFault: Error, Hashable {
  let texts: [String]

  init(_ texts: String...) { self.texts = texts }
  init(_ texts: [String]) { self.texts = texts }
}

/// A setting with values of any type: its names, and what operators read about it.
protocol DescribedSetting: Sendable {
  var key: String { get }
  var form: String { get }
  var meaning: String { get }
  var standardText: String? { get }
  var isSecret: Bool { get }
}

extension Setting: DescribedSetting {}

extension DescribedSetting {
  /// The name by which a file is given that contains the secret; nil for other settings.
  ///
  /// The master key's file is a setting of its own: a rotation writes it.
  var fileKey: String? {
    isSecret && key != Settings.masterKey.key ? key + "File" : nil
  }

  var fileEnvironmentName: String? { fileKey.map { _ in environmentName + "_FILE" } }

  /// The default in lists of settings.
  var listedStandard: String { standardText ?? "none" }

  /// The help of its flag, in sentences like those of the other options.
  var help: ArgumentHelp {
    let sentence = "\(meaning.prefix(1).uppercased())\(meaning.dropFirst())"
    let standard = standardText.map { " Default: \($0)." } ?? ""
    return ArgumentHelp("\(sentence) (\(form)).\(standard) Also \(environmentName).")
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

  /// `providers.baseURL` → `GATEHOUSE_PROVIDERS_BASE_URL`.
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

import Foundation
import GatehouseProtocol

/// Settings of the common types.
extension Setting where Value == Int {
  static func integer(
    _ key: String, in range: ClosedRange<Int>, _ meaning: String, standard: Int,
    inDevelopment developmentStandard: Int? = nil, shown standardText: String? = nil
  ) -> Setting {
    Setting(
      key, range.shown, meaning, standard: standard, inDevelopment: developmentStandard,
      shown: standardText ?? developmentStandard.map { "\(standard), in --dev \($0)" }
        ?? "\(standard)"
    ) { given throws(SettingFault) in try range.value(given.text) }
  }
}

extension Setting where Value == Int? {
  static func integer(
    _ key: String, in range: ClosedRange<Int>, _ meaning: String,
    shown standardText: String? = nil
  ) -> Setting {
    Setting(key, range.shown, meaning, standard: nil, shown: standardText) {
      given throws(SettingFault) in try range.value(given.text)
    }
  }
}

extension Setting where Value == String {
  static func text(
    _ key: String, _ form: String, _ meaning: String, standard: String,
    shown standardText: String? = nil
  ) -> Setting {
    Setting(key, form, meaning, standard: standard, shown: standardText ?? standard) {
      given throws(SettingFault) in
      guard !given.text.isEmpty else { throw SettingFault("the value is empty") }
      return given.text
    }
  }
}

extension Setting where Value == String? {
  /// The path of a file. It is checked where the file is used.
  static func path(_ key: String, _ meaning: String, form: String = "file") -> Setting {
    Setting(key, form, meaning, standard: nil) { $0.text }
  }
}

extension Setting where Value == [String] {
  static func names(_ key: String, _ meaning: String) -> Setting {
    Setting(key, "names, comma-separated", meaning, standard: []) { $0.elements }
  }
}

extension Setting.Given {
  /// The texts between commas, without the spaces around them and without empty texts.
  var elements: [String] {
    text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
      .filter { !$0.isEmpty }
  }
}

extension ClosedRange<Int> {
  fileprivate var shown: String { "\(lowerBound)…\(upperBound)" }

  fileprivate func value(_ text: String) throws(SettingFault) -> Int {
    guard let number = Int(text), contains(number) else {
      throw SettingFault("“\(text)” is not a whole number from \(lowerBound) to \(upperBound)")
    }
    return number
  }
}

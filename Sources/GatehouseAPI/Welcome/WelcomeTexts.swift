import GatehouseJSON

/// What the welcome page says in one language: a JSON object of texts by name.
///
/// English stands in for a text that another language lacks; a test wants none lacking.
struct WelcomeTexts: Sendable {
  let all: JSONObject

  private static let english = read(PackageResources.texts_en_json)
  private static let german = read(PackageResources.texts_de_json)
  private static let vietnamese = read(PackageResources.texts_vi_json)

  init(_ language: PageLanguage) {
    var all = Self.english
    let own =
      switch language {
      case .english: Self.english
      case .german: Self.german
      case .vietnamese: Self.vietnamese
      }
    for member in own.members { all[member.name] = member.value }
    self.all = all
  }

  subscript(name: String) -> String { all[name]?.string ?? name }

  private static func read(_ bytes: [UInt8]) -> JSONObject {
    // What can't be read is empty, and the page shows the texts' names.
    (try? JSONObject(parsing: bytes)) ?? JSONObject()
  }
}

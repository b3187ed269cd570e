import GatehouseProtocol

/// The texts of the welcome page in one language: a JSON object of texts by name.
///
/// An English text replaces one that is missing in another language; a test requires that none is
/// missing.
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
    // Unreadable texts become empty, and the page shows the names of the texts.
    (try? JSONObject(parsing: bytes)) ?? JSONObject()
  }
}

import GatehouseClient
import Testing

@Suite struct ConsentTextTests {
  @Test(arguments: TextLanguage.allCases)
  func `what is joined is listed, one item per line`(language: TextLanguage) {
    let joins = [
      "apple.com", "google.com", "facebook.com", "github.com", "microsoft.com", "email", "phone",
      "password",
    ]
    let text = ConsentText(joins: joins, in: language)
    let lines = text.message.split(separator: "\n").dropFirst()
    #expect(lines.count == joins.count)
    #expect(Set(lines).count == joins.count)
    #expect(!text.message.contains(".com"))
    #expect(text.consent.joins == joins)
  }

  @Test func `a provider without a text has the app's name, or its id`() {
    let text = ConsentText(
      joins: ["oidc.example", "oidc.other"], names: ["oidc.example": "Example"], in: .english)
    #expect(text.message.hasSuffix("\n• Example\n• oidc.other"))
  }

  @Test(arguments: [
    (TextLanguage.english, "gatehouse-2-en", 4_292_042_747 as UInt32),
    (.german, "gatehouse-2-de", 1_434_949_930), (.vietnamese, "gatehouse-2-vi", 3_494_310_511),
  ])
  func `changed words have another version`(
    language: TextLanguage, version: String, checksum: UInt32
  ) {
    let parts = ["apple.com", "google.com", "facebook.com", "email", "phone", "password"]
    let text = ConsentText(joins: parts, in: language)
    #expect(text.version == version)
    // FNV-1a of the texts.
    let words = [text.title, text.message, text.agree, text.decline].joined(separator: "|")
    let hash = words.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    #expect(hash == checksum, "increase ConsentText.wording, then write both numbers above")
  }
}

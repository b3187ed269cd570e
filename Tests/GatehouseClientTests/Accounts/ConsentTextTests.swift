import GatehouseClient
import Testing

@Suite struct ConsentTextTests {
  /// All that the server can list and that has a text.
  private static let joins = [
    "apple.com", "google.com", "facebook.com", "github.com", "microsoft.com", "email", "phone",
  ]

  @Test(arguments: TextLanguage.allCases)
  func `each credential that is joined has its own line`(language: TextLanguage) {
    let joins = Self.joins
    let text = ConsentText(joins: joins, in: language)
    let lines = text.message.split(separator: "\n").dropFirst()
    #expect(lines.count == joins.count)
    #expect(Set(lines).count == joins.count)
    #expect(!text.message.contains(".com"))
    #expect(text.consent.joins == joins)
  }

  @Test func `a provider without a text is shown by the app's name for it, or else by its id`() {
    let text = ConsentText(
      joins: ["oidc.example", "oidc.other"], names: ["oidc.example": "Example"], in: .english)
    #expect(text.message.hasSuffix("\n• Example\n• oidc.other"))
  }

  @Test(arguments: [
    (TextLanguage.english, "gatehouse-2-en", 1_033_694_044 as UInt32),
    (.german, "gatehouse-2-de", 728_046_818), (.vietnamese, "gatehouse-2-vi", 1_092_753_544),
  ])
  func `each version stands for one wording in one language`(
    language: TextLanguage, version: String, checksum: UInt32
  ) {
    let text = ConsentText(joins: Self.joins, in: language)
    #expect(text.version == version)
    // FNV-1a of the texts.
    let words = [text.title, text.message, text.agree, text.decline].joined(separator: "|")
    let hash = words.utf8.reduce(0x811C_9DC5 as UInt32) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
    #expect(
      hash == checksum,
      """
      The words differ from those of \(version), and their checksum is \(hash). If you meant to change \
      them, increase ConsentText.wording, and write the new version and checksum in this test's arguments.
      """)
  }
}

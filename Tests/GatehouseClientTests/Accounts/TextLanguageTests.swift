import GatehouseClient
import Testing

@Suite struct TextLanguageTests {
  @Test(arguments: [
    ("de", TextLanguage.german), ("de-CH", .german), ("de_AT", .german), ("DE", .german),
    ("vi-VN", .vietnamese), ("en-GB", .english), ("fr", .english), ("", .english),
    ("den", .english),
  ])
  func `a language is found by its code`(code: String, language: TextLanguage) {
    #expect(TextLanguage(languageCode: code) == language)
    #expect(TextLanguage(languageCode: nil) == .english)
  }
}

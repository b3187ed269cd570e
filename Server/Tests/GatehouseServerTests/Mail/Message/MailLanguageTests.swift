import GatehouseServer
import Testing

@Suite struct MailLanguageTests {
  @Test(arguments: [
    ("de", "de"), ("pt-BR", "pt-br"), ("vi_VN", "vi-vn"), ("zh-Hant-TW", "zh-hant-tw"),
  ])
  func `a tag is read`(tag: String, text: String) {
    #expect(MailLanguage(tag)?.text == text)
  }

  @Test(arguments: [
    "", "d", "de-", "-de", "de--at", "d3", "deutschland", "de\r\nX: y", "*", "dé", "de at",
    "de-" + "abcdefgh-abcdefgh-abcdefgh-abcdefgh",
  ])
  func `anything else is no tag`(tag: String) {
    #expect(MailLanguage(tag) == nil)
  }

  @Test func `subtags are left out one after the other`() {
    #expect(MailLanguage("zh-Hant-TW")?.lookup.map(\.text) == ["zh-hant-tw", "zh-hant", "zh"])
  }
}

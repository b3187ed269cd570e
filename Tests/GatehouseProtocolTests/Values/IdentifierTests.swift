import GatehouseProtocol
import Testing

@Suite struct IdentifierTests {
  @Test func `identifiers that are only canonically equal are different`() throws {
    let composed = try #require(UID("caf\u{E9}"))
    let decomposed = try #require(UID("cafe\u{301}"))
    #expect(composed.text == decomposed.text)
    #expect(composed != decomposed)
    #expect(Set([composed, decomposed]).count == 2)
  }

  @Test func `a letter that folds to ASCII gives a different identifier`() throws {
    #expect(try #require(UID("\u{212A}")) != (try #require(UID("K"))))
    #expect("\u{212A}".hasSameBytes(as: "K") == false)
    #expect(["\u{212A}"].containsBytes(of: "K") == false)
  }

  @Test(arguments: 1...20)
  func `texts that differ in one byte are different`(length: Int) {
    let text = String(repeating: "a", count: length)
    #expect(text.hasSameBytes(as: String(repeating: "a", count: length)))
    for place in 0..<length {
      let other = text.prefix(place) + "b" + text.dropFirst(place + 1)
      #expect(!text.hasSameBytes(as: String(other)))
    }
  }

  @Test func `a uid may be 256 bytes and no more`() {
    #expect(UID(String(repeating: "u", count: 256)) != nil)
    #expect(UID(String(repeating: "u", count: 257)) == nil)
  }

  @Test(arguments: ["", "a\u{0}", "a\nb", "a\u{1F}", "a\u{7F}"])
  func `an empty uid or one with a control character is refused`(text: String) {
    #expect(UID(text) == nil)
  }

  @Test func `a new uid is 28 letters and digits, different each time`() {
    var generator = SystemRandomNumberGenerator()
    let uids = (0..<100).map { _ in UID(using: &generator) }
    #expect(Set(uids).count == 100)
    #expect(uids.allSatisfy { $0.text.wholeMatch(of: /[A-Za-z0-9]{28}/) != nil })
  }

  @Test(arguments: ["abc", "a-1", "demo", "a" + String(repeating: "b", count: 62)])
  func `a project id is a letter and 2 to 62 letters, digits and hyphens`(text: String) {
    #expect(ProjectID(text)?.text == text)
  }

  @Test(arguments: [
    "", "ab", "1abc", "-abc", "Abc", "ab_c", "ab.c", "ab/c", "ab c", "\u{212A}bc", "ab\u{E9}",
    "a" + String(repeating: "b", count: 63),
  ])
  func `any other project id is refused`(text: String) {
    #expect(ProjectID(text) == nil)
  }

  @Test func `a provider id may be 64 bytes of visible ASCII and no more`() {
    #expect(ProviderID(String(repeating: "p", count: 64)) != nil)
    #expect(ProviderID(String(repeating: "p", count: 65)) == nil)
    for text in ["", "a b", "a\u{0}", "appl\u{E9}.com"] { #expect(ProviderID(text) == nil) }
  }

  @Test func `provider ids differ by case`() {
    #expect(ProviderID("Apple.com") != .apple)
    #expect(ProviderID("apple.com") == .apple)
  }

  @Test(arguments: ["oidc.a", "oidc.example-1_2.x", "oidc.a" + String(repeating: "b", count: 31)])
  func `a valid name of an OpenID Connect provider`(text: String) throws {
    #expect(try #require(ProviderID(text)).isValidOpenIDConnectName)
  }

  @Test(arguments: [
    "oidc.", "oidc.1", "oidc.A", "OIDC.a", "oidc", "saml.a", "oidc.a/b", "oidc.a%2e", "apple.com",
    "oidc.a" + String(repeating: "b", count: 32),
  ])
  func `any other name isn't valid for an OpenID Connect provider`(text: String) throws {
    #expect(try #require(ProviderID(text)).isValidOpenIDConnectName == false)
  }
}

import GatehouseServer
import Testing

@Suite struct EmailPolicyTests {
  private func fault(_ change: (inout EmailPolicy) -> Void) -> String? {
    var policies = ProjectPolicies()
    change(&policies.email)
    return policies.fault
  }

  @Test(arguments: ["", "de", "pt-BR", "zh-Hant-TW", "EN"])
  func `a language is a tag`(_ tag: String) {
    #expect(fault { $0.language = tag } == nil)
  }

  @Test(arguments: ["-", "de_DE", "de-", "Deutsch!", "abcdefghi", "a b"])
  func `another text is no language`(_ tag: String) {
    #expect(
      fault { $0.language = tag }
        == "email.language: “\(tag)” is not a language tag, such as de")
  }

  @Test(arguments: ["notes", "no-reply", "a.b", "team+mail", "Notes_1"])
  func `a sender's local part is a dot-atom`(_ text: String) {
    #expect(fault { $0.senderLocalPart = text } == nil)
  }

  @Test(arguments: [
    "a@b", ".a", "a.", "a..b", "a b", "a\r\nb", "ä", String(repeating: "a", count: 65),
  ])
  func `another text is no local part`(_ text: String) {
    #expect(
      fault { $0.senderLocalPart = text }
        == "email.senderLocalPart: “\(text)” is not the part of an address before the @")
  }

  @Test func `answers go to an address`() {
    #expect(fault { $0.replyTo = "help@example.com" } == nil)
    for text in ["help", "用户@example.com"] {
      #expect(
        fault { $0.replyTo = text }
          == "email.replyTo: “\(text)” is not an email address in ASCII")
    }
  }

  @Test func `a sender's name is one line`() {
    #expect(fault { $0.senderName = "Ghi chú, “Notes”" } == nil)
    for text in ["a\nb", String(repeating: "a", count: 201)] {
      #expect(
        fault { $0.senderName = text }
          == "email.senderName: a name is one line of at most 200 bytes")
    }
  }
}

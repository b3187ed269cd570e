import GatehouseClient
import Testing

@Suite struct InterfaceTextTests {
  @Test(arguments: InterfaceText.allCases)
  func `every text of the pages exists in every language`(text: InterfaceText) {
    let texts = TextLanguage.allCases.map { text.text(in: $0) }
    for text in texts { #expect(Sentence.isReady(text), "\(text)") }
    #expect(Set(texts).count == 3)
  }

  @Test(arguments: [
    AccountError.client(.accountExists(email: nil, providers: [], updated: nil)),
    .client(.credentialInUse(updated: nil, email: nil, code: "EMAIL_EXISTS")),
    .client(.phoneNumberInUse(updated: nil)),
    .client(.consentRequired(joins: [], updated: nil)), .client(.nonce(detail: "x")),
    .client(.server(ServerRefusal(status: 400, code: "INVALID_PENDING_TOKEN"))),
  ])
  func `a conflict says more than "try again in a moment"`(error: AccountError) {
    for language in TextLanguage.allCases {
      let said = error.suggestion(in: language)
      #expect(said != InterfaceText.tryAgain.text(in: language))
      #expect(Sentence.isReady(said))
    }
  }

  @Test func `only a deletion's text speaks of deleting`() {
    let deleting: [TextLanguage: String] = [
      .english: "delet", .german: "lösch", .vietnamese: "xóa",
    ]
    for cause in DeletionErrorTextTests.causes {
      for (language, word) in deleting {
        let said = cause.suggestion(in: language)
        #expect(!said.lowercased().contains(word), "\(said)")
        #expect(Sentence.isReady(said), "\(said)")
      }
    }
    let old = AccountError.client(.needsRecentSignIn(providers: [.google]))
    #expect(
      old.suggestion(in: .english) == "Sign out and in again, then try again within five minutes.")
  }

  @Test func `the question before deleting is answered by "Yes, Delete"`() {
    #expect(InterfaceText.yesDelete.text(in: .english) == "Yes, Delete")
  }
}

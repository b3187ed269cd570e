import Foundation
import GatehouseClient
import Testing

@Suite struct PersonTextTests {
  typealias Failure = DeletionError.Failure

  /// Every kind of cause that has its own text, and one that has none.
  static let causes: [AccountError] =
    [
      .busy, .device(.busy), .device(.offline(detail: "x")), .device(.unavailable(detail: "x")),
      .device(.failed(detail: "x")), .device(.notBegun(.network(NetworkFault(.lost, detail: "x")))),
      .notOffered(.apple), .lastProvider(.apple),
      .client(.network(NetworkFault(.offline, detail: "x"))), .client(.userMismatch),
      .client(.notSignedIn), .client(.needsRecentSignIn(providers: [.password])),
      .client(.sessionEnded(.disabled)), .client(.sessionEnded(.revoked)),
      .client(.nonce(detail: "x")), .client(.store(StoreFault(.locked, detail: "x"))),
      refusal("OPERATION_NOT_ALLOWED"), refusal("INVALID_PASSWORD"),
      refusal("INVALID_LOGIN_CREDENTIALS"), refusal("TOO_MANY_ATTEMPTS_TRY_LATER"),
      refusal("USER_DISABLED"), refusal("ADMIN_ONLY_OPERATION"), refusal("SOMETHING_NEW"),
    ] + AnswerFault.allCases.map(AccountError.answer)

  static func refusal(_ code: String) -> AccountError {
    .client(.server(ServerRefusal(status: 400, code: code)))
  }

  static func errors(_ cause: AccountError, _ completed: [DeletionStep] = []) -> [DeletionError] {
    let failure = Failure(cause: cause, completed: completed)
    return [
      .prepare(failure), .reauthenticateApple(failure), .reauthenticateGoogle(failure),
      .reauthenticate(.password, failure), .revokeApple(failure), .revokeGoogle(failure),
      .delete(failure),
    ]
  }

  @Test(arguments: TextLanguage.allCases)
  func `every deletion error has three texts for the user`(language: TextLanguage) {
    for cause in Self.causes {
      for error in Self.errors(cause) + Self.errors(cause, [.revoke(.apple)]) {
        let text = error.text(in: language)
        for sentence in [text.title, text.description, text.recoverySuggestion] {
          #expect(Self.isReady(sentence), "\(sentence)")
        }
        #expect(Set([text.title, text.description, text.recoverySuggestion]).count == 3)
      }
    }
  }

  @Test(arguments: TextLanguage.allCases)
  func `no two steps have the same text`(language: TextLanguage) {
    let texts = Self.errors(.device(.failed(detail: "x"))).map { $0.text(in: language) }
    #expect(Set(texts.map(\.title)).count == texts.count)
    #expect(Set(texts.map(\.description)).count == texts.count)
    #expect(Set(texts.map(\.recoverySuggestion)).count == texts.count)
  }

  @Test func `no two languages have the same text`() {
    for error in Self.causes.flatMap({ Self.errors($0) }) {
      let texts = TextLanguage.allCases.map { error.text(in: $0) }
      #expect(Set(texts.map(\.title)).count == 3)
      #expect(Set(texts.map(\.description)).count == 3)
      #expect(Set(texts.map(\.recoverySuggestion)).count == 3)
    }
  }

  @Test(arguments: TextLanguage.allCases)
  func `a cause that the user can act on is named`(language: TextLanguage) {
    let groups: [[AccountError]] = [
      [.device(.offline(detail: "x")), .client(.network(NetworkFault(.timedOut, detail: "x")))],
      [.answer(.anotherUser), .client(.userMismatch)],
      [Self.refusal("INVALID_PASSWORD"), Self.refusal("INVALID_LOGIN_CREDENTIALS")],
      [.client(.needsRecentSignIn(providers: []))], [.client(.notSignedIn)], [.busy],
      [Self.refusal("TOO_MANY_ATTEMPTS_TRY_LATER")], [Self.refusal("ADMIN_ONLY_OPERATION")],
      [Self.refusal("OPERATION_NOT_ALLOWED")], [.notOffered(.apple)],
      [.client(.sessionEnded(.disabled)), Self.refusal("USER_DISABLED")],
      [.device(.failed(detail: "x"))],
    ]
    let suggestions = groups.map { group in
      Set(group.map { Self.errors($0)[1].text(in: language).recoverySuggestion })
    }
    for suggestion in suggestions { #expect(suggestion.count == 1) }
    #expect(suggestions.reduce(into: Set<String>()) { $0.formUnion($1) }.count == groups.count)
  }

  @Test(arguments: TextLanguage.allCases)
  func `the text says whether something was revoked`(language: TextLanguage) {
    let (before, after) = (
      Self.errors(.busy)[6].text(in: language),
      Self.errors(.busy, [.revoke(.apple)])[6].text(in: language)
    )
    #expect(before.recoverySuggestion != after.recoverySuggestion)
  }

  @Test func `technical details stay out of texts for users`() {
    for error in Self.errors(.device(.failed(detail: "GIDSignInError -4"))) {
      let text = error.text(in: .english)
      #expect(!"\(text)".contains("GIDSignInError"))
    }
  }

  @Test(arguments: InterfaceText.allCases)
  func `every text of the pages exists in every language`(text: InterfaceText) {
    let texts = TextLanguage.allCases.map { text.text(in: $0) }
    for text in texts { #expect(Self.isReady(text), "\(text)") }
    #expect(Set(texts).count == 3)
  }

  // MARK: Consent

  @Test(arguments: TextLanguage.allCases)
  func `what is joined is listed, one item per line`(language: TextLanguage) {
    let joins = ["apple.com", "google.com", "facebook.com", "email", "phone", "password"]
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

  /// The server stores the version, which has to identify the text that was shown.
  @Test(arguments: [
    (TextLanguage.english, "gatehouse-1-en", 4_292_042_747 as UInt32),
    (.german, "gatehouse-1-de", 1_434_949_930), (.vietnamese, "gatehouse-1-vi", 3_494_310_511),
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
    #expect(hash == checksum, "raise ConsentText.wording, then write the new number here")
  }

  @Test(arguments: [
    AccountError.client(.accountExists(email: nil, providers: [], updated: nil)),
    .client(.credentialInUse(updated: nil, email: nil, code: "EMAIL_EXISTS")),
    .client(.phoneNumberInUse(updated: nil)),
    .client(.consentRequired(joins: [], updated: nil)), .client(.nonce(detail: "x")),
    refusal("INVALID_PENDING_TOKEN"),
  ])
  func `a conflict says more than "try again in a moment"`(error: AccountError) {
    for language in TextLanguage.allCases {
      let said = error.suggestion(in: language)
      #expect(said != InterfaceText.tryAgain.text(in: language))
      #expect(Self.isReady(said))
    }
  }

  @Test func `the question before deleting is answered by "Yes, Delete"`() {
    #expect(InterfaceText.yesDelete.text(in: .english) == "Yes, Delete")
  }

  @Test(arguments: [
    ("de", TextLanguage.german), ("de-CH", .german), ("de_AT", .german), ("DE", .german),
    ("vi-VN", .vietnamese), ("en-GB", .english), ("fr", .english), ("", .english),
    ("den", .english),
  ])
  func `a language is found by its code`(code: String, language: TextLanguage) {
    #expect(TextLanguage(languageCode: code) == language)
    #expect(TextLanguage(languageCode: nil) == .english)
  }

  @Test func `an error has the texts of Foundation's LocalizedError`() {
    let error: any Error = Self.errors(.busy)[4]
    let text = Self.errors(.busy)[4].text()
    #expect(error.localizedDescription == text.description)
    #expect((error as? any LocalizedError)?.recoverySuggestion == text.recoverySuggestion)
    #expect((error as? any LocalizedError)?.failureReason == text.title)
  }

  /// Not empty, and without an unfilled placeholder.
  private static func isReady(_ text: String) -> Bool {
    !text.isEmpty && text == text.trimmingCharacters(in: .whitespacesAndNewlines)
      && !["%", "{", "}", "\\(", "  ", "[", "]"].contains(where: text.contains)
  }
}

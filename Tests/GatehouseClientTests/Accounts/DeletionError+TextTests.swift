import Foundation
import GatehouseClient
import Testing

@Suite struct DeletionErrorTextTests {
  typealias Failure = DeletionError.Failure

  /// Causes that have a text of their own, and causes that have none.
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
          #expect(Sentence.isReady(sentence), "\(sentence)")
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

  @Test func `an error has the texts of Foundation's LocalizedError`() {
    let error: any Error = Self.errors(.busy)[4]
    let text = Self.errors(.busy)[4].text()
    #expect(error.localizedDescription == text.description)
    #expect((error as? any LocalizedError)?.recoverySuggestion == text.recoverySuggestion)
    #expect((error as? any LocalizedError)?.failureReason == text.title)
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct GoogleNotificationTests {
  private static let risc = "https://schemas.openid.net/secevent/risc/event-type/"
  private static let oauth = "https://schemas.openid.net/secevent/oauth/event-type/"

  /// As in "Protect user accounts with Cross-Account Protection", step 5: without `exp` and `sub`.
  private func notification(
    _ type: String, issuer: String = "https://accounts.google.com/", subject: JSONValue? = nil
  ) async throws -> ProviderNotification {
    let provider = try Provider()
    let about: JSONObject = [
      "subject": subject
        ?? .object([
          "subject_type": "iss-sub", "iss": "https://accounts.google.com/", "sub": "ann",
        ]),
      "reason": "hijacking",
    ]
    let claims: JSONObject = [
      "iss": .string(issuer), "aud": "google-client", "iat": 1_799_999_990,
      "jti": "756E69717565206964656E746966696572",
      "events": .object(JSONObject([.init(name: type, value: .object(about))])),
    ]
    let jws = try #require(TestKey.rsa).token(claims, header: ["typ": "secevent+jwt"])
    return try await provider.federation.notification(
      jws, for: Provider.google(), now: provider.now)
  }

  @Test(
    arguments: [
      (risc + "sessions-revoked", .sessionsRevoked), (oauth + "tokens-revoked", .consentRevoked),
      (risc + "account-disabled", .accountDisabled), (risc + "account-enabled", .accountEnabled),
      (risc + "account-purged", .accountDeleted),
      (risc + "account-credential-change-required", .sessionsRevoked),
    ] as [(String, ProviderEvent.Kind)])
  func `each type becomes an event of its user`(
    _ type: String, _ kind: ProviderEvent.Kind
  ) async throws {
    let found = try await notification(type)
    #expect(
      found.events == [
        ProviderEvent(
          provider: .google, kind: kind, subject: Subject("ann"),
          occurredAt: Date(timeIntervalSince1970: 1_799_999_990))
      ])
  }

  @Test func `a test of the stream is an event about no user`() async throws {
    let found = try await notification(Self.risc + "verification", subject: "none")
    #expect(found.events.map(\.kind) == [.verification])
    #expect(found.events.first?.subject == nil)
  }

  @Test func `an event about a single token, which names no user, is ignored`() async throws {
    let found = try await notification(
      Self.oauth + "tokens-revoked",
      subject: ["subject_type": "oauth_token", "token_type": "refresh_token", "token": "1"])
    #expect(found.events.isEmpty)
  }

  @Test func `the issuer of Google's ID tokens sends no notifications`() async throws {
    await #expect(
      throws: FederationError.issuer(
        received: "https://accounts.google.com", expected: "https://accounts.google.com/")
    ) {
      try await notification(
        Self.risc + "sessions-revoked", issuer: "https://accounts.google.com")
    }
  }
}

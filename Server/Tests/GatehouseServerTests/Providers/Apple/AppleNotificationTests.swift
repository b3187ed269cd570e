import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct AppleNotificationTests {
  private static func events(
    _ type: String = "consent-revoked", time: String = "1799999990000", sub: String = "ann"
  ) -> JSONValue {
    .string(#"{"type":"\#(type)","sub":"\#(sub)","event_time":\#(time)}"#)
  }

  private func notification(
    _ changes: JSONObject = [:], key: TestKey? = TestKey.rsa, at seconds: Double = 0
  ) async throws -> ProviderNotification {
    let provider = try Provider()
    var claims: JSONObject = [
      "iss": "https://appleid.apple.com", "aud": "com.example.app", "iat": 1_800_000_000,
      "exp": 1_800_086_400, "jti": "n1", "events": Self.events(),
    ]
    for member in changes.members {
      claims[member.name] = member.value == .null ? nil : member.value
    }
    let jws = try #require(key).token(claims, header: [:])
    return try await provider.federation.notification(
      jws, for: Provider.apple(), now: provider.now.addingTimeInterval(seconds))
  }

  @Test(
    arguments: [
      ("consent-revoked", .consentRevoked), ("account-delete", .accountDeleted),
      ("account-deleted", .accountDeleted), ("email-disabled", .emailDisabled),
      ("email-enabled", .emailEnabled),
    ] as [(String, ProviderEvent.Kind)])
  func `each type becomes an event of its user and time`(
    _ type: String, _ kind: ProviderEvent.Kind
  ) async throws {
    let found = try await notification(["events": Self.events(type)])
    #expect(
      found.events == [
        ProviderEvent(
          provider: .apple, kind: kind, subject: Subject("ann"),
          occurredAt: Date(timeIntervalSince1970: 1_799_999_990))
      ])
  }

  @Test func `a time in seconds is read as seconds`() async throws {
    let found = try await notification(["events": Self.events(time: "1799999990")])
    #expect(found.events.first?.occurredAt == Date(timeIntervalSince1970: 1_799_999_990))
  }

  @Test func `a type that Apple adds later is no event, and no error`() async throws {
    #expect(try await notification(["events": Self.events("moved-to-mars")]).events.isEmpty)
  }

  @Test func `both issuers of Apple are accepted`() async throws {
    let found = try await notification(["iss": "https://account.apple.com"])
    #expect(found.events.count == 1)
  }

  @Test func `the key of another issuer is refused`() async throws {
    await #expect(throws: FederationError.signature(reason: "keyUnknown")) {
      try await notification(key: TestKey.otherRSA)
    }
  }

  @Test func `a notification for another app is refused`() async throws {
    await #expect(
      throws: FederationError.audience(
        received: ["com.example.other"], expected: "com.example.web")
    ) { try await notification(["aud": "com.example.other"]) }
  }

  @Test func `a notification of another issuer is refused`() async throws {
    await #expect(
      throws: FederationError.issuer(
        received: "https://accounts.google.com", expected: "https://appleid.apple.com")
    ) { try await notification(["iss": "https://accounts.google.com"]) }
  }

  @Test func `an ID token is no notification`() async throws {
    await #expect(throws: FederationError.unparsable(reason: "isNotNotification")) {
      try await notification(["events": .null, "sub": "ann"])
    }
  }

  @Test func `a notification is no ID token`() async throws {
    let provider = try Provider()
    let jws = try provider.appleToken(["events": Self.events()])
    await #expect(throws: FederationError.unparsable(reason: "isNotification")) {
      try await provider.identity(jws, for: Provider.apple())
    }
  }

  @Test(
    arguments: [#"{"type":"consent-revoked"}"#, "[]", "not json", #"{"sub":"ann"}"#])
  func `events that can't be read are refused`(_ text: String) async throws {
    await #expect(throws: FederationError.unparsable(reason: "events")) {
      try await notification(["events": .string(text)])
    }
  }

  @Test func `a notification is refused a week after it was issued`() async throws {
    let week = 7 * 86_400.0
    _ = try await notification(["exp": .null], at: week)
    await #expect(throws: FederationError.stale(issuedAt: "1800000000")) {
      try await notification(["exp": .null], at: week + 61)
    }
  }

  @Test func `two notifications have two names`() async throws {
    let first = try await notification()
    let second = try await notification(["jti": "n2"])
    #expect(first.use.digest != second.use.digest)
    #expect(first.use.digest.count == 32)
  }
}

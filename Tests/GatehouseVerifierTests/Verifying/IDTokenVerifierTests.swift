import Foundation
import Testing

@testable import GatehouseVerifier

@Suite struct IDTokenVerifierTests {
  @Test func `a valid token identifies the user`() async throws {
    let setting = try Setting()
    let user = try await setting.verifier.verify(try Fixture.token())
    #expect(user.uid == "alice")
    #expect(user.email == "alice@example.com")
    #expect(user.isEmailVerified)
    #expect(user.displayName == "Alice")
    #expect(user.signInProvider == "apple.com")
    #expect(!user.isAnonymous)
    #expect(user.authenticatedAt == Fixture.now - 600)
    #expect(user.issuedAt == Fixture.now - 10)
    #expect(user.expiresAt == Fixture.now + 3590)
    #expect(user.verifiedAt == Fixture.now)
    #expect(user.claims.bool("admin") == true)
    #expect("\(user)" == "AuthenticatedUser(alice)")
  }

  @Test func `many tokens cost one request for keys, to the configured address`() async throws {
    let setting = try Setting()
    for _ in 0..<10 { _ = try await setting.verifier.verify(try Fixture.token()) }
    #expect(
      setting.server.requests.map(\.url.absoluteString) == [
        "https://auth.example.com/my-app/.well-known/jwks.json"
      ])
    #expect(setting.server.requests.first?.maximumBytes == 256 * 1024)
    #expect(setting.server.requests.first?.timeout == 10)
  }

  @Test func `a token without an email gives no email`() async throws {
    let setting = try Setting()
    let user = try await setting.verifier.verify(
      try Fixture.token(claims: {
        $0["email"] = nil
        $0["email_verified"] = nil
        $0["firebase"] = ["identities": [:], "sign_in_provider": "anonymous"]
      }))
    #expect(user.email == nil)
    #expect(!user.isEmailVerified)
    #expect(user.isAnonymous)
  }

  @Test func `a user's id may have 256 bytes`() async throws {
    let setting = try Setting()
    let longest = String(repeating: "u", count: 256)
    let user = try await setting.verifier.verify(
      try Fixture.token(claims: { $0["sub"] = .string(longest) }))
    #expect(user.uid == longest)
  }

  @Test func `a custom claim named email is not used as the address`() async throws {
    let setting = try Setting()
    let user = try await setting.verifier.verify(
      try Fixture.token(claims: {
        $0["firebase"] = ["identities": [:], "sign_in_provider": "custom"]
      }))
    #expect(user.email == nil)
    #expect(!user.isEmailVerified)
    #expect(user.claims.string("email") == "alice@example.com")
  }

  @Test(arguments: [("+15555550101", true), ("+15555550102", false)])
  func `a custom claim named phone_number is not used as the phone number`(
    _ listed: String, _ counts: Bool
  ) async throws {
    let setting = try Setting()
    let user = try await setting.verifier.verify(
      try Fixture.token(claims: {
        $0["phone_number"] = "+15555550101"
        $0["firebase"] = ["identities": ["phone": [.string(listed)]], "sign_in_provider": "custom"]
      }))
    #expect(user.phoneNumber == (counts ? "+15555550101" : nil))
    #expect(user.claims.string("phone_number") == "+15555550101")
  }

  @Test func `an unverified address is reported as unverified`() async throws {
    let setting = try Setting()
    let user = try await setting.verifier.verify(
      try Fixture.token(claims: { $0["email_verified"] = false }))
    #expect(user.email == "alice@example.com")
    #expect(!user.isEmailVerified)
  }

  @Test func `prepare throws if the server can't be reached`() async throws {
    let setting = try Setting()
    try await setting.verifier.prepare()
    #expect(setting.server.count == 1)
    let broken = try Setting(ServerResponse(status: 404))
    await #expect(throws: ServerFault.status(404)) { try await broken.verifier.prepare() }
  }

  @Test(arguments: [(0.0, true), (600, true), (601, false)])
  func `a sign-in is recent up to its limit`(seconds: Double, isRecent: Bool) async throws {
    let setting = try Setting()
    let user = try await setting.verifier.verify(
      try Fixture.token(claims: { $0["auth_time"] = .number(.init(1_700_000_000 - Int64(seconds))) }
      ))
    #expect(user.hasSignedIn(within: 600) == isRecent)
  }
}

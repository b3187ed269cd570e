import Foundation
import Testing

@testable import GatehouseVerifier

@Suite struct SessionCookieVerifierTests {
  /// A cookie as the server creates it: valid for up to fourteen days, without `typ`.
  private func cookie() throws -> String {
    try Fixture.token(
      header: { $0["typ"] = nil },
      claims: {
        $0["iss"] = "https://auth.example.com/my-app/session"
        $0["exp"] = 1_701_209_600
      })
  }

  @Test func `a valid cookie identifies the user, with the keys of cookies`() async throws {
    let setting = try Setting()
    let user = try await setting.cookieVerifier.verify(try cookie())
    #expect(user.uid == "alice")
    #expect(
      setting.server.requests.map(\.url.absoluteString) == [
        "https://auth.example.com/my-app/session/.well-known/jwks.json"
      ])
  }

  @Test func `an ID token is refused as a cookie`() async throws {
    let setting = try Setting()
    let token = try Fixture.token()
    #expect(await refusal { try await setting.cookieVerifier.verify(token) }?.code == .issuer)
  }

  @Test func `a cookie is refused as an ID token`() async throws {
    let setting = try Setting()
    let cookie = try cookie()
    #expect(await refusal { try await setting.verifier.verify(cookie) }?.code == .type)
  }
}

import GatehouseAuth
import Testing

/// The steps of Firebase's guide for OpenID Connect, with a token that the app obtained itself.
@Suite(.developmentServer, .timeLimit(.minutes(5)))
struct FacadeOpenIDTests {
  @Test func `an ID token signs in, links and re-authenticates, with the provider's profile`()
    async throws
  {
    let device = try FacadeApp(try suiteServer())
    let providers = device.server.providers
    let person = try await providers.person(email: Unique.email("oidc"))
    func credential() async throws -> AuthCredential {
      let given = try await providers.openID(person)
      return OAuthProvider.credential(
        providerID: .custom("oidc.simulator"), idToken: given.idToken,
        rawNonce: given.nonce)
    }
    let result = try await device.auth.signIn(with: try await credential())
    #expect(result.additionalUserInfo?.profile?["sub"] as? String != nil)
    #expect(result.credential?.idToken != nil)
    let uid = result.user.uid
    #expect(try await result.user.reauthenticate(with: try await credential()).user.uid == uid)

    try await result.user.unlink(fromProvider: "oidc.simulator")
    try await result.user.link(with: try await credential())
    try device.auth.signOut()
    #expect(try await device.auth.signIn(with: try await credential()).user.uid == uid)
  }

  @Test func `a token without a nonce is accepted if the project requires none`() async throws {
    let device = try FacadeApp(try suiteServer())
    let person = try await device.server.providers.person()
    let given = try await device.server.providers.openID(person, nonce: nil)
    let credential = OAuthProvider.credential(
      providerID: .custom("oidc.simulator"), idToken: given.idToken)
    let first = try await device.auth.signIn(with: credential)
    #expect(try await device.auth.signIn(with: credential).user.uid == first.user.uid)
  }
}

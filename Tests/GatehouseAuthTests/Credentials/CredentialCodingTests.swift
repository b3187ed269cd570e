import GatehouseAuth
import Foundation
import GatehouseClient
import Testing

@Suite("Archived credentials") struct CredentialCodingTests {
  @Test func `an OAuth credential keeps everything, including its provider's id`() throws {
    var value = IdentityProviderCredential(provider: "oidc.example")
    value.idToken = "id"
    value.accessToken = "access"
    value.rawNonce = "nonce"
    value.secret = "secret"
    value.pendingToken = "pending"
    value.email = "ana@example.com"
    value.fullName = PersonName(givenName: "Ana", familyName: nil)
    let read = try archived(OAuthCredential(value))
    #expect(read.provider == "oidc.example")
    #expect(read.idToken == "id")
    #expect(read.accessToken == "access")
    #expect(read.secret == "secret")
    #expect(read.value == value)
  }

  @Test func `an OAuth credential with one token is archived`() throws {
    let credential = OAuthProvider.credential(providerID: .apple, idToken: "id")
    #expect(try archived(credential).value == credential.value)
  }

  @Test(arguments: [
    GoogleAuthProvider.credential(withIDToken: "id", accessToken: "access"),
    FacebookAuthProvider.credential(withAccessToken: "access"),
    TwitterAuthProvider.credential(withToken: "token", secret: "secret"),
    GitHubAuthProvider.credential(withToken: "token"),
  ])
  func `credentials of the other providers are archived`(_ credential: AuthCredential) throws {
    let credential = try #require(credential as? TokenCredential)
    let read = try archived(credential)
    #expect(read.provider == credential.provider)
    #expect(read.value == credential.value)
  }

  @Test(arguments: [
    EmailAuthProvider.credential(withEmail: "ana@example.com", password: "secret"),
    EmailAuthProvider.credential(withEmail: "ana@example.com", link: "https://example.com/?a=b"),
  ])
  func `a password and a link are archived`(_ credential: AuthCredential) throws {
    let credential = try #require(credential as? EmailCredential)
    let read = try archived(credential)
    #expect(read.provider == "password")
    #expect(read.email == "ana@example.com")
    #expect(read.proof == credential.proof)
  }

  @Test func `a phone credential is archived`() throws {
    for value in [
      PhoneCredential.code("123456", verificationID: "id"),
      .temporaryProof("proof", phoneNumber: "+15555550100"),
    ] {
      let read = try archived(PhoneAuthCredential(value))
      #expect(read.provider == "phone")
      #expect(read.value == value)
      #expect(try read.clientCredential() == .phoneNumber(value))
    }
  }

  @Test func `an archive with a missing value gives no credential`() throws {
    #expect(OAuthCredential(coder: try emptyCoder()) == nil)
    #expect(TokenCredential(coder: try emptyCoder()) == nil)
    #expect(EmailCredential(coder: try emptyCoder()) == nil)
    #expect(PhoneAuthCredential(coder: try emptyCoder()) == nil)
  }
}

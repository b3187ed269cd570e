import GatehouseAuth
import Foundation
import GatehouseClient
import Testing

/// What the provider classes create, as the client's credential.
@Suite("Credentials") struct CredentialTests {
  private func value(_ credential: AuthCredential) throws -> IdentityProviderCredential {
    guard case .identityProvider(let value) = try credential.clientCredential() else {
      throw Unexpected()
    }
    return value
  }

  private struct Unexpected: Error {}

  @Test func `Google's`() throws {
    let credential = GoogleAuthProvider.credential(withIDToken: "id", accessToken: "access")
    #expect(credential.provider == "google.com")
    var expected = IdentityProviderCredential(provider: .google)
    expected.idToken = "id"
    expected.accessToken = "access"
    #expect(try value(credential) == expected)
  }

  @Test func `an empty access token of Google is left out`() throws {
    let credential = GoogleAuthProvider.credential(withIDToken: "id", accessToken: "")
    #expect(try value(credential).accessToken == nil)
  }

  @Test func `Facebook's`() throws {
    let credential = FacebookAuthProvider.credential(withAccessToken: "access")
    #expect(credential.provider == "facebook.com")
    #expect(try value(credential).accessToken == "access")
  }

  @Test func `Twitter's and GitHub's`() throws {
    let twitter = TwitterAuthProvider.credential(withToken: "token", secret: "secret")
    #expect(twitter.provider == "twitter.com")
    #expect(try value(twitter).accessToken == "token")
    #expect(try value(twitter).secret == "secret")
    let gitHub = GitHubAuthProvider.credential(withToken: "token")
    #expect(gitHub.provider == "github.com")
    #expect(try value(gitHub).accessToken == "token")
  }

  @Test func `a password, and an emailed link`() throws {
    let password = EmailAuthProvider.credential(withEmail: "ana@example.com", password: "secret")
    #expect(password.provider == "password")
    #expect(
      try password.clientCredential() == .password(email: "ana@example.com", password: "secret"))
    let link = EmailAuthProvider.credential(withEmail: "ana@example.com", link: "https://x")
    #expect(link.provider == "password")
    #expect(
      try link.clientCredential() == .emailLink(email: "ana@example.com", link: "https://x"))
  }

  @Test func `six digits of an email`() throws {
    let session = EmailCodeSession(id: "session")
    let typed = try EmailAuthProvider.credential(
      withEmail: "ana@example.com", digits: "123 456", of: session)
    #expect(typed.provider == "password")
    #expect(
      try typed.clientCredential()
        == .emailCode(email: "ana@example.com", code: "session.123456"))
    let error = #expect(throws: NSError.self) {
      try EmailAuthProvider.credential(
        withEmail: "ana@example.com", digits: "12345", of: session)
    }
    #expect(error?.authCode == .invalidVerificationCode)
  }

  @Test func `OpenID Connect's, with all values and with only the required ones`() throws {
    let full = OAuthProvider.credential(
      providerID: .custom("oidc.example"), idToken: "id", rawNonce: "nonce", accessToken: "access")
    #expect(full.provider == "oidc.example")
    #expect(full.idToken == "id")
    #expect(full.accessToken == "access")
    #expect(full.secret == nil)
    #expect(try value(full).rawNonce == "nonce")
    let less = OAuthProvider.credential(providerID: .apple, idToken: "id")
    #expect(less.accessToken == nil)
    #expect(try value(less).rawNonce == nil)
    let access = OAuthProvider.credential(providerID: .gitHub, accessToken: "access")
    #expect(access.idToken == nil)
    #expect(access.accessToken == "access")
  }

  @Test func `Apple's, with the name`() throws {
    var name = PersonNameComponents()
    name.givenName = "Ana"
    name.familyName = "Silva"
    let credential = OAuthProvider.appleCredential(
      withIDToken: "id", rawNonce: "nonce", fullName: name)
    #expect(credential.provider == "apple.com")
    #expect(try value(credential).rawNonce == "nonce")
    #expect(try value(credential).fullName == PersonName(givenName: "Ana", familyName: "Silva"))
    let nameless = OAuthProvider.appleCredential(withIDToken: "id", rawNonce: nil, fullName: nil)
    #expect(try value(nameless).fullName == nil)
  }

  @Test(arguments: [nil, 0, 1, 2, 3])
  func `Apple's, with the authorization code and what the sheet says of the user`(
    _ status: Int?
  ) throws {
    let credential = OAuthProvider.appleCredential(
      withIDToken: "id", rawNonce: "nonce", fullName: nil, authorizationCode: "code",
      realUserStatus: status)
    #expect(try value(credential).authorizationCode == "code")
    #expect(try value(credential).realUserStatus?.rawValue == (status == 3 ? nil : status))
  }

  @available(*, deprecated)
  @Test func `the guides' overloads create the same`() throws {
    let nonce: String? = nil
    let without = OAuthProvider.credential(
      withProviderID: "oidc.example", idToken: "id", rawNonce: nonce)
    #expect(
      try value(without)
        == value(OAuthProvider.credential(providerID: .custom("oidc.example"), idToken: "id")))
    let with = OAuthProvider.credential(
      withProviderID: "apple.com", idToken: "id", rawNonce: "nonce")
    #expect(
      try value(with)
        == value(OAuthProvider.credential(providerID: .apple, idToken: "id", rawNonce: "nonce")))
    let all = OAuthProvider.credential(
      withProviderID: "apple.com", idToken: "id", rawNonce: "nonce", accessToken: "access")
    #expect(all.accessToken == "access")
    #expect(
      OAuthProvider.credential(withProviderID: "apple.com", accessToken: "access").accessToken
        == "access")
    #expect(
      OAuthProvider.credential(withProviderID: "apple.com", idToken: "id", accessToken: nil)
        .idToken == "id")
  }

  @Test func `the providers' ids`() {
    let ids: [AuthProviderID] = [
      .apple, .email, .facebook, .gameCenter, .gitHub, .google, .phone, .custom("oidc.x"),
    ]
    #expect(
      ids.map(\.rawValue) == [
        "apple.com", "password", "facebook.com", "gc.apple.com", "github.com", "google.com",
        "phone", "oidc.x",
      ])
  }

  @Test func `a provider's id is compared by its bytes`() {
    #expect(AuthProviderID.custom("oidc.caf\u{e9}") != .custom("oidc.cafe\u{301}"))
    #expect(AuthProviderID.custom("apple.com") == .apple)
  }

  @Test(arguments: [
    OAuthProvider.credential(providerID: .apple, idToken: "s3cret", rawNonce: "s3cret"),
    GoogleAuthProvider.credential(withIDToken: "s3cret", accessToken: "s3cret"),
    EmailAuthProvider.credential(withEmail: "ana@example.com", password: "s3cret"),
    PhoneAuthCredential(verificationID: "s3cret", verificationCode: "s3cret"),
  ])
  func `no description shows a secret`(_ credential: AuthCredential) {
    var dumped = ""
    dump(credential, to: &dumped)
    let said = [dumped, credential.description, credential.debugDescription, "\(credential)"]
    #expect(!said.joined().contains("s3cret"))
    let error = AuthErrorCode.credentialAlreadyInUse.error(
      userInfo: [AuthErrorUserInfoUpdatedCredentialKey: credential])
    #expect(!"\(error)".contains("s3cret"))
  }
}

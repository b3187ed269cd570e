import GatehouseAuth
import Foundation
import Testing

/// The steps of Firebase's guide for Apple, with the SDK against the server.
@Suite(.developmentServer, .timeLimit(.minutes(5)))
struct FacadeAppleTests {
  @Test func `sign in with a nonce, link Google and Facebook, re-authenticate, revoke, delete`()
    async throws
  {
    let device = try FacadeApp(try suiteServer())
    let person = try await device.server.providers.person(
      email: Unique.email("ada"), givenName: "Ada")
    var name = PersonNameComponents()
    name.givenName = "Ada"
    name.familyName = "Lovelace"
    let sheet = try await device.apple(person, fullName: name)

    let first: AuthDataResult = try await withCheckedThrowingContinuation { continuation in
      device.auth.signIn(with: sheet.credential) { authResult, error in
        if let error { return continuation.resume(throwing: error) }
        if let authResult { continuation.resume(returning: authResult) }
      }
    }
    let user = first.user
    #expect(first.additionalUserInfo?.isNewUser == true)
    #expect(first.additionalUserInfo?.providerID == "apple.com")
    #expect(user.displayName == "Ada Lovelace")
    #expect(user.providerData.first?.uid == sheet.user)
    #expect(device.auth.currentUser === user)

    // A token with a nonce is accepted once.
    let replayed = await authError { try await device.auth.signIn(with: sheet.credential) }
    #expect(replayed?.code == AuthErrorCode.missingOrInvalidNonce.rawValue)
    #expect(device.auth.currentUser === user)

    try await user.link(with: try await device.google(person))
    let linked = try await user.link(with: try await device.facebook(person))
    #expect(linked.user === user)
    #expect(
      Set(user.providerData.map(\.providerID)) == ["apple.com", "google.com", "facebook.com"])

    let again = try await device.apple(person)
    let result = try await user.reauthenticate(with: again.credential)
    #expect(result.user === user)
    let token = try await user.getIDTokenResult(forcingRefresh: true)
    #expect(token.signInProvider == "apple.com")

    try await user.unlink(fromProvider: "facebook.com")
    #expect(!user.providerData.contains { $0.providerID == "facebook.com" })

    #expect(try await device.server.providers.appleCredentialState(sheet.user) == "authorized")
    try await device.auth.revokeToken(withAuthorizationCode: again.code)
    #expect(try await device.server.providers.appleCredentialState(sheet.user) == "revoked")
    try await user.delete()
    #expect(device.auth.currentUser == nil)
    #expect(try await device.launchedAgain().auth.currentUser == nil)
    #expect(try await device.server.administrator.account(user.uid).isNull)
  }

  @Test(arguments: ["apple.com", "google.com"])
  func
    `a link conflict signs in to the other account by the updated credential, without a second sheet`(
      provider: String
    ) async throws
  {
    let device = try FacadeApp(try suiteServer())
    let person = try await device.server.providers.person(email: Unique.email("conflict"))
    func credential() async throws -> AuthCredential {
      provider == "apple.com"
        ? try await device.apple(person).credential : try await device.google(person)
    }
    let owner = try await device.auth.signIn(with: try await credential()).user.uid
    try device.auth.signOut()
    let guest = try await device.auth.signInAnonymously().user

    let error = await authError { try await guest.link(with: try await credential()) }
    #expect(error?.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
    #expect(device.auth.currentUser === guest)
    let updated = try #require(
      error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential)
    let result = try await device.auth.signIn(with: updated)
    #expect(result.user.uid == owner)
    #expect(device.auth.currentUser?.uid == owner)
  }

  /// Firebase's guide: "you must first attempt to link the accounts using the old Sign in with Apple
  /// credential and then examine the error returned to find a new credential".
  @Test
  func `linking a used credential of another account fails with a new credential`()
    async throws
  {
    let device = try FacadeApp(try suiteServer())
    let ada = try await device.server.providers.person(email: Unique.email("old"))
    let old = try await device.apple(ada).credential
    let first = try await device.auth.signIn(with: old).user.uid
    // Another account of the same user, signed in without a sign-out first.
    let other = try await device.auth.createUser(
      withEmail: Unique.email("other"), password: "correct horse"
    ).user
    let error = await authError { try await other.link(with: old) }
    #expect(error?.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
    let new = try #require(
      error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential)
    #expect(try await device.auth.signIn(with: new).user.uid == first)

    // A sign-out deletes what was stored about the credential.
    try device.auth.signOut()
    let third = try await device.auth.signInAnonymously().user
    #expect(await authCode { try await third.link(with: old) } == .missingOrInvalidNonce)
  }

  @Test func `another user's Apple account doesn't re-authenticate`() async throws {
    let device = try FacadeApp(try suiteServer())
    let ann = try await device.server.providers.person()
    let bob = try await device.server.providers.person()
    let user = try await device.auth.signIn(with: try await device.apple(ann).credential).user
    // First Bob has no account, then he has one.
    for _ in 0..<2 {
      let code = await authCode {
        try await user.reauthenticate(with: try await device.apple(bob).credential)
      }
      #expect(code == .userMismatch)
      #expect(device.auth.currentUser === user)
      let other = try FacadeApp(device.server)
      try await other.auth.signIn(with: try await other.apple(bob).credential)
    }
  }

  @Test
  func `an anonymous account gets an Apple identity, and only the token listener is called`()
    async throws
  {
    let device = try FacadeApp(try suiteServer())
    let user = try await device.auth.signInAnonymously().user
    #expect(user.isAnonymous)
    var states = device.auth.authStateChanges.makeAsyncIterator()
    var tokens = device.auth.idTokenChanges.makeAsyncIterator()
    #expect(await states.next() == user)
    #expect(await tokens.next() == user)

    let person = try await device.server.providers.person(email: Unique.email("upgrade"))
    try await user.link(with: try await device.apple(person).credential)
    #expect(!user.isAnonymous && user.email != nil)
    #expect(await tokens.next() == user)
    try device.auth.signOut()
    #expect(await states.next() == .some(nil))
  }
}

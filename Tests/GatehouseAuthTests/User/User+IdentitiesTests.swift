import GatehouseAuth
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UserIdentitiesTests {
  static let password = EmailAuthProvider.credential(
    withEmail: "ann@example.com", password: "secret-1")
  static let google = GoogleAuthProvider.credential(withIDToken: "g", accessToken: "a")

  @Test func `re-authentication gives the same user a new token`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let before = try await user.getIDToken()
    let result = try await user.reauthenticate(with: Self.password)
    #expect(result.user === user)
    #expect(try await user.getIDToken() != before)
  }

  @Test func `re-authentication as another user is rejected, in both forms, and changes no user`()
    async throws
  {
    let test = try TestApp()
    let user = try await test.signedIn()
    let other = EmailAuthProvider.credential(withEmail: "bob@example.com", password: "secret-1")
    let thrown = await authError { try await user.reauthenticate(with: other) }
    let handed = await withCheckedContinuation { continuation in
      user.reauthenticate(with: other) { result, error in
        #expect(result == nil)
        continuation.resume(returning: error as NSError?)
      }
    }
    #expect([thrown?.authCode, handed?.authCode] == [.userMismatch, .userMismatch])
    #expect(test.auth.currentUser === user)
  }

  @Test func `re-authentication without an account is a mismatch and no sign-out`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    test.server.refuse("accounts:signInWithIdp", "USER_NOT_FOUND")
    let error = await authError { try await user.reauthenticate(with: Self.google) }
    #expect(error?.authCode == .userMismatch)
    #expect(test.auth.currentUser === user)
  }

  @Test func `re-authentication with an unknown address is a mismatch and no sign-out`()
    async throws
  {
    let test = try TestApp()
    let user = try await test.signedIn()
    test.server.refuse("accounts:signInWithPassword", "EMAIL_NOT_FOUND")
    let error = await authError { try await user.reauthenticate(with: Self.password) }
    #expect(error?.authCode == .userMismatch)
    #expect(test.auth.currentUser === user)
  }

  @Test func `a wrong password has the same error as at sign-in`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    test.server.refuse("accounts:signInWithPassword", "INVALID_LOGIN_CREDENTIALS")
    let error = await authError { try await user.reauthenticate(with: Self.password) }
    #expect(error?.authCode == .invalidCredential)
  }

  @Test func `a provider that is already linked is rejected before a request`() async throws {
    let test = try TestApp()
    test.server.setProfile(
      "ann@example.com", ["providerUserInfo": #"[{"providerId":"google.com","rawId":"1"}]"#])
    let user = try await test.signedIn()
    let before = test.server.calls.count
    let error = await authError { try await user.link(with: Self.google) }
    #expect(error?.authCode == .providerAlreadyLinked)
    #expect(test.server.calls.count == before)
  }

  @Test func `a provider that the account doesn't have can't be unlinked, and no request is sent`()
    async throws
  {
    let test = try TestApp()
    let user = try await test.signedIn()
    let before = test.server.calls.count
    let error = await authError { try await user.unlink(fromProvider: "google.com") }
    #expect(error?.code == 17016)
    #expect(error?.authCode == .noSuchProvider)
    #expect(test.server.calls.count == before)
  }

  @Test(arguments: [
    ("FEDERATED_USER_ID_ALREADY_LINKED", AuthErrorCode.credentialAlreadyInUse),
    ("EMAIL_EXISTS", .emailAlreadyInUse),
  ])
  func `a link conflict has a credential that signs in to the other account`(
    message: String, code: AuthErrorCode
  ) async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    test.server.next(
      "accounts:signInWithIdp",
      #"""
      {"errorMessage":"\#(message)","email":"other@example.com","providerId":"google.com",
       "oauthIdToken":"used","pendingToken":"pending-1"}
      """#)
    let error = await authError { try await user.link(with: Self.google) }
    #expect(error?.authCode == code)
    #expect(error?.userInfo[AuthErrorUserInfoEmailKey] as? String == "other@example.com")
    let updated = try #require(
      error?.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential)
    #expect(updated.provider == "google.com")
    #expect(test.auth.currentUser === user)

    try await test.auth.signIn(with: updated)
    let body = test.server.last("accounts:signInWithIdp")
    #expect(body?["pendingToken"] == "pending-1")
    #expect(body?["postBody"]?.contains("id_token") == false, "the used token isn't sent again")
  }

  @Test func `an anonymous user who links a password is no longer anonymous`() async throws {
    let test = try TestApp()
    let user = try await test.auth.signInAnonymously().user
    let result = try await user.link(with: Self.password)
    #expect(result.user === user)
    #expect(user.email == "ann@example.com")
    #expect(test.server.last("accounts:signUp")?["idToken"] != nil)
  }

  @Test(arguments: [
    ("", "123456", AuthErrorCode.missingVerificationID),
    ("id", "", .missingVerificationCode),
  ])
  func `an incomplete phone credential is never sent`(
    _ id: String, _ code: String, _ expected: AuthErrorCode
  ) async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let phone = PhoneAuthProvider.provider(auth: test.auth).credential(
      withVerificationID: id, verificationCode: code)
    let errors = [
      await authError { _ = try await test.auth.signIn(with: phone) },
      await authError { try await user.link(with: phone) },
      await authError { try await user.updatePhoneNumber(phone) },
    ]
    #expect(errors.map { $0?.authCode } == .init(repeating: expected, count: 3))
    #expect(test.server.last("accounts:signInWithPhoneNumber") == nil)
  }

  @Test func `revoking Apple's tokens sends the code with the user's token`() async throws {
    let test = try TestApp()
    _ = try await test.signedIn()
    try await test.auth.revokeToken(withAuthorizationCode: "code-1")
    let call = test.server.last("accounts:revokeToken")
    #expect(call?["token"] == "code-1")
    #expect(call?["providerId"] == "apple.com")
    #expect(call?["idToken"] != nil)
  }

  @Test func `revoking without a signed-in user is refused in both forms`() async throws {
    let test = try TestApp()
    let thrown = await authError {
      try await test.auth.revokeToken(withAuthorizationCode: "code-1")
    }
    let handed = await withCheckedContinuation { continuation in
      test.auth.revokeToken(withAuthorizationCode: "code-1") {
        continuation.resume(returning: $0 as NSError?)
      }
    }
    #expect([thrown?.authCode, handed?.authCode] == [.nullUser, .nullUser])
    #expect(test.server.calls.isEmpty)
  }
}

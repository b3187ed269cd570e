import GatehouseAuth
import Foundation
import GatehouseClient
import Testing

/// The error that an app gets for each error of the client.
@Suite("The client's errors") struct ClientErrorNSErrorTests {
  private var updated: IdentityProviderCredential {
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = "id-token"
    credential.pendingToken = "pending-token"
    return credential
  }

  private func cause(_ error: NSError) -> NSError? {
    error.userInfo[NSUnderlyingErrorKey] as? NSError
  }

  @Test func `another account has the credential: 17025 with the updated one and the email`() throws
  {
    let error = ClientError.credentialInUse(
      updated: updated, email: "ana@example.com", code: "FEDERATED_USER_ID_ALREADY_LINKED"
    ).nsError()
    #expect(error.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
    #expect(error.userInfo[AuthErrorUserInfoEmailKey] as? String == "ana@example.com")
    let credential = try #require(
      error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? OAuthCredential)
    #expect(credential.provider == "apple.com")
    #expect(try credential.clientCredential() == .identityProvider(updated))
  }

  @Test func `another account has the email: 17007 with the updated one and the email`() throws {
    let error = ClientError.credentialInUse(
      updated: updated, email: "ana@example.com", code: "EMAIL_EXISTS"
    ).nsError()
    #expect(error.code == AuthErrorCode.emailAlreadyInUse.rawValue)
    #expect(error.userInfo[AuthErrorUserInfoEmailKey] as? String == "ana@example.com")
    #expect(error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] is OAuthCredential)
  }

  @Test func `without an updated credential the key is absent`() {
    let error = ClientError.credentialInUse(updated: nil, email: nil, code: "EMAIL_EXISTS")
      .nsError()
    #expect(error.code == AuthErrorCode.emailAlreadyInUse.rawValue)
    #expect(error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] == nil)
    #expect(error.userInfo[AuthErrorUserInfoEmailKey] == nil)
  }

  @Test func `another account has the phone number: 17025 with the updated credential`() throws {
    let proof = PhoneCredential.temporaryProof("proof", phoneNumber: "+15555550100")
    let error = ClientError.phoneNumberInUse(updated: proof).nsError()
    #expect(error.code == AuthErrorCode.credentialAlreadyInUse.rawValue)
    let credential = try #require(
      error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] as? PhoneAuthCredential)
    #expect(try credential.clientCredential() == .phoneNumber(proof))
    #expect(
      ClientError.phoneNumberInUse(updated: nil).nsError()
        .userInfo[AuthErrorUserInfoUpdatedCredentialKey] == nil)
  }

  @Test func `an account has another sign-in method: 17012 with the providers`() {
    let error = ClientError.accountExists(
      email: "ana@example.com", providers: [.google], updated: updated
    ).nsError()
    #expect(error.code == AuthErrorCode.accountExistsWithDifferentCredential.rawValue)
    #expect(error.userInfo[AuthErrorUserInfoEmailKey] as? String == "ana@example.com")
    #expect(error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] is OAuthCredential)
    #expect(error.userInfo[AuthErrors.userInfoProvidersKey] as? [String] == ["google.com"])
  }

  @Test func `a sign-in that is too old: 17014 with the providers to renew it`() {
    let error = ClientError.needsRecentSignIn(providers: [.apple, .password]).nsError()
    #expect(error.code == AuthErrorCode.requiresRecentLogin.rawValue)
    #expect(
      error.userInfo[AuthErrors.userInfoProvidersKey] as? [String] == ["apple.com", "password"])
  }

  @Test func `a nonce that doesn't match: 17094 with the server's message`() {
    let error = ClientError.nonce(detail: "Nonce is missing in the request.").nsError()
    #expect(error.code == AuthErrorCode.missingOrInvalidNonce.rawValue)
    #expect(error.localizedDescription == "Nonce is missing in the request.")
    #expect(
      ClientError.nonce(detail: "").nsError().localizedDescription
        == AuthErrorCode.missingOrInvalidNonce.text)
  }

  @Test(arguments: [
    (SessionEnd.revoked, AuthErrorCode.userTokenExpired), (.disabled, .userDisabled),
    (.deleted, .userNotFound), (.invalid, .invalidUserToken),
  ])
  func `a session that ended has the code of its reason`(_ end: SessionEnd, _ code: AuthErrorCode) {
    #expect(ClientError.sessionEnded(end).nsError().code == code.rawValue)
  }

  @Test(arguments: [
    (NetworkFault.Kind.offline, URLError.Code.notConnectedToInternet), (.timedOut, .timedOut),
    (.cannotConnect, .cannotConnectToHost), (.secureConnectionFailed, .secureConnectionFailed),
    (.lost, .networkConnectionLost), (.serverUnavailable, .badServerResponse), (.other, .unknown),
  ])
  func `a network error: 17020 with URLSession's error in it`(
    _ kind: NetworkFault.Kind, _ code: URLError.Code
  ) {
    let error = ClientError.network(NetworkFault(kind, detail: "why")).nsError()
    #expect(error.code == AuthErrorCode.networkError.rawValue)
    #expect(cause(error)?.domain == NSURLErrorDomain)
    #expect(cause(error)?.code == code.rawValue)
    #expect(cause(error)?.localizedDescription == "why")
  }

  @Test func `a failing store: 17995 with the reason`() {
    let error = ClientError.store(StoreFault(.locked, detail: "no unlock yet")).nsError()
    #expect(error.code == AuthErrorCode.keychainError.rawValue)
    #expect(error.localizedFailureReason == "locked: no unlock yet")
  }

  @Test(arguments: [
    (ClientError.userMismatch, AuthErrorCode.userMismatch), (.notSignedIn, .nullUser),
  ])
  func `each other error has its code`(_ error: ClientError, _ code: AuthErrorCode) {
    #expect(error.nsError().code == code.rawValue)
  }

  @Test func `cancelled: 17058 with a browser open, otherwise a cancelled request`() {
    #expect(
      ClientError.cancelled.nsError(inBrowser: true).code
        == AuthErrorCode.webContextCancelled.rawValue)
    let error = ClientError.cancelled.nsError()
    #expect(error.code == AuthErrorCode.networkError.rawValue)
    #expect(cause(error)?.code == URLError.Code.cancelled.rawValue)
  }

  @Test func `an invalid argument: 17999 with the detail`() {
    let error = ClientError.invalidArgument(detail: "state is set by the server").nsError()
    #expect(error.code == AuthErrorCode.internalError.rawValue)
    #expect(error.localizedDescription == "state is set by the server")
    #expect(cause(error)?.code == InternalAuthError.requestEncoding.rawValue)
  }

  @Test func `a malformed response: 17999 with the decoding error in it`() {
    let error = ClientError.badAnswer(detail: "no localId").nsError()
    #expect(error.code == AuthErrorCode.internalError.rawValue)
    #expect(cause(error)?.domain == "FIRAuthInternalErrorDomain")
    #expect(cause(error)?.code == InternalAuthError.responseDecoding.rawValue)
  }

  @Test func `consent is missing: 17999 with what would be linked and the updated one`() {
    let error = ClientError.consentRequired(joins: ["apple.com", "email"], updated: updated)
      .nsError()
    #expect(error.code == AuthErrorCode.internalError.rawValue)
    #expect(
      error.userInfo[AuthErrors.userInfoConsentJoinsKey] as? [String] == ["apple.com", "email"])
    #expect(error.userInfo[AuthErrorUserInfoUpdatedCredentialKey] is OAuthCredential)
    #expect(error.localizedRecoverySuggestion != nil)
    let answer = cause(error)?.userInfo[InternalAuthError.responseKey] as? [String: Any]
    #expect(answer?["code"] as? String == "CONSENT_REQUIRED")
  }
}

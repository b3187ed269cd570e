import Foundation

/// What Apple's sheet answered, and the nonce that it was asked with.
struct AppleSheetAnswer: Sendable {
  let authorization: AppleAuthorization
  let nonce: Nonce

  /// For signing in and linking: with the code, by which the server can later revoke, and with what
  /// Apple tells only once.
  func credential() throws(AccountError) -> Credential {
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = try identityToken()
    credential.rawNonce = nonce.raw
    // Without a code the person is signed in all the same.
    credential.authorizationCode = authorization.authorizationCode.flatMap {
      String(validating: $0, as: UTF8.self)
    }
    credential.fullName = authorization.fullName
    credential.email = authorization.email
    return .identityProvider(credential)
  }

  /// The same proof without the code: that works once, and is wanted for the revocation.
  func proof() throws(AccountError) -> Credential {
    .apple(idToken: try identityToken(), nonce: nonce)
  }

  func authorizationCode() throws(AccountError) -> String {
    guard let data = authorization.authorizationCode, !data.isEmpty else {
      throw .answer(.noAuthorizationCode)
    }
    guard let code = String(validating: data, as: UTF8.self) else {
      throw .answer(.authorizationCodeNotUTF8)
    }
    return code
  }

  private func identityToken() throws(AccountError) -> String {
    guard let data = authorization.identityToken, !data.isEmpty else {
      throw .answer(.noIdentityToken)
    }
    guard let token = String(validating: data, as: UTF8.self) else {
      throw .answer(.identityTokenNotUTF8)
    }
    return token
  }
}

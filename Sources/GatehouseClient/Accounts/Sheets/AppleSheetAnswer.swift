import Foundation
import GatehouseProtocol

/// The response of Apple's sheet, with the nonce of the request.
struct AppleSheetAnswer: Sendable {
  let authorization: AppleAuthorization
  let nonce: Nonce

  /// The credential for signing in and linking. It contains the authorization code, with which the
  /// server can revoke later, and the data that Apple sends only once.
  func credential() throws(AccountError) -> Credential {
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = try identityToken()
    credential.rawNonce = nonce.raw
    // A sign-in doesn't need the code.
    credential.authorizationCode = authorization.authorizationCode.flatMap {
      String(validUTF8: $0)
    }
    credential.fullName = authorization.fullName
    credential.email = authorization.email
    credential.realUserStatus = authorization.realUserStatus
    return .identityProvider(credential)
  }

  /// The credential for re-authentication: without the code, which works only once and is needed
  /// for the revocation.
  func proof() throws(AccountError) -> Credential {
    .apple(idToken: try identityToken(), nonce: nonce)
  }

  func authorizationCode() throws(AccountError) -> String {
    guard let data = authorization.authorizationCode, !data.isEmpty else {
      throw .answer(.noAuthorizationCode)
    }
    guard let code = String(validUTF8: data) else {
      throw .answer(.authorizationCodeNotUTF8)
    }
    return code
  }

  private func identityToken() throws(AccountError) -> String {
    guard let data = authorization.identityToken, !data.isEmpty else {
      throw .answer(.noIdentityToken)
    }
    guard let token = String(validUTF8: data) else {
      throw .answer(.identityTokenNotUTF8)
    }
    return token
  }
}

public import Foundation
internal import GatehouseClient

// Creates credentials from tokens that the app has. Nothing checks the tokens here.

extension OAuthProvider {
  /// - Parameters:
  ///   - providerID: The id in the server's configuration, like `.custom("oidc.example")`.
  ///   - idToken: The provider's ID token, for a client id that is configured in the project.
  ///   - accessToken: Nil if there is none.
  public static func credential(
    providerID: AuthProviderID, idToken: String, accessToken: String? = nil
  ) -> OAuthCredential {
    OAuthCredential(providerID.rawValue, idToken: idToken, accessToken: accessToken)
  }

  /// For a provider without ID tokens.
  public static func credential(
    providerID: AuthProviderID, accessToken: String
  ) -> OAuthCredential {
    OAuthCredential(providerID.rawValue, accessToken: accessToken)
  }

  /// - Parameters:
  ///   - providerID: The id in the server's configuration, like `.apple`.
  ///   - idToken: The provider's ID token, for a client id that is configured in the project.
  ///   - rawNonce: The nonce itself; the request to the provider had its SHA-256. Nil if there was
  ///     none. An attacker who obtains a token without a nonce can replay it.
  ///   - accessToken: Nil if there is none.
  public static func credential(
    providerID: AuthProviderID, idToken: String, rawNonce: String?, accessToken: String? = nil
  ) -> OAuthCredential {
    OAuthCredential(
      providerID.rawValue, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce)
  }

  /// Creates a credential from the result of Apple's sheet.
  ///
  /// - Parameters:
  ///   - idToken: `identityToken` as UTF-8.
  ///   - rawNonce: The nonce itself; the request to Apple had its SHA-256.
  ///   - fullName: Apple sends it only at the first sign-in, so the client keeps it until the
  ///     server has it. Only the given and family name are used.
  public static func appleCredential(
    withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
  ) -> OAuthCredential {
    OAuthCredential(
      AuthProviderID.apple.rawValue, idToken: idToken, rawNonce: rawNonce, fullName: fullName)
  }

  /// Creates a credential from the result of Apple's sheet, with the authorization code. With the
  /// code, the server can revoke Apple's tokens when the account is deleted, without another sheet.
  /// Gatehouse's own API; see also ``appleCredential(withIDToken:rawNonce:fullName:)``.
  ///
  /// - Parameters:
  ///   - authorizationCode: `authorizationCode` as UTF-8.
  ///   - realUserStatus: `realUserStatus.rawValue` of the sheet's credential; the server stores it
  ///     with the identity. Nil if the app doesn't have it. Numbers other than 0, 1 and 2 are not
  ///     sent.
  public static func appleCredential(
    withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?,
    authorizationCode: String, realUserStatus: Int? = nil
  ) -> OAuthCredential {
    OAuthCredential(
      AuthProviderID.apple.rawValue, idToken: idToken, rawNonce: rawNonce, fullName: fullName,
      authorizationCode: authorizationCode,
      realUserStatus: realUserStatus.flatMap { RealUserStatus(rawValue: $0) })
  }
}

extension OAuthCredential {
  fileprivate convenience init(
    _ provider: String, idToken: String? = nil, accessToken: String? = nil,
    rawNonce: String? = nil, fullName: PersonNameComponents? = nil,
    authorizationCode: String? = nil, realUserStatus: RealUserStatus? = nil
  ) {
    var value = IdentityProviderCredential(provider: Provider(provider))
    value.idToken = idToken
    value.accessToken = accessToken
    value.rawNonce = rawNonce
    value.authorizationCode = authorizationCode
    value.realUserStatus = realUserStatus
    value.fullName = fullName.map {
      PersonName(givenName: $0.givenName, familyName: $0.familyName)
    }
    self.init(value)
  }
}

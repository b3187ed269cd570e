public import Foundation
internal import GatehouseClient

// Credentials of tokens that the app has. Nothing is checked before they are used.

extension OAuthProvider {
  /// - Parameters:
  ///   - providerID: As the operator named it, like `.custom("oidc.example")`.
  ///   - idToken: The provider's, for a client id that the project knows.
  ///   - accessToken: Nil if there is none.
  public static func credential(
    providerID: AuthProviderID, idToken: String, accessToken: String? = nil
  ) -> OAuthCredential {
    OAuthCredential(providerID.rawValue, idToken: idToken, accessToken: accessToken)
  }

  /// For a provider that has no ID tokens.
  public static func credential(
    providerID: AuthProviderID, accessToken: String
  ) -> OAuthCredential {
    OAuthCredential(providerID.rawValue, accessToken: accessToken)
  }

  /// - Parameters:
  ///   - providerID: As the operator named it, like `.apple`.
  ///   - idToken: The provider's, for a client id that the project knows.
  ///   - rawNonce: The nonce itself; its SHA-256 was in the request to the provider. Nil if there was
  ///     none: a token without a nonce can be replayed by whoever gets hold of it.
  ///   - accessToken: Nil if there is none.
  public static func credential(
    providerID: AuthProviderID, idToken: String, rawNonce: String?, accessToken: String? = nil
  ) -> OAuthCredential {
    OAuthCredential(
      providerID.rawValue, idToken: idToken, accessToken: accessToken, rawNonce: rawNonce)
  }

  /// Of what Apple's sheet gave the app.
  ///
  /// - Parameters:
  ///   - idToken: `identityToken` as UTF-8.
  ///   - rawNonce: The nonce itself; its SHA-256 was in the request to Apple.
  ///   - fullName: Apple tells it once, at the first sign-in: it is kept until the server has it.
  ///     Given and family name count.
  public static func appleCredential(
    withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?
  ) -> OAuthCredential {
    OAuthCredential(
      AuthProviderID.apple.rawValue, idToken: idToken, rawNonce: rawNonce, fullName: fullName)
  }

  /// ``appleCredential(withIDToken:rawNonce:fullName:)`` with the sheet's authorization code. Firebase
  /// has no such method: with the code the server can revoke Apple's tokens when the account is
  /// deleted, without another sheet.
  ///
  /// - Parameter authorizationCode: `authorizationCode` as UTF-8.
  public static func appleCredential(
    withIDToken idToken: String, rawNonce: String?, fullName: PersonNameComponents?,
    authorizationCode: String
  ) -> OAuthCredential {
    OAuthCredential(
      AuthProviderID.apple.rawValue, idToken: idToken, rawNonce: rawNonce, fullName: fullName,
      authorizationCode: authorizationCode)
  }
}

extension OAuthCredential {
  fileprivate convenience init(
    _ provider: String, idToken: String? = nil, accessToken: String? = nil,
    rawNonce: String? = nil, fullName: PersonNameComponents? = nil,
    authorizationCode: String? = nil
  ) {
    var value = IdentityProviderCredential(provider: Provider(provider))
    value.idToken = idToken
    value.accessToken = accessToken
    value.rawNonce = rawNonce
    value.authorizationCode = authorizationCode
    value.fullName = fullName.map {
      PersonName(givenName: $0.givenName, familyName: $0.familyName)
    }
    self.init(value)
  }
}

// Functions of Firebase up to 10.29, which its guides still show. `AuthProviderID` accepts a string
// literal, so that the fix-its compile.

extension OAuthProvider {
  @available(*, deprecated, renamed: "credential(providerID:idToken:rawNonce:)")
  public static func credential(
    withProviderID providerID: String, idToken: String, rawNonce: String?
  ) -> OAuthCredential {
    credential(providerID: .custom(providerID), idToken: idToken, rawNonce: rawNonce)
  }

  /// As the guides of Firebase 6 to 8 print it.
  @available(*, deprecated, renamed: "credential(providerID:idToken:rawNonce:)")
  public static func credential(
    withProviderID providerID: String, IDToken: String, rawNonce: String?
  ) -> OAuthCredential {
    credential(providerID: .custom(providerID), idToken: IDToken, rawNonce: rawNonce)
  }

  @available(*, deprecated, renamed: "credential(providerID:idToken:rawNonce:accessToken:)")
  public static func credential(
    withProviderID providerID: String, idToken: String, rawNonce: String?, accessToken: String?
  ) -> OAuthCredential {
    credential(
      providerID: .custom(providerID), idToken: idToken, rawNonce: rawNonce,
      accessToken: accessToken)
  }

  @available(*, deprecated, renamed: "credential(providerID:idToken:accessToken:)")
  public static func credential(
    withProviderID providerID: String, idToken: String, accessToken: String?
  ) -> OAuthCredential {
    credential(providerID: .custom(providerID), idToken: idToken, accessToken: accessToken)
  }

  @available(*, deprecated, renamed: "credential(providerID:accessToken:)")
  public static func credential(
    withProviderID providerID: String, accessToken: String
  ) -> OAuthCredential {
    credential(providerID: .custom(providerID), accessToken: accessToken)
  }

  @available(*, deprecated, renamed: "init(providerID:)")
  public class func provider(providerID: String) -> OAuthProvider {
    OAuthProvider(providerID: providerID)
  }

  @available(*, deprecated, renamed: "init(providerID:auth:)")
  public class func provider(providerID: String, auth: Auth) -> OAuthProvider {
    OAuthProvider(providerID: providerID, auth: auth)
  }
}

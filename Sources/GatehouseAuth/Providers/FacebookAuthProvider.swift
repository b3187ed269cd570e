public import Foundation
internal import GatehouseClient

/// Creates credentials from the tokens that Facebook's SDK gave the app.
open class FacebookAuthProvider: NSObject {
  /// `facebook.com`
  public static let id = "facebook.com"

  /// - Parameter accessToken: Facebook's access token, for an app id that is configured in the
  ///   project. Limited Login returns an ID token instead: use
  ///   ``OAuthProvider/credential(providerID:idToken:rawNonce:accessToken:)``.
  open class func credential(withAccessToken accessToken: String) -> AuthCredential {
    var value = IdentityProviderCredential(provider: .facebook)
    value.accessToken = accessToken
    return TokenCredential(value)
  }

  @available(
    *, unavailable, message: "It has no instances: use FacebookAuthProvider.credential"
  )
  override public init() { super.init() }
}

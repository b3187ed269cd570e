public import Foundation
internal import GatehouseClient

/// Makes credentials of what Facebook's SDK gave the app.
open class FacebookAuthProvider: NSObject {
  /// `facebook.com`
  public static let id = "facebook.com"

  /// - Parameter accessToken: Facebook's, for an app id that the project knows. For Limited Login, which
  ///   has an ID token, use ``OAuthProvider/credential(providerID:idToken:rawNonce:accessToken:)``.
  open class func credential(withAccessToken accessToken: String) -> AuthCredential {
    var value = IdentityProviderCredential(provider: .facebook)
    value.accessToken = accessToken
    return TokenCredential(value)
  }

  @available(
    *, unavailable, message: "There is only the class: use FacebookAuthProvider.credential"
  )
  override public init() { super.init() }
}

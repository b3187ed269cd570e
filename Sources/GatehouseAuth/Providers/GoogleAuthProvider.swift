public import Foundation
internal import GatehouseClient

/// Creates credentials from the tokens that Google's SDK gave the app.
open class GoogleAuthProvider: NSObject {
  /// `google.com`
  public static let id = "google.com"

  /// - Parameters:
  ///   - idToken: Google's ID token, for a client id that is configured in the project.
  ///   - accessToken: Google's access token for the same sign-in; the server doesn't store it. May
  ///     be empty.
  open class func credential(
    withIDToken idToken: String, accessToken: String
  ) -> AuthCredential {
    var value = IdentityProviderCredential(provider: .google)
    value.idToken = idToken
    value.accessToken = accessToken.isEmpty ? nil : accessToken
    return TokenCredential(value)
  }

  @available(*, unavailable, message: "It has no instances: use GoogleAuthProvider.credential")
  override public init() { super.init() }
}

public import Foundation
internal import GatehouseClient

/// Makes credentials of what Google's SDK gave the app.
open class GoogleAuthProvider: NSObject {
  /// `google.com`
  public static let id = "google.com"

  /// - Parameters:
  ///   - idToken: Google's ID token, for a client id that the project knows.
  ///   - accessToken: Kept by the server, to be revoked; may be empty.
  open class func credential(
    withIDToken idToken: String, accessToken: String
  ) -> AuthCredential {
    var value = IdentityProviderCredential(provider: .google)
    value.idToken = idToken
    value.accessToken = accessToken.isEmpty ? nil : accessToken
    return TokenCredential(value)
  }

  @available(*, unavailable, message: "There is only the class: use GoogleAuthProvider.credential")
  override public init() { super.init() }
}

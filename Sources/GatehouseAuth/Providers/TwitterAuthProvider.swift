public import Foundation
internal import GatehouseClient

/// Creates credentials from Twitter's tokens. Gatehouse's server has no such provider and rejects
/// them.
open class TwitterAuthProvider: NSObject {
  /// `twitter.com`
  public static let id = "twitter.com"

  /// - Parameters:
  ///   - token: OAuth 1.0a's token.
  ///   - secret: OAuth 1.0a's token secret.
  open class func credential(withToken token: String, secret: String) -> AuthCredential {
    var value = IdentityProviderCredential(provider: Provider(id))
    value.accessToken = token
    value.secret = secret
    return TokenCredential(value)
  }

  @available(*, unavailable, message: "It has no instances: use TwitterAuthProvider.credential")
  override public init() { super.init() }
}

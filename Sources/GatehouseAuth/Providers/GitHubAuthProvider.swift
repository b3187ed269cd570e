public import Foundation
internal import GatehouseClient

/// Creates credentials from GitHub's tokens. A project that hasn't enabled GitHub rejects them.
open class GitHubAuthProvider: NSObject {
  /// `github.com`
  public static let id = "github.com"

  /// - Parameter token: GitHub's OAuth 2.0 access token.
  open class func credential(withToken token: String) -> AuthCredential {
    var value = IdentityProviderCredential(provider: Provider(id))
    value.accessToken = token
    return TokenCredential(value)
  }

  @available(*, unavailable, message: "It has no instances: use GitHubAuthProvider.credential")
  override public init() { super.init() }
}

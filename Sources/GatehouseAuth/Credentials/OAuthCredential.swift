public import Foundation
package import GatehouseClient

/// A credential that an identity provider gave the app, or that the server returned.
///
/// An archive contains its secrets unencrypted: store the archive where secrets are kept. Unlike
/// Firebase's, it contains the provider's id.
// `@unchecked`: no lock, because nothing changes after `init`.
open class OAuthCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  /// The provider's ID token, a JWT.
  public let idToken: String?
  /// The provider's access token.
  public let accessToken: String?
  /// OAuth 1.0a's token secret.
  public let secret: String?

  package let value: IdentityProviderCredential

  package init(_ value: IdentityProviderCredential) {
    self.value = value
    idToken = value.idToken
    accessToken = value.accessToken
    secret = value.secret
    super.init(provider: value.provider.rawValue, proof: .identityProvider(value))
  }

  // MARK: NSSecureCoding

  public static let supportsSecureCoding: Bool = true

  public func encode(with coder: NSCoder) { value.encode(with: coder) }

  public required init?(coder: NSCoder) {
    guard let value = IdentityProviderCredential(coder: coder) else { return nil }
    self.value = value
    idToken = value.idToken
    accessToken = value.accessToken
    secret = value.secret
    super.init(provider: value.provider.rawValue, proof: .identityProvider(value))
  }
}

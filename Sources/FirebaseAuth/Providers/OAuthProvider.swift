public import Foundation
internal import GatehouseClient
internal import Synchronization

/// Signs in with an OpenID Connect or OAuth provider: by tokens that the app has, or in a browser.
// `@unchecked`: `settings` is the lock of what changes. An open class can't be checked.
open class OAuthProvider: NSObject, FederatedAuthProvider, @unchecked Sendable {
  /// Not a provider's id: what the class is called.
  public static let id = "OAuth"

  /// As the operator named it: `apple.com`, `oidc.example`.
  public let providerID: String
  let auth: Auth

  private struct Settings {
    var scopes: [String]?
    var customParameters: [String: String]?
  }
  private let settings = Mutex(Settings())

  /// - Parameters:
  ///   - providerID: As the operator named it, like `oidc.example`. Also `apple.com` and
  ///     `facebook.com`, which Firebase refuses here.
  ///   - auth: Whose project it is.
  public init(providerID: String, auth: Auth = Auth.auth()) {
    self.providerID = providerID
    self.auth = auth
  }

  public convenience init(providerID: AuthProviderID, auth: Auth = Auth.auth()) {
    self.init(providerID: providerID.rawValue, auth: auth)
  }

  public class func provider(providerID: AuthProviderID) -> OAuthProvider {
    OAuthProvider(providerID: providerID)
  }

  public class func provider(providerID: AuthProviderID, auth: Auth) -> OAuthProvider {
    OAuthProvider(providerID: providerID, auth: auth)
  }

  /// What to ask the provider for in a browser, beside `openid`: like `email`. Nil asks for what the
  /// provider's configuration says.
  open var scopes: [String]? {
    get { settings.withLock { $0.scopes } }
    set { settings.withLock { $0.scopes = newValue } }
  }

  /// What to add to the request to the provider, like `login_hint`.
  ///
  /// `client_id`, `response_type`, `redirect_uri`, `state`, `scope` and `response_mode` are the
  /// server's to set: with one of these, ``credential(with:)`` throws
  /// ``AuthErrorCode/internalError`` that names it.
  open var customParameters: [String: String]? {
    get { settings.withLock { $0.customParameters } }
    set { settings.withLock { $0.customParameters = newValue } }
  }
}

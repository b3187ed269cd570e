public import Foundation
internal import GatehouseClient
internal import GatehouseProtocol

/// Signs in with an OpenID Connect or OAuth provider: with tokens that the app has, or in a
/// browser.
// `@unchecked`: `settings` is the lock of everything that changes. An open class can't be checked.
open class OAuthProvider: NSObject, FederatedAuthProvider, @unchecked Sendable {
  /// The id of the class, not of a provider.
  public static let id = "OAuth"

  /// The id in the server's configuration: `apple.com`, `oidc.example`.
  public let providerID: String
  let auth: Auth

  private struct Settings {
    var scopes: [String]?
    var customParameters: [String: String]?
  }
  private let settings = Locked(Settings())

  /// - Parameters:
  ///   - providerID: The id in the server's configuration, like `oidc.example`. Google's SDK
  ///     refuses `apple.com` and `facebook.com` here; this SDK accepts them.
  ///   - auth: The `Auth` of the project.
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

  /// The scopes to request in a browser sign-in, like `calendar.readonly`, in addition to those
  /// that the server needs. Nil requests the server's usual scopes for the provider.
  open var scopes: [String]? {
    get { settings.withLock { $0.scopes } }
    set { settings.withLock { $0.scopes = newValue } }
  }

  /// Parameters to add to the request to the provider, like `login_hint`.
  ///
  /// Only the server may set the parameters that protect the sign-in, such as `client_id`,
  /// `response_type`, `response_mode`, `redirect_uri`, `state`, `scope`, `nonce`, `code_challenge`,
  /// `request` and `id_token_hint`. If one of them is here, ``credential(with:)`` throws an
  /// ``AuthErrorCode/internalError`` that names it.
  open var customParameters: [String: String]? {
    get { settings.withLock { $0.customParameters } }
    set { settings.withLock { $0.customParameters = newValue } }
  }
}

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
    // Google's, so that an app can append to them.
    var scopes: [String]? = [""]
    var customParameters: [String: String]? = [:]
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
  /// that the server needs. Begins as `[""]`, like Google's; empty ones are not sent. Without any, or
  /// with nil, the server requests its usual scopes for the provider.
  open var scopes: [String]? {
    get { settings.withLock { $0.scopes } }
    set { settings.withLock { $0.scopes = newValue } }
  }

  /// Parameters to add to the request to the provider, like `login_hint`. Begins empty.
  ///
  /// Only the server may set the parameters that protect the sign-in, such as `client_id`,
  /// `response_type`, `response_mode`, `redirect_uri`, `state`, `scope`, `nonce`, `code_challenge`,
  /// `request` and `id_token_hint`. If one of them is here, ``credential(with:)`` throws an
  /// ``AuthErrorCode/internalError`` that names it.
  open var customParameters: [String: String]? {
    get { settings.withLock { $0.customParameters } }
    set { settings.withLock { $0.customParameters = newValue } }
  }

  // MARK: In a browser

  /// Opens the server's page for this provider in a browser, and creates a credential from its
  /// response. Works on every platform. Google's SDK has it only on iOS.
  ///
  /// - Parameter uiDelegate: See ``AuthUIDelegate``. If nil, the system's sheet is shown over the
  ///   front window. On Linux, the system's browser is opened.
  /// - Throws: ``AuthErrorCode/webContextCancelled`` if the user closed the browser or the task was
  ///   cancelled; ``AuthErrorCode/webContextAlreadyPresented`` while another browser is open;
  ///   ``AuthErrorCode/invalidClientID`` with a recovery suggestion, if the app doesn't register
  ///   the callback URL scheme; ``AuthErrorCode/unauthorizedDomain`` if the project doesn't authorize
  ///   ``Auth/customAuthDomain``; ``AuthErrorCode/internalError`` for a reserved custom parameter;
  ///   ``AuthErrorCode/webNetworkRequestFailed``, ``AuthErrorCode/webInternalError``,
  ///   ``AuthErrorCode/webSignInUserInteractionFailure`` for errors that the page returned.
  open func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential {
    let browser = try SystemBrowser.make(for: auth, delegate: uiDelegate)
    var signIn = BrowserSignIn(
      provider: Provider(providerID), scopes: (scopes ?? []).filter { !$0.isEmpty },
      customParameters: customParameters ?? [:])
    signIn.handlerHost = try await auth.handlerHost()
    do throws(BrowserFault) {
      return OAuthCredential(try await signIn.credential(for: auth.client, in: browser))
    } catch {
      throw error.nsError
    }
  }

  /// As ``credential(with:)``, with a handler that is called once, on the main actor.
  open func getCredentialWith(
    _ uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthCredential?, (any Error)?) -> Void)? = nil
  ) {
    let request = ProviderRequest(provider: self, delegate: uiDelegate)
    completing(completion) { try await request.provider.credential(with: request.delegate) }
  }
}

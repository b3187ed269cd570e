internal import GatehouseCore
internal import GatehouseClient

extension OAuthProvider {
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
  public func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential {
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
  public func getCredentialWith(
    _ uiDelegate: (any AuthUIDelegate)?,
    completion: ((AuthCredential?, (any Error)?) -> Void)? = nil
  ) {
    let request = ProviderRequest(provider: self, delegate: uiDelegate)
    completing(completion) { try await request.provider.credential(with: request.delegate) }
  }
}

public import Foundation

/// A provider whose sign-in runs in a browser: ``OAuthProvider``.
public protocol FederatedAuthProvider: NSObjectProtocol {
  /// Opens a browser, and creates a credential from its response.
  ///
  /// - Parameter uiDelegate: Presents the browser. If nil, the system's sheet is shown over the
  ///   front window. On Linux, the system's browser is opened.
  func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential
}

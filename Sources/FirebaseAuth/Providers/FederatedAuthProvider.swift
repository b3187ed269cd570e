public import Foundation

/// A provider whose sign-in runs in a browser: ``OAuthProvider``.
public protocol FederatedAuthProvider: NSObjectProtocol {
  /// Opens a browser, and creates a credential from its response.
  ///
  /// - Parameter uiDelegate: Presents the browser. Nil for the front window, and on platforms
  ///   without UIKit.
  func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential
}

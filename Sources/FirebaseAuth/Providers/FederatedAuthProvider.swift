public import Foundation

/// A provider whose sign-in runs in a browser: ``OAuthProvider``.
public protocol FederatedAuthProvider: NSObjectProtocol {
  /// Opens a browser, and returns what came back.
  ///
  /// - Parameter uiDelegate: What to present on. Nil for the front window, and off UIKit.
  func credential(with uiDelegate: (any AuthUIDelegate)?) async throws -> AuthCredential
}

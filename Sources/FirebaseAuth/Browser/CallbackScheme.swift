package import FirebaseCore

/// The URL scheme by which a browser comes back to the app, as Firebase chooses it.
///
/// The app's reversed Google client id if the app registers it, else `app-` and the app's id with
/// dashes. Whichever, `CFBundleURLTypes` in Info.plist has to have it: the server sends nobody to a
/// scheme that isn't the app's.
package struct CallbackScheme: Sendable {
  package let name: String

  /// - Parameter registered: What the app's Info.plist has.
  /// - Throws: ``AuthErrorCode/invalidClientID`` with the remedy, where the scheme isn't registered.
  ///   Firebase ends the app.
  package init(options: FirebaseOptions, registered: [String]) throws(NSError) {
    let reversed = options.clientID.map {
      $0.split(separator: ".", omittingEmptySubsequences: false).reversed().joined(separator: ".")
    }
    if let reversed, Self.contains(registered, reversed) {
      name = reversed
      return
    }
    let ofApp = "app-" + options.googleAppID.replacing(":", with: "-")
    guard Self.contains(registered, ofApp) else { throw Self.unregistered(reversed ?? ofApp) }
    name = ofApp
  }

  /// Schemes are compared without regard to case (RFC 3986 §3.1).
  private static func contains(_ registered: [String], _ scheme: String) -> Bool {
    registered.contains { $0.lowercased() == scheme.lowercased() }
  }

  private static func unregistered(_ scheme: String) -> NSError {
    AuthErrorCode.invalidClientID.error(
      "The app doesn't register the URL scheme \(scheme).",
      userInfo: [
        NSLocalizedFailureReasonErrorKey: "A browser couldn't come back to the app.",
        NSLocalizedRecoverySuggestionErrorKey:
          "Add a URL type with the scheme \(scheme) to the app's Info.plist (CFBundleURLTypes).",
      ])
  }

  /// The schemes of `CFBundleURLTypes`.
  package static func registered(in info: [String: Any]?) -> [String] {
    let types = info?["CFBundleURLTypes"] as? [[String: Any]] ?? []
    return types.flatMap { $0["CFBundleURLSchemes"] as? [String] ?? [] }
  }
}

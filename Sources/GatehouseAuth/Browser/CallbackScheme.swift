package import GatehouseCore

/// The URL scheme by which a browser's response reaches the app, chosen as in Firebase.
///
/// It is the app's reversed Google client id if the app registers that as a scheme. Otherwise it is
/// `app-` and the app's id, with dashes in place of colons. In both cases it must be in
/// `CFBundleURLTypes` in Info.plist: the server redirects only to the app's own schemes.
package struct CallbackScheme: Sendable {
  package let name: String

  /// - Parameter registered: The schemes in the app's Info.plist.
  /// - Throws: ``AuthErrorCode/invalidClientID`` with a recovery suggestion, if the scheme isn't
  ///   registered. Firebase's SDK stops the app instead.
  package init(options: FirebaseOptions, registered: [String]) throws(NSError) {
    let reversed = options.clientID.map {
      $0.split(separator: ".", omittingEmptySubsequences: false).reversed().joined(separator: ".")
    }
    if let reversed, Self.contains(registered, reversed) {
      name = reversed
      return
    }
    let ofApp =
      "app-"
      + options.googleAppID.split(separator: ":", omittingEmptySubsequences: false)
      .joined(separator: "-")
    guard Self.contains(registered, ofApp) else { throw Self.unregistered(reversed ?? ofApp) }
    name = ofApp
  }

  /// Compared without regard to case (RFC 3986 §3.1).
  private static func contains(_ registered: [String], _ scheme: String) -> Bool {
    registered.contains { $0.lowercased() == scheme.lowercased() }
  }

  private static func unregistered(_ scheme: String) -> NSError {
    AuthErrorCode.invalidClientID.error(
      "The app doesn't register the URL scheme \(scheme).",
      userInfo: [
        NSLocalizedFailureReasonErrorKey: "The browser could not return to the app.",
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

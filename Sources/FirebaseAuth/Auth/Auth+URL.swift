public import Foundation

extension Auth {
  /// Whether `url`, with which the app was opened, belongs to a sign-in in a browser. If so, the
  /// app has nothing more to do with it.
  ///
  /// The response of a browser that an ``AuthUIDelegate`` presents arrives only by this call: make
  /// it in `application(_:open:options:)`, `scene(_:openURLContexts:)` or SwiftUI's `onOpenURL`.
  /// The system's own sheet receives its response itself, so this call does nothing for it.
  @discardableResult
  public func canHandle(_ url: URL) -> Bool {
    if WaitingBrowser.take(url) { return true }
    guard url.host() == "firebaseauth", url.path() == "/link", let scheme = url.scheme, let app
    else { return false }
    return (try? CallbackScheme(options: app.options, registered: [scheme])) != nil
  }
}

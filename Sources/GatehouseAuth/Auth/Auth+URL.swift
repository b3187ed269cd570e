public import Foundation

extension Auth {
  /// Whether `url`, with which the app was opened, belongs to a sign-in in a browser. If so, the
  /// app has nothing more to do with it.
  ///
  /// If an ``AuthUIDelegate`` presents the browser, its response arrives only by this function:
  /// call it in `application(_:open:options:)`, `scene(_:openURLContexts:)` or SwiftUI's
  /// `onOpenURL`. The system's own sheet receives its response itself and doesn't need this call.
  @discardableResult
  public func canHandle(_ url: URL) -> Bool {
    if WaitingBrowser.take(url) { return true }
    guard url.isBrowserResponse, let scheme = url.scheme, let app
    else { return false }
    return (try? CallbackScheme(options: app.options, registered: [scheme])) != nil
  }
}

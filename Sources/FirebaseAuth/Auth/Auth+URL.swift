public import Foundation

extension Auth {
  /// Whether `url`, which the app was opened with, belongs to a sign-in in a browser: then the app
  /// has nothing to do with it.
  ///
  /// A browser that an ``AuthUIDelegate`` presents comes back by this alone: call it in
  /// `application(_:open:options:)`, `scene(_:openURLContexts:)` or SwiftUI's `onOpenURL`. The system's
  /// own sheet takes its answer itself, and nothing is done here.
  @discardableResult
  public func canHandle(_ url: URL) -> Bool {
    if WaitingBrowser.take(url) { return true }
    guard url.host() == "firebaseauth", url.path() == "/link", let scheme = url.scheme, let app
    else { return false }
    return (try? CallbackScheme(options: app.options, registered: [scheme])) != nil
  }
}

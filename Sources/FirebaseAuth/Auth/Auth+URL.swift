public import Foundation

extension Auth {
  /// Whether `url`, which the app was opened with, belongs to a sign-in in a browser: then the app
  /// has nothing to do with it.
  ///
  /// The browser's sheet takes its answer itself, so nothing is done here either.
  public func canHandle(_ url: URL) -> Bool {
    guard url.host() == "firebaseauth", url.path() == "/link", let scheme = url.scheme, let app
    else { return false }
    return (try? CallbackScheme(options: app.options, registered: [scheme])) != nil
  }
}

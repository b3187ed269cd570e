internal import Foundation

extension Auth {
  /// The work of ``canHandle(_:)``.
  func takes(_ url: URL) -> Bool {
    if WaitingBrowser.take(url) { return true }
    guard url.isBrowserResponse, let scheme = url.scheme, let app
    else { return false }
    return (try? CallbackScheme(options: app.options, registered: [scheme])) != nil
  }
}

internal import Foundation
package import GatehouseClient
internal import GatehouseProtocol

/// A browser that the app presents. Its response is a URL with which the app is opened.
///
/// Any app may open a URL of this app's scheme. A URL that doesn't name the waiting request is
/// therefore ignored. The server checks the contents of any other URL, with the session id, which
/// no other process knows.
package final class WaitingBrowser: Sendable {
  private static let current = Locked<WaitingBrowser?>(nil)

  private let scheme: String
  private let eventID: String
  package let answer = SheetAnswer<URL>()

  /// - Parameters:
  ///   - scheme: The app's URL scheme.
  ///   - eventID: The id of the request.
  package init(scheme: String, eventID: String) {
    self.scheme = scheme
    self.eventID = eventID
  }

  /// Starts to wait. A browser that waited before gets no response any more.
  package func begin() { Self.current.withLock { $0 = self } }

  package func end() { Self.current.withLock { if $0 === self { $0 = nil } } }

  /// - Returns: Whether `url` is the response to the waiting request. If so, the wait ends.
  package static func take(_ url: URL) -> Bool {
    guard let waiting = current.withLock({ $0 }), waiting.isAnswered(by: url) else { return false }
    waiting.end()
    waiting.answer.give(.success(url))
    return true
  }

  private func isAnswered(by url: URL) -> Bool {
    guard url.scheme?.lowercased() == scheme.lowercased(), url.isBrowserResponse,
      let event = BrowserSignIn.eventID(in: url)
    else { return false }
    return event.utf8.elementsEqual(eventID.utf8)
  }
}

extension URL {
  /// Whether a browser returns to the app with this URL: `<scheme>://firebaseauth/link?…`.
  var isBrowserResponse: Bool {
    let parts = URLComponents(url: self, resolvingAgainstBaseURL: false)
    return parts?.host == "firebaseauth" && parts?.percentEncodedPath == "/link"
  }
}

internal import Foundation
package import GatehouseClient
internal import Synchronization

/// A browser that the app presents, and that comes back by a URL which the app is opened with.
///
/// Any app may open a URL of this app's scheme. So one that doesn't name the request that is waiting is
/// left alone, and what the others say is checked by the server, with the secret that never left the
/// process.
package final class WaitingBrowser: Sendable {
  private static let current = Mutex<WaitingBrowser?>(nil)

  private let scheme: String
  private let eventID: String
  package let answer = SheetAnswer<URL>()

  /// - Parameters:
  ///   - scheme: The app's.
  ///   - eventID: Of the request.
  package init(scheme: String, eventID: String) {
    self.scheme = scheme
    self.eventID = eventID
  }

  /// Waits from now on, in place of one that did.
  package func begin() { Self.current.withLock { $0 = self } }

  package func end() { Self.current.withLock { if $0 === self { $0 = nil } } }

  /// - Returns: Whether `url` answers the request that is waiting. Then it doesn't wait any more.
  package static func take(_ url: URL) -> Bool {
    guard let waiting = current.withLock({ $0 }), waiting.isAnswered(by: url) else { return false }
    waiting.end()
    waiting.answer.give(.success(url))
    return true
  }

  private func isAnswered(by url: URL) -> Bool {
    guard url.scheme?.lowercased() == scheme.lowercased(), url.host() == "firebaseauth",
      url.path() == "/link", let event = BrowserSignIn.eventID(in: url)
    else { return false }
    return event.utf8.elementsEqual(eventID.utf8)
  }
}

import AuthenticationServices
import Foundation
import GatehouseClient
import UIKit

/// The system's browser sheet, as an app opens it directly.
final class DeviceBrowser: WebPresenting {
  private let scheme: String

  init(scheme: String) { self.scheme = scheme }

  func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
    async throws(DeviceFault) -> URL
  {
    let url: URL
    do { url = try begin("\(scheme)://firebaseauth/link") } catch { throw .notBegun(error) }
    do {
      return try await show(url)
    } catch {
      throw .cancelled
    }
  }

  @MainActor private func show(_ url: URL) async throws -> URL {
    let anchor = Anchor()
    return try await withCheckedThrowingContinuation { continuation in
      let session = ASWebAuthenticationSession(url: url, callbackURLScheme: scheme) {
        @Sendable url, error in
        withExtendedLifetime(anchor) {}
        if let url {
          continuation.resume(returning: url)
        } else {
          continuation.resume(throwing: error ?? NoOutcome())
        }
      }
      session.presentationContextProvider = anchor
      session.start()
    }
  }

  @MainActor
  private final class Anchor: NSObject,
    ASWebAuthenticationPresentationContextProviding
  {
    func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor {
      UIWindow()
    }
  }
}

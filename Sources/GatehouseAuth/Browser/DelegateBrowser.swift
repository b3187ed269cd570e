// visionOS has the view controller, but not its delegate, which reports that the user closed it.
#if canImport(SafariServices) && canImport(UIKit) && !os(visionOS)
  internal import Foundation
  internal import GatehouseClient
  internal import SafariServices
  internal import GatehouseProtocol
  internal import UIKit

  /// The browser of a sign-in as an ``AuthUIDelegate`` presents it: `SFSafariViewController`, as in
  /// Firebase's SDK. Its response arrives by ``Auth/canHandle(_:)``.
  ///
  /// There is at most one at a time in the app. If the task is cancelled, its browser is dismissed.
  // `@unchecked`: no lock, because the delegate is used on the main actor alone.
  final class DelegateBrowser: WebPresenting, @unchecked Sendable {
    private let scheme: String
    private let delegate: any AuthUIDelegate
    private static let turn = Turn()

    /// How long the delegate may take to dismiss the browser. A delegate that never calls its
    /// completion must not block the sign-in. In seconds.
    private static let longestDismissal: TimeInterval = 5

    init(scheme: String, delegate: any AuthUIDelegate) {
      self.scheme = scheme
      self.delegate = delegate
    }

    func present(_ begin: @Sendable (_ redirectURL: String) throws(ClientError) -> URL)
      async throws(DeviceFault) -> URL
    {
      let url: URL
      do {
        url = try begin("\(scheme)://firebaseauth/link")
      } catch {
        throw .notBegun(error)
      }
      return try await Self.turn.take(or: .busy) { () async throws(DeviceFault) in
        try await show(url)
      }
    }

    @MainActor private func show(_ url: URL) async throws(DeviceFault) -> URL {
      guard let eventID = BrowserSignIn.eventID(in: url) else {
        throw .failed(detail: "The page's URL has no request id")
      }
      let waiting = WaitingBrowser(scheme: scheme, eventID: eventID)
      let closing = SafariClosing(waiting.answer)
      let page = SFSafariViewController(url: url)
      page.delegate = closing
      waiting.begin()
      delegate.present(page, animated: true, completion: nil)
      let outcome: Result<URL, DeviceFault>
      do throws(DeviceFault) {
        outcome = .success(try await waiting.answer.value())
      } catch {
        outcome = .failure(error)
      }
      waiting.end()
      // The page's reference to its delegate is weak. A page that the user closed is already gone.
      if !closing.isClosed { await dismiss() }
      return try outcome.get()
    }

    /// Returns when the browser is gone, so that the app can present other views after the sign-in.
    @MainActor private func dismiss() async {
      let gone = SheetAnswer<Bool>()
      delegate.dismiss(animated: true) { gone.give(.success(true)) }
      await withTaskGroup(of: Void.self) { group in
        group.addTask { _ = try? await gone.value() }
        group.addTask { try? await SystemClock().sleep(for: Self.longestDismissal) }
        await group.next()
        group.cancelAll()
      }
    }
  }

  /// Reports that the user closed the page.
  private final class SafariClosing: NSObject, SFSafariViewControllerDelegate {
    private let answer: SheetAnswer<URL>
    private let closed = Locked(false)

    init(_ answer: SheetAnswer<URL>) { self.answer = answer }

    var isClosed: Bool { closed.withLock { $0 } }

    func safariViewControllerDidFinish(_ controller: SFSafariViewController) {
      closed.withLock { $0 = true }
      answer.give(.failure(.cancelled))
    }
  }
#endif

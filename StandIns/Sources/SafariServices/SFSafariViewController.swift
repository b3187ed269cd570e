public import Foundation
import SimulatedDevice
public import UIKit

/// A browser page in the app. The app doesn't see what it does. An address with the app's own
/// scheme leaves the page: the system opens the app with it (``UIApplication/simulatedOpening``).
///
/// Here ``SimulatedBrowser`` loads the page when a view controller presents it. If the user presses
/// `Done`, which ``SimulatedDevice`` decides, it dismisses itself and calls its delegate.
@preconcurrency @MainActor open class SFSafariViewController: UIViewController {
  #if !os(visionOS)
    open weak var delegate: (any SFSafariViewControllerDelegate)?
  #endif
  private let url: URL
  private var work: Task<Void, Never>?

  public init(url URL: URL) {
    // As the real class, which raises an exception.
    precondition(["http", "https"].contains(URL.scheme), "The URL has to be http or https.")
    url = URL
    super.init()
  }

  open override func viewDidAppear(_ animated: Bool) {
    super.viewDidAppear(animated)
    guard work == nil else { return }
    work = Task {
      let address: URL
      do {
        if case .cancels = SimulatedDevice.current.decision { return close() }
        address = try await SimulatedBrowser().open(url) { url in
          !["http", "https"].contains(url.scheme)
        }
      } catch {
        // A page that fails to load stays until the user closes it, which happens here at once.
        if !Task.isCancelled { close() }
        return
      }
      UIApplication.shared.simulateOpening(address)
    }
  }

  open override func viewDidDisappear(_ animated: Bool) {
    super.viewDidDisappear(animated)
    work?.cancel()
  }

  private func close() {
    presentingViewController?.dismiss(animated: true)
    #if !os(visionOS)
      delegate?.safariViewControllerDidFinish(self)
    #endif
  }
}

#if !os(visionOS)
  /// Not on an actor, as Apple's documentation declares it.
  public protocol SFSafariViewControllerDelegate: NSObjectProtocol {
    func safariViewControllerDidFinish(_ controller: SFSafariViewController)
  }

  extension SFSafariViewControllerDelegate {
    public func safariViewControllerDidFinish(_ controller: SFSafariViewController) {}
  }
#endif

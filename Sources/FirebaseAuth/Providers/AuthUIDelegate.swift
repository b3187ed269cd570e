public import Foundation

#if canImport(UIKit)
  public import UIKit

  /// Presents the browser of a sign-in on one of the app's views.
  @MainActor
  public protocol AuthUIDelegate: NSObjectProtocol {
    /// Like `UIViewController`'s.
    func present(
      _ viewControllerToPresent: UIViewController, animated flag: Bool,
      completion: (() -> Void)?)
    /// Like `UIViewController`'s.
    func dismiss(animated flag: Bool, completion: (() -> Void)?)
  }

  extension AuthUIDelegate {
    /// With nothing to do afterwards.
    public func present(_ viewControllerToPresent: UIViewController, animated flag: Bool) {
      present(viewControllerToPresent, animated: flag, completion: nil)
    }

    /// With nothing to do afterwards.
    public func dismiss(animated flag: Bool) { dismiss(animated: flag, completion: nil) }
  }
#else
  /// Takes part in a sign-in in a browser where there are no view controllers: opens the browser.
  ///
  /// Firebase has this for UIKit alone. Without one, the system's browser is opened.
  public protocol AuthUIDelegate: NSObjectProtocol, Sendable {
    /// - Parameter url: The page to show the person.
    func open(_ url: URL) async throws
  }
#endif

public import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Presents the browser of a sign-in as the app likes: over a view of its own, in a popover, without
  /// an animation. A `UIViewController` conforms as it is.
  ///
  /// On iOS and Mac Catalyst what is presented is an `SFSafariViewController`. Its page comes back by a
  /// URL that the app is opened with, so the app has to hand that on to ``Auth/canHandle(_:)``; nothing
  /// is swizzled. Without a delegate the system's own sheet is used (`ASWebAuthenticationSession`), which
  /// needs none of that. tvOS and visionOS always use the system's sheet, and don't ask a delegate.
  @MainActor
  public protocol AuthUIDelegate: NSObjectProtocol {
    /// Like `UIViewController`'s.
    func present(
      _ viewControllerToPresent: UIViewController, animated flag: Bool,
      completion: (() -> Void)?)
    /// Like `UIViewController`'s. Not called for a page that the user closed.
    ///
    /// - Parameter completion: Call it when the browser is gone: the sign-in goes on then, or after
    ///   five seconds.
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
  /// Firebase has this for UIKit alone. Without one, the system's browser is opened. The page comes back
  /// to a port of this machine. watchOS always uses the system's sheet, and doesn't ask a delegate.
  public protocol AuthUIDelegate: NSObjectProtocol, Sendable {
    /// - Parameter url: The page to show the person.
    func open(_ url: URL) async throws
  }
#endif

public import Foundation

#if canImport(UIKit) && !os(watchOS)
  public import UIKit

  /// Presents the browser of a sign-in in the app's own way: over one of its views, in a popover,
  /// or without an animation. A `UIViewController` conforms without changes.
  ///
  /// On iOS and Mac Catalyst it presents an `SFSafariViewController`. The page's response is a URL
  /// with which the app is opened, so the app has to pass that URL to ``Auth/canHandle(_:)``;
  /// nothing is swizzled. Without a delegate the system's own sheet is used
  /// (`ASWebAuthenticationSession`), which needs no such call. tvOS and visionOS always use the
  /// system's sheet, and ignore the delegate.
  ///
  /// It is called on the main actor. As in Google's SDK the protocol isn't isolated to it: in Swift 6's
  /// language mode, a view controller conforms with `@MainActor AuthUIDelegate`.
  public protocol AuthUIDelegate: NSObjectProtocol {
    /// Presents the view controller, like the function of `UIViewController`.
    func present(
      _ viewControllerToPresent: UIViewController, animated flag: Bool,
      completion: (() -> Void)?)
    /// Dismisses the view controller, like the function of `UIViewController`. Not called for a page that the user closed.
    ///
    /// - Parameter completion: Call it when the browser is gone. Then the sign-in continues. If it
    ///   isn't called, the sign-in continues after five seconds.
    func dismiss(animated flag: Bool, completion: (() -> Void)?)
  }

  extension AuthUIDelegate {
    /// Without a completion.
    public func present(_ viewControllerToPresent: UIViewController, animated flag: Bool) {
      present(viewControllerToPresent, animated: flag, completion: nil)
    }

    /// Without a completion.
    public func dismiss(animated flag: Bool) { dismiss(animated: flag, completion: nil) }
  }
#else
  /// Opens the browser of a sign-in on platforms without view controllers.
  ///
  /// Google's SDK has this only for UIKit. With a delegate, the page's response arrives at a port of
  /// this machine. Without one, macOS shows the system's sheet, and Linux opens the system's browser.
  /// watchOS always shows the system's sheet, and ignores the delegate.
  public protocol AuthUIDelegate: NSObjectProtocol, Sendable {
    /// - Parameter url: The page to show to the user.
    func open(_ url: URL) async throws
  }
#endif

#if !os(watchOS)
  import Foundation

  @preconcurrency @MainActor open class UIScene: UIResponder {
    public enum ActivationState: Int, Sendable {
      case unattached = -1
      case foregroundActive, foregroundInactive, background
    }

    open internal(set) var activationState = ActivationState.foregroundActive
    open weak var delegate: (any UISceneDelegate)?
  }

  @preconcurrency @MainActor open class UIWindowScene: UIScene {
    open internal(set) var windows: [UIWindow] = []
    @available(iOS 15, tvOS 15, *)
    open var keyWindow: UIWindow? { windows.first { $0.isKeyWindow } }
  }

  @preconcurrency @MainActor public protocol UISceneDelegate: NSObjectProtocol {}

  @preconcurrency @MainActor open class UIOpenURLContext: NSObject {
    public let url: URL
    public init(url: URL) { self.url = url }
  }

  @preconcurrency @MainActor public protocol UIApplicationDelegate: NSObjectProtocol {}

  public enum UIBackgroundFetchResult: UInt, Sendable { case newData, noData, failed }

  /// `Selector`, which Linux doesn't have.
  public struct MethodName: Sendable { let name: String }
  public func NSSelectorFromString(_ name: String) -> MethodName { MethodName(name: name) }

  @preconcurrency @MainActor open class UIApplication: UIResponder {
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
      public static let sourceApplication = Self(
        rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    }

    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
      public let rawValue: String
      public init(rawValue: String) { self.rawValue = rawValue }
    }

    /// An app with one window, for tests: ``simulateLaunch(_:)`` fills it.
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    public static let shared = UIApplication()

    public enum State: Int, Sendable { case active, inactive, background }

    open private(set) var applicationState = State.active
    open private(set) var connectedScenes: Set<UIScene> = []
    open weak var delegate: (any UIApplicationDelegate)?

    public nonisolated static let willEnterForegroundNotification = NSNotification.Name(
      "UIApplicationWillEnterForegroundNotification")
    public nonisolated static let didBecomeActiveNotification = NSNotification.Name(
      "UIApplicationDidBecomeActiveNotification")
    public nonisolated static let didEnterBackgroundNotification = NSNotification.Name(
      "UIApplicationDidEnterBackgroundNotification")
    public nonisolated static let protectedDataDidBecomeAvailableNotification = NSNotification.Name(
      "UIApplicationProtectedDataDidBecomeAvailable")

    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    open func open(
      _ url: URL, options: [OpenURLOptionsKey: Any] = [:],
      completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) { completionHandler?(true) }

    // Objective-C's way to call a method by its name. The only one here is `sharedApplication`.
    public class func responds(to method: MethodName) -> Bool { method.name == "sharedApplication" }
    public class func perform(_ method: MethodName) -> Unmanaged<AnyObject>! {
      responds(to: method) ? Unmanaged.passUnretained(shared) : nil
    }

    /// Shows `root` in the app's window, in place of the former contents.
    public func simulateLaunch(_ root: UIViewController) {
      let scene = UIWindowScene()
      let window = UIWindow(windowScene: scene)
      window.rootViewController = root
      window.makeKeyAndVisible()
      root.view.window = window
      root.loadViewIfNeeded()
      connectedScenes = [scene]
    }

    /// What the app's delegate or scene does with a URL with which the app is opened.
    open var simulatedOpening: @MainActor (URL) -> Void = { _ in }

    /// Opens the app with a URL of one of its schemes, as the system does.
    public func simulateOpening(_ url: URL) { simulatedOpening(url) }

    /// Removes the app's window: the app runs in the background.
    public func simulateBackground() { connectedScenes = [] }
  }
#endif

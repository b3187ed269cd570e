#if !os(watchOS)
  import Foundation

  @preconcurrency @MainActor open class UIResponder: NSObject {
    public nonisolated override init() { super.init() }
  }

  @preconcurrency @MainActor open class UIView: UIResponder {
    open var frame = CGRect.zero
    open private(set) weak var superview: UIView?
    open private(set) var subviews: [UIView] = []
    open weak var window: UIWindow?
    open var isHidden = false
    open var accessibilityIdentifier: String?
    open var translatesAutoresizingMaskIntoConstraints = true

    public nonisolated override init() { super.init() }
    public init(frame: CGRect) {
      super.init()
      self.frame = frame
    }

    open func addSubview(_ view: UIView) {
      view.superview = self
      subviews.append(view)
    }
  }

  @preconcurrency @MainActor open class UIWindow: UIView {
    open var rootViewController: UIViewController?
    open weak var windowScene: UIWindowScene?
    open private(set) var isKeyWindow = false

    public init(windowScene: UIWindowScene) {
      super.init(frame: .zero)
      self.windowScene = windowScene
      windowScene.windows.append(self)
    }
    public override init(frame: CGRect) { super.init(frame: frame) }
    public nonisolated override init() { super.init() }

    open func makeKeyAndVisible() { isKeyWindow = true }
  }

  @preconcurrency @MainActor open class UIViewController: UIResponder {
    open lazy var view: UIView! = UIView()
    open private(set) var isViewLoaded = false
    open private(set) var presentedViewController: UIViewController?
    open private(set) weak var presentingViewController: UIViewController?

    public nonisolated override init() { super.init() }

    open func viewDidLoad() {}
    open func loadViewIfNeeded() {
      guard !isViewLoaded else { return }
      isViewLoaded = true
      viewDidLoad()
    }

    open func viewDidAppear(_ animated: Bool) {}
    open func viewDidDisappear(_ animated: Bool) {}

    /// As in UIKit: while something is presented, presents nothing and doesn't call `completion`.
    /// UIKit also prints a message to the console.
    open func present(
      _ viewControllerToPresent: UIViewController, animated flag: Bool,
      completion: (() -> Void)? = nil
    ) {
      guard presentedViewController == nil else { return }
      presentedViewController = viewControllerToPresent
      viewControllerToPresent.presentingViewController = self
      viewControllerToPresent.loadViewIfNeeded()
      Task {
        viewControllerToPresent.viewDidAppear(flag)
        completion?()
      }
    }

    /// As in UIKit: if nothing is presented, the presenting view controller dismisses this one. A
    /// presented view controller stays until the animation has ended.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
      guard let presented = presentedViewController else {
        if let presentingViewController {
          presentingViewController.dismiss(animated: flag, completion: completion)
        } else {
          completion?()
        }
        return
      }
      Task {
        presented.presentingViewController = nil
        presentedViewController = nil
        presented.viewDidDisappear(flag)
        completion?()
      }
    }
  }
#endif

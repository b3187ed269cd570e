import Dispatch
package import Foundation
import GatehouseProtocol

#if canImport(UIKit) && !os(watchOS)
  import UIKit
#endif

/// Listens for changes of the account while the app is active: until the system reports that the app is in the
/// background, and again when the app becomes active. An app that the system launched in the background doesn't
/// listen before it becomes active. An app extension, which runs only for moments, never listens.
///
/// Uses the notifications' names. On platforms that never post them (macOS, Linux) the app counts as active.
package final class AppActivity: @unchecked Sendable {  // Nothing changes after `init`.
  private let listening: Listening
  private let center: NotificationCenter
  private let observers: [any NSObjectProtocol]

  private static let activeNames = [
    "UIApplicationDidBecomeActiveNotification", "WKApplicationDidBecomeActiveNotification",
  ]
  private static let backgroundNames = [
    "UIApplicationDidEnterBackgroundNotification", "WKApplicationDidEnterBackgroundNotification",
  ]

  /// - Parameters:
  ///   - isExtension: Whether the process is an app extension.
  ///   - isInBackground: Whether the app is in the background. Nil if the platform doesn't say.
  ///   - center: Where the system reports that the app becomes active or enters the background.
  ///   - listen: Begins to listen. Returns nil if there is no client any more.
  package init(
    isExtension: Bool = Bundle.main.bundlePath.hasSuffix(".appex"),
    isInBackground: (@MainActor @Sendable () -> Bool)? = AppActivity.isInBackground,
    notifications center: NotificationCenter = .default,
    _ listen: @escaping @Sendable () -> SessionObservation?
  ) {
    let listening = Listening(listen)
    self.listening = listening
    self.center = center
    var observers: [any NSObjectProtocol] = []
    guard !isExtension else {
      self.observers = observers
      return
    }
    for (names, isActive) in [(Self.activeNames, true), (Self.backgroundNames, false)] {
      for name in names {
        observers.append(
          center.addObserver(
            forName: NSNotification.Name(name), object: nil, queue: nil
          ) { _ in listening.set(isActive) })
      }
    }
    self.observers = observers
    guard let isInBackground else {
      listening.set(true)
      return
    }
    DispatchQueue.main.async {
      if MainActor.assumeIsolated({ !isInBackground() }) { listening.set(true) }
    }
  }

  #if canImport(UIKit) && !os(watchOS)
    package static let isInBackground: (@MainActor @Sendable () -> Bool)? = {
      UIApplication.ofThisApp?.applicationState == .background
    }
  #else
    package static let isInBackground: (@MainActor @Sendable () -> Bool)? = nil
  #endif

  deinit {
    for observer in observers { center.removeObserver(observer) }
    listening.end()
  }
}

private final class Listening: Sendable {
  private let listen: @Sendable () -> SessionObservation?
  private let current = Locked<SessionObservation?>(nil)
  private let isOver = Locked(false)

  init(_ listen: @escaping @Sendable () -> SessionObservation?) { self.listen = listen }

  func set(_ isActive: Bool) {
    current.withLock { current in
      if isActive, current == nil, !isOver.withLock({ $0 }) { current = listen() }
      if !isActive { current.take()?.cancel() }
    }
  }

  func end() {
    isOver.withLock { $0 = true }
    set(false)
  }
}

#if canImport(UIKit) && !os(watchOS)
  extension UIApplication {
    /// `UIApplication.shared`, by its name in Objective-C: code that an app extension may contain
    /// can't use it. Nil in an app extension.
    @MainActor static var ofThisApp: UIApplication? {
      let shared = NSSelectorFromString("sharedApplication")
      guard !Bundle.main.bundlePath.hasSuffix(".appex"), responds(to: shared) else { return nil }
      return unsafe perform(shared)?.takeUnretainedValue() as? UIApplication
    }
  }
#endif

import Foundation
import GatehouseProtocol

/// Listens for changes of the account while the app is active: from the creation of this object until the
/// system reports that the app is in the background, and again when the app becomes active.
///
/// Uses the notifications' names, because this target doesn't import UIKit. On platforms that never post
/// them (macOS, Linux) the app counts as active.
package final class AppActivity: @unchecked Sendable {  // Nothing changes after `init`.
  private let listening: Listening
  private let observers: [any NSObjectProtocol]

  private static let activeNames = [
    "UIApplicationDidBecomeActiveNotification", "WKApplicationDidBecomeActiveNotification",
  ]
  private static let backgroundNames = [
    "UIApplicationDidEnterBackgroundNotification", "WKApplicationDidEnterBackgroundNotification",
  ]

  /// - Parameter listen: Begins to listen. Returns nil if there is no client any more.
  package init(_ listen: @escaping @Sendable () -> SessionObservation?) {
    let listening = Listening(listen)
    self.listening = listening
    var observers: [any NSObjectProtocol] = []
    for (names, isActive) in [(Self.activeNames, true), (Self.backgroundNames, false)] {
      for name in names {
        observers.append(
          NotificationCenter.default.addObserver(
            forName: NSNotification.Name(name), object: nil, queue: nil
          ) { _ in listening.set(isActive) })
      }
    }
    self.observers = observers
    listening.set(true)
  }

  deinit {
    for observer in observers { NotificationCenter.default.removeObserver(observer) }
    listening.set(false)
  }
}

private final class Listening: Sendable {
  private let listen: @Sendable () -> SessionObservation?
  private let current = Locked<SessionObservation?>(nil)

  init(_ listen: @escaping @Sendable () -> SessionObservation?) { self.listen = listen }

  func set(_ isActive: Bool) {
    current.withLock { current in
      if isActive, current == nil { current = listen() }
      if !isActive { current.take()?.cancel() }
    }
  }
}

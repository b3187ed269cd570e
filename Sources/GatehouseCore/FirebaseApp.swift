public import Foundation
package import GatehouseClient
internal import GatehouseProtocol

/// A configured project. Most apps have one, which ``configure()`` creates at launch.
///
/// Safe to use from any thread.
// `@unchecked`: `state` is the lock of everything that changes.
open class FirebaseApp: NSObject, @unchecked Sendable {
  /// `__FIRAPP_DEFAULT` for the default app.
  public let name: String

  private let values: OptionValues
  package let services: AppServices

  private struct State {
    var collectsData = true
    var isDeleted = false
    var atDeletion: [@Sendable () -> Void] = []
  }
  private let state = Locked(State())

  package init(name: String, values: OptionValues, services: AppServices) {
    self.name = name
    self.values = values
    self.services = services
  }

  /// A copy of the options with which the app was configured.
  open var options: FirebaseOptions { FirebaseOptions(values) }

  /// Kept in memory for the app's own use, without effect: this library collects no data.
  open var isDataCollectionDefaultEnabled: Bool {
    get { state.withLock { $0.collectsData } }
    set { state.withLock { $0.collectsData = newValue } }
  }

  // MARK: Deletion

  /// Removes the app, so that its name can be configured again. The session remains in its store.
  ///
  /// - Parameter completion: Called before this returns, with `false` if the app was already
  ///   deleted.
  @preconcurrency
  open func delete(_ completion: @escaping @Sendable (Bool) -> Void) {
    completion(deleteNow())
  }

  /// Removes the app, so that its name can be configured again. The session remains in its store.
  ///
  /// - Returns: `false` if the app was already deleted.
  @discardableResult
  open func delete() async -> Bool { deleteNow() }

  private func deleteNow() -> Bool {
    AppRegistry.shared.remove(self)
    let actions: [@Sendable () -> Void]? = state.withLock { state in
      guard !state.isDeleted else { return nil }
      state.isDeleted = true
      defer { state.atDeletion = [] }
      return state.atDeletion
    }
    guard let actions else { return false }
    for action in actions { action() }
    return true
  }

  package var isDeleted: Bool { state.withLock { $0.isDeleted } }

  /// Calls `action` once: when the app is deleted, or immediately if it already was. At a deletion
  /// it runs on the thread that deletes the app, after the app's removal from ``allApps``. No lock
  /// is held.
  package func onDeletion(_ action: @escaping @Sendable () -> Void) {
    let isTooLate = state.withLock { state in
      if !state.isDeleted { state.atDeletion.append(action) }
      return state.isDeleted
    }
    if isTooLate { action() }
  }
}

/// The services of an app, for tests. Nil uses the platform's own.
package struct AppServices: Sendable {
  package var store: (any SessionStore)?
  package var transport: (any Transport)?
  package var clock: (any ClientClock)?
  package var browser: (any WebPresenting)?
  /// Replaces the schemes in the bundle's `CFBundleURLTypes`.
  package var urlSchemes: [String]?
  package var notifications = NotificationCenter.default

  package init(
    store: (any SessionStore)? = nil, transport: (any Transport)? = nil,
    clock: (any ClientClock)? = nil, browser: (any WebPresenting)? = nil,
    urlSchemes: [String]? = nil, notifications: NotificationCenter = .default
  ) {
    self.store = store
    self.transport = transport
    self.clock = clock
    self.browser = browser
    self.urlSchemes = urlSchemes
    self.notifications = notifications
  }
}

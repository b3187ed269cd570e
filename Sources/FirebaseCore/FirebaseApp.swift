public import Foundation
package import GatehouseClient
internal import Synchronization

/// A configured project. Most apps have one, made by ``configure()`` at launch.
///
/// Safe to use from any thread.
// `@unchecked`: `state` is the lock of all that changes.
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
  private let state = Mutex(State())

  package init(name: String, values: OptionValues, services: AppServices) {
    self.name = name
    self.values = values
    self.services = services
  }

  /// A copy of what the app was configured with.
  open var options: FirebaseOptions { FirebaseOptions(values) }

  /// Kept for the app's own use: nothing here collects data.
  open var isDataCollectionDefaultEnabled: Bool {
    get { state.withLock { $0.collectsData } }
    set { state.withLock { $0.collectsData = newValue } }
  }

  // MARK: Deletion

  /// Forgets the app, so that its name can be configured again. The session stays stored.
  ///
  /// - Parameter completion: Called before this returns: `false` if it was deleted already.
  @preconcurrency
  open func delete(_ completion: @escaping @Sendable (Bool) -> Void) {
    completion(deleteNow())
  }

  /// Forgets the app, so that its name can be configured again. The session stays stored.
  ///
  /// - Returns: `false` if it was deleted already.
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

  /// Calls `action` once, when the app is deleted, or at once if it already was. On the thread that
  /// deletes it, after the app is out of ``allApps``, and under no lock.
  package func onDeletion(_ action: @escaping @Sendable () -> Void) {
    let isTooLate = state.withLock { state in
      if !state.isDeleted { state.atDeletion.append(action) }
      return state.isDeleted
    }
    if isTooLate { action() }
  }
}

/// What an app works with, for tests. Nil is what the platform has.
package struct AppServices: Sendable {
  package var store: (any SessionStore)?
  package var transport: (any Transport)?
  package var clock: (any ClientClock)?
  package var browser: (any WebPresenting)?
  /// In place of those in the bundle's `CFBundleURLTypes`.
  package var urlSchemes: [String]?

  package init(
    store: (any SessionStore)? = nil, transport: (any Transport)? = nil,
    clock: (any ClientClock)? = nil, browser: (any WebPresenting)? = nil,
    urlSchemes: [String]? = nil
  ) {
    self.store = store
    self.transport = transport
    self.clock = clock
    self.browser = browser
    self.urlSchemes = urlSchemes
  }
}

package import Foundation
package import GatehouseProtocol

/// Manages a project's hooks for an administrator, on the command line and over REST.
package struct HookDirectory: Sendable {
  let store: any Store

  package init(store: any Store) { self.store = store }

  /// Oldest first.
  package func hooks(of project: ProjectID) async throws -> [Hook] {
    try await store.read { try $0.hooks(of: project) }
  }

  package func hook(_ id: HookID, of project: ProjectID) async throws -> Hook? {
    try await store.read { try $0.hook(id, of: project) }
  }

  /// Adds a hook with one new secret.
  ///
  /// - Parameter url: Checked by the caller: see `WebhookAddress`.
  /// - Throws: ``HookError/tooMany``.
  package func add(
    url: String, _ changes: HookChanges = HookChanges(), to project: ProjectID, now: Date
  ) async throws -> Hook {
    var hook = Hook(url: url, secrets: [.random()], createdAt: now)
    changes.apply(to: &hook)
    let added = hook
    try await store.write { transaction in
      guard try transaction.hooks(of: project).count < Hook.maximumPerProject else {
        throw HookError.tooMany
      }
      try transaction.save(added, of: project)
    }
    return added
  }

  /// - Returns: The hook afterwards. If the changes rotate the secret, the hook's first secret is the new
  ///   one. Nil if there is no such hook.
  package func change(
    _ id: HookID, of project: ProjectID, _ changes: HookChanges
  ) async throws -> Hook? {
    let secret = WebhookSecret.random()
    return try await store.write { transaction in
      guard var hook = try transaction.hook(id, of: project) else { return nil }
      changes.apply(to: &hook)
      if changes.rotatesSecret { hook.rotateSecret(to: secret) }
      try transaction.save(hook, of: project)
      return hook
    }
  }

  /// False if there was none.
  package func remove(_ id: HookID, of project: ProjectID) async throws -> Bool {
    try await store.write { try $0.deleteHook(id, of: project) }
  }
}

/// What changes in a hook. Nil changes nothing.
package struct HookChanges: Sendable {
  package var url: String?
  /// Empty: all events about accounts.
  package var kinds: Set<EventKind>?
  package var form: Hook.Form?
  package var isEnabled: Bool?
  /// Signs with a new secret, and with the former one too until the next rotation.
  package var rotatesSecret = false

  package init() {}

  fileprivate func apply(to hook: inout Hook) {
    hook.url = url ?? hook.url
    hook.kinds = kinds ?? hook.kinds
    hook.form = form ?? hook.form
    hook.isEnabled = isEnabled ?? hook.isEnabled
  }
}

package enum HookError: Error, Hashable, Sendable {
  /// The project has ``Hook/maximumPerProject`` hooks.
  case tooMany
  /// The project's log has no event with this id. The log keeps events only for their retention time.
  case noSuchEvent
}

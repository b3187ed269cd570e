package import Foundation
import GatehouseProtocol

/// Calls a function when a store may have become readable, or may have other contents: when the device was unlocked,
/// and when the app or the extension enters the foreground.
///
/// Uses the notifications' names, because this target doesn't import UIKit everywhere.
package final class StoreOccasions: @unchecked Sendable {  // Nothing changes after `init`.
  private let center: NotificationCenter
  private let observers: [any NSObjectProtocol]

  private static let names = [
    "UIApplicationProtectedDataDidBecomeAvailable", "UIApplicationWillEnterForegroundNotification",
    "NSExtensionHostWillEnterForegroundNotification",
    "WKApplicationWillEnterForegroundNotification", "NSApplicationDidBecomeActiveNotification",
  ]

  /// - Parameter body: Called on the thread of the notification, which it must not block.
  package init(_ center: NotificationCenter, _ body: @escaping @Sendable () -> Void) {
    self.center = center
    observers = Self.names.map { name in
      center.addObserver(forName: NSNotification.Name(name), object: nil, queue: nil) { _ in body()
      }
    }
  }

  deinit {
    for observer in observers { center.removeObserver(observer) }
  }
}

/// Makes a client read its store again on these occasions, and when another process says that it has changed a
/// shared store.
final class StoreWatch: Sendable {
  private let occasions: StoreOccasions?
  private let endChanges: (@Sendable () -> Void)?

  /// - Parameter center: Nil if the owner of the client has these occasions itself.
  init(_ core: ClientCore, _ center: NotificationCenter?) {
    let read: @Sendable () -> Void = { [weak core] in core?.readAgainInBackground() }
    occasions = center.map { StoreOccasions($0, read) }
    endChanges = (core.store as? any SharedSessionStore)?.observeChanges(read)
  }

  deinit { endChanges?() }
}

extension ClientCore {
  /// Does nothing if the store was never read: the app may still choose another server.
  func readAgainInBackground() {
    guard shared.withLock({ !$0.machine.isLoading || $0.storeFault != nil }) else { return }
    storeQueue.async { [weak self] in try? self?.readAgain() }
  }

  /// Reads the store, and adopts what other processes changed: a sign-in, a sign-out, newer tokens.
  ///
  /// A session that was read stays if the store can't be read now, or if its contents are damaged.
  ///
  /// - Throws: ``ClientError/store(_:)``
  func readAgain() throws(ClientError) {
    if shared.withLock(\.machine.isLoading) { return try load() }
    if storeLock.withLock(\.needsWrite), let user = shared.withLock(\.user) {
      // Also stores what couldn't be stored before.
      do throws(ClientError) { _ = try prepareRefresh(of: user) } catch .notSignedIn {}
      return
    }
    try inOrder { (pending) throws(ClientError) in
      let data: Data?
      do throws(StoreFault) {
        data = try store.read(storeKey)
      } catch {
        if error.kind == .damaged { return }
        throw .store(error)
      }
      adopt(data, over: pending)
    }
  }

  private func adopt(_ data: Data?, over pending: PendingStoreWrites) {
    let (user, held) = shared.withLock { ($0.user, $0.machine.session) }
    guard let data else {
      if held != nil { forget { $0.ended(cause: nil) } }
      return
    }
    // What has to be removed is still stored.
    guard !pending.needsRemoval, let stored = try? StoredSession(data: data),
      let found = try? stored.held()
    else { return }
    if let held, let user {
      guard let newer = Self.newer(in: data, than: held),
        newer.uid != held.uid || newer.tokens.idToken.issuedAt >= held.tokens.idToken.issuedAt
      else { return }
      adopt(newer, for: user)
    } else if held == nil {
      time.recall(
        offsetSeconds: stored.serverTimeOffset, issuedAt: found.tokens.idToken.issuedAt)
      shared.withLock { _ = $0.begin(found, as: nil, isWanted: false, in: self) }
    }
  }

  /// Moves the session to the store of `other`, unless there is one, and removes it here. Sends no request.
  ///
  /// - Throws: ``ClientError/store(_:)`` if a store can't be read, or the other one not be written. Then nothing was
  ///   moved.
  func moveSession(to other: ClientCore) throws(ClientError) {
    try inOrder { (pending) throws(ClientError) in
      do throws(StoreFault) {
        if let data = try ownSession() {
          _ = try other.store.update(other.storeKey) { $0 ?? data }
        } else {
          // Finds out whether the store can be used.
          _ = try other.store.read(other.storeKey)
        }
      } catch {
        throw .store(error)
      }
      // A session that stays is of no use any more: only one process at a time may refresh its tokens.
      do throws(StoreFault) { try store.remove(storeKey) } catch { pending.needsRemoval = true }
    }
  }

  /// The session as it is stored. A store that wasn't read yet is not loaded: observers would be told that this
  /// client has no user, just before another one takes its place.
  private func ownSession() throws(StoreFault) -> Data? {
    if let session = shared.withLock(\.machine.session) {
      return try StoredSession(session, serverTimeOffset: time.offsetSeconds).data()
    }
    guard shared.withLock(\.machine.isLoading) else { return nil }
    do throws(StoreFault) {
      guard let data = try store.read(storeKey) else { return nil }
      _ = try StoredSession(data: data).held()
      return data
    } catch {
      if error.kind == .damaged { return nil }
      throw error
    }
  }
}

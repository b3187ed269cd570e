import Crypto
import GatehouseModel
import Synchronization

/// The master keys that the process holds: one encrypts, all of them decrypt.
///
/// There are several keys only from the beginning of a rotation until the old key is retired. In this
/// time there are ciphertexts and refresh tokens under both. The database names the key that encrypts.
package final class MasterKeyRing: Sendable {
  private let state: Mutex<State>

  /// The maximum number of held keys.
  package static let maximumKeys = 16

  private struct State {
    var keys: [Derived]
    var current: Derived
  }

  /// The keys derived from one master key, computed once.
  struct Derived: Sendable {
    let master: MasterKey
    let name: String
    private let keys: [MasterKey.Purpose: SymmetricKey]

    init(_ master: MasterKey) {
      self.master = master
      name = master.name
      keys = Dictionary(
        uniqueKeysWithValues: MasterKey.Purpose.allCases.map { ($0, master.key(for: $0)) })
    }

    func key(for purpose: MasterKey.Purpose) -> SymmetricKey {
      keys[purpose] ?? master.key(for: purpose)
    }
  }

  /// A ring with one key, which encrypts.
  package init(_ key: MasterKey) {
    let derived = Derived(key)
    state = Mutex(State(keys: [derived], current: derived))
  }

  /// A ring with several keys. The first one encrypts until ``select(checkValue:)`` selects another.
  /// Nil if there is no key, or if there are more than ``maximumKeys``.
  package convenience init?(_ keys: [MasterKey]) {
    guard let first = keys.first, keys.count <= Self.maximumKeys else { return nil }
    self.init(first)
    adopt(keys)
  }

  /// The key that encrypts.
  package var current: MasterKey { sealing.master }

  /// Every key held, each once.
  package var keys: [MasterKey] { state.withLock { $0.keys.map(\.master) } }

  /// Replaces the held keys by `keys`. The key that encrypts stays even if it isn't among them: a
  /// mistake in a file must not make the database unreadable.
  package func adopt(_ keys: [MasterKey]) {
    let derived = keys.prefix(Self.maximumKeys).map(Derived.init)
    state.withLock { state in
      var held: [Derived] = []
      for key in [state.current] + derived where !held.contains(where: { $0.name == key.name }) {
        held.append(key)
      }
      state.keys = held
    }
  }

  /// Encrypts from now on with the key that has this check value. False, without a change, if the
  /// ring doesn't hold the key.
  package func select(checkValue: [UInt8]) -> Bool {
    state.withLock { state in
      let key = state.keys.first { constantTimeEquals($0.master.checkValue, checkValue) }
      guard let key else { return false }
      state.current = key
      return true
    }
  }

  var sealing: Derived { state.withLock { $0.current } }

  /// The derived keys for a purpose, one of each held master key: for data that doesn't name its
  /// key.
  func keys(for purpose: MasterKey.Purpose) -> [SymmetricKey] {
    state.withLock { state in state.keys.map { $0.key(for: purpose) } }
  }

  /// The key that a ciphertext names.
  func key(id: some Collection<UInt8>) -> Derived? {
    state.withLock { state in state.keys.first { $0.master.id.elementsEqual(id) } }
  }

  /// The key that a refresh token names.
  func key(name: String) -> Derived? {
    state.withLock { state in state.keys.first { $0.name.utf8.elementsEqual(name.utf8) } }
  }
}

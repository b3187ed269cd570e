import Crypto
package import Foundation
import GatehouseProtocol
import Synchronization

/// The master keys that the process holds: one encrypts, all of them decrypt.
///
/// There are several keys only from the beginning of a rotation until the old key is retired. In this
/// time there are ciphertexts and refresh tokens under both. The database names the key that encrypts,
/// and the former keys with the times until which they were used. What a client presents under a former
/// key counts only if it can have been made before that time: see ``TokenBox``, ``NonceCodec`` and
/// ``Session/canHaveToken(_:ofKeyUsedUntil:graceSeconds:now:)``.
package final class MasterKeyRing: Sendable {
  private let state: Mutex<State>

  /// The maximum number of held keys.
  package static let maximumKeys = 16

  private struct State {
    var keys: [Derived]
    var current: Derived
    var former: [FormerMasterKey] = []

    /// Derives the keys, and says until when each one was used.
    func derived(_ masters: some Sequence<MasterKey>) -> [Derived] {
      masters.map { master in
        var key = keys.first { $0.name == master.name } ?? Derived(master)
        key.usedUntil = former.first { $0.checkValue == key.checkValue }?.usedUntil
        return key
      }
    }
  }

  /// The keys derived from one master key, computed once.
  struct Derived: Sendable {
    let master: MasterKey
    let name: String
    let checkValue: [UInt8]
    /// Until when a former key was used. Nil for the key that encrypts, and for one that the database
    /// doesn't name: another server may already encrypt with it.
    var usedUntil: Date?
    private let keys: [MasterKey.Purpose: SymmetricKey]

    init(_ master: MasterKey) {
      self.master = master
      name = master.name
      checkValue = master.checkValue
      keys = Dictionary(
        uniqueKeysWithValues: MasterKey.Purpose.allCases.map { ($0, master.key(for: $0)) })
    }

    /// Whether the key was still used at this time.
    func canHaveMade(_ time: Date) -> Bool { usedUntil.map { time <= $0 } ?? true }

    func key(for purpose: MasterKey.Purpose) -> SymmetricKey {
      keys[purpose] ?? master.key(for: purpose)
    }
  }

  /// A ring with one key, which encrypts.
  package init(_ key: MasterKey) {
    let derived = Derived(key)
    state = Mutex(State(keys: [derived], current: derived))
  }

  /// A ring with several keys. The first one encrypts until ``select(checkValue:former:)`` selects another.
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
    state.withLock { state in
      var held: [Derived] = []
      for key in [state.current] + state.derived(keys.prefix(Self.maximumKeys))
      where !held.contains(where: { $0.name == key.name }) {
        held.append(key)
      }
      state.keys = held
    }
  }

  /// Encrypts from now on with the key that has this check value. False, without a change, if the
  /// ring doesn't hold the key.
  ///
  /// - Parameter former: The former keys that the database names.
  package func select(checkValue: [UInt8], former: [FormerMasterKey]) -> Bool {
    state.withLock { state in
      let index = state.keys.firstIndex { constantTimeEquals($0.checkValue, checkValue) }
      guard let index else { return false }
      state.former = former.filter { $0.checkValue != checkValue }
      state.keys = state.derived(state.keys.map(\.master))
      state.current = state.keys[index]
      return true
    }
  }

  var sealing: Derived { state.withLock { $0.current } }

  /// The derived keys, one of each held master key: for data that doesn't name its key.
  var derivedKeys: [Derived] { state.withLock { $0.keys } }

  /// The key that a ciphertext names.
  func key(id: some Collection<UInt8>) -> Derived? {
    state.withLock { state in state.keys.first { $0.master.id.elementsEqual(id) } }
  }

  /// The key that a refresh token names.
  func key(name: String) -> Derived? {
    state.withLock { state in state.keys.first { $0.name.utf8.elementsEqual(name.utf8) } }
  }
}

/// A master key that encrypted before the current one, as the database names it.
package struct FormerMasterKey: Hashable, Sendable {
  package let checkValue: [UInt8]
  /// The last time at which a server may have used the key.
  package let usedUntil: Date

  /// How many former keys are remembered: they stay when a key is retired, because a variable or another
  /// machine's file may still contain it.
  static let maximumRemembered = 64
  private static let bytes = SHA256.byteCount + 8

  package init(checkValue: [UInt8], usedUntil: Date) {
    self.checkValue = checkValue
    self.usedUntil = usedUntil
  }

  /// Reads a server value: for each key, oldest first, its check value and the time in milliseconds since
  /// 1970, 64 bits, big-endian. Ignores an incomplete key at the end.
  package static func list(_ stored: [UInt8]?) -> [FormerMasterKey] {
    let stored = stored ?? []
    return stride(from: 0, through: stored.count - bytes, by: bytes).map { start in
      let milliseconds = stored[(start + SHA256.byteCount)..<(start + bytes)]
        .reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return FormerMasterKey(
        checkValue: Array(stored[start..<(start + SHA256.byteCount)]),
        usedUntil: Date(timeIntervalSince1970: Double(milliseconds) / 1000))
    }
  }

  /// The server value for these keys.
  static func stored(_ keys: [FormerMasterKey]) -> [UInt8] {
    keys.suffix(maximumRemembered).flatMap { key in
      let milliseconds =
        UInt64(exactly: (key.usedUntil.timeIntervalSince1970 * 1000).rounded()) ?? 0
      return key.checkValue
        + (0..<8).reversed().map { UInt8(truncatingIfNeeded: milliseconds >> (8 * UInt64($0))) }
    }
  }
}

import Foundation
import GatehouseAccounts
import GatehouseOperation
import Logging
import Synchronization

/// Loads the changes that `keys rotate-master` makes to the master key file and to the database,
/// and tells that command which keys this server has.
final class MasterKeyWatch: Sendable {
  private let ring: MasterKeyRing
  /// Nil if the key was given as a value, which can't change.
  private let file: String?
  private let presence: ServerPresence
  /// The file as it was when it was read.
  private let lastSeen = Mutex<Seen?>(nil)

  /// Distinguishes one state of the file from another.
  private struct Seen: Equatable {
    let modified: Date?
    let inode: UInt64?
    let bytes: UInt64?
  }

  /// - Parameter file: Nil if the key was given as a value.
  init(_ ring: MasterKeyRing, file: String?, presence: ServerPresence) {
    self.ring = ring
    self.file = file
    self.presence = presence
  }

  /// Reads the file if it has changed, and announces this server with its keys.
  ///
  /// - Throws: ``CommandFailure`` if the file can't be read: the server then keeps its keys, and is
  ///   announced with them. Also the errors of the announcement.
  func refreshKeys(now: Date) async throws {
    var isNew = false
    var fault: (any Error)?
    if let file {
      let seen = Self.look(file)
      isNew = lastSeen.withLock { $0 != seen }
      if isNew {
        do {
          ring.adopt(try MasterKeySource.read(file))
          lastSeen.withLock { $0 = seen }
        } catch {
          // Without an announcement, a rotation would not wait for this server, and it could not decrypt
          // anything afterwards.
          fault = error
          isNew = false
        }
      }
    }
    do {
      try await presence.announce(masterKeys: ring.keys.map(\.name), isNew: isNew, now: now)
    } catch {
      // The next round reads the file and announces the keys again.
      lastSeen.withLock { $0 = nil }
      throw error
    }
    if let fault { throw fault }
  }

  /// Makes the key that the database names the current one.
  func refreshCurrent(store: any Store) async throws {
    guard try await MasterKeyRotation.select(in: ring, store: store) else {
      throw CommandFailure(
        "the database is encrypted under a master key that this server doesn't have: restart it "
          + "with that key"
      )
    }
    // Lets the next round read the file again: it drops a key that was removed from the file while
    // the key was still current.
    lastSeen.withLock { $0 = nil }
  }

  private static func look(_ file: String) -> Seen {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return Seen(
      modified: attributes?[.modificationDate] as? Date,
      inode: (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value,
      bytes: (attributes?[.size] as? NSNumber)?.uint64Value)
  }
}

import Foundation
import GatehouseServer
import Logging
import Synchronization

/// Loads the changes that `keys rotate-master` makes to the master key file and to the database,
/// and tells that command which keys this server has.
final class MasterKeyWatch: Sendable {
  private let ring: MasterKeyRing
  /// Nil if the key was given as a value, which can't change.
  private let file: String?
  private let presence: ServerPresence
  private let last = Mutex(Look())

  /// A fault that stays is reported only once in this time: others have to be seen in the log, too.
  static let secondsBetweenFaults: TimeInterval = 10

  private struct Look {
    /// The file as it was when it was read.
    var seen: Seen?
    /// When the file had a fault; nil if it had none.
    var failedAt: Date?

    func isDue(_ seen: Seen, now: Date) -> Bool {
      guard self.seen == seen else { return true }
      return failedAt.map { abs(now.timeIntervalSince($0)) >= MasterKeyWatch.secondsBetweenFaults }
        ?? false
    }
  }

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
  /// - Throws: ``CommandFailure`` if the file can't be read, or lacks the key that encrypts: the server
  ///   then keeps its keys, and is announced with them. Also the errors of the announcement.
  func refreshKeys(now: Date) async throws {
    var isNew = false
    var fault: (any Error)?
    if let file {
      let seen = Self.look(file)
      isNew = last.withLock { $0.isDue(seen, now: now) }
      if isNew {
        do {
          let keys = try MasterKeySource.read(file)
          ring.adopt(keys)
          try Self.check(keys, of: file, for: ring.current)
        } catch {
          // Without an announcement, a rotation would not wait for this server, and it could not decrypt
          // anything afterwards.
          fault = error
        }
        let failedAt = fault.map { _ in now }
        last.withLock { $0 = Look(seen: seen, failedAt: failedAt) }
      }
    }
    do {
      try await presence.announce(masterKeys: ring.keys.map(\.name), isNew: isNew, now: now)
    } catch {
      // The next round reads the file and announces the keys again.
      last.withLock { $0 = Look() }
      throw error
    }
    if let fault { throw fault }
  }

  /// An older version of the file, such as one that a tool for configuration has put back after a rotation,
  /// lacks the new key. The server can go on, but it may be the last that has the key.
  private static func check(_ keys: [MasterKey], of file: String, for current: MasterKey) throws {
    guard !keys.contains(where: { $0.id == current.id }) else { return }
    throw CommandFailure(
      "the master key file \(file) lacks the key \(current.name), under which the database is "
        + "encrypted. Put it back from your copy before this server stops: without it no server can "
        + "start")
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
    last.withLock { $0 = Look() }
  }

  private static func look(_ file: String) -> Seen {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return Seen(
      modified: attributes?[.modificationDate] as? Date,
      inode: (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value,
      bytes: (attributes?[.size] as? NSNumber)?.uint64Value)
  }
}

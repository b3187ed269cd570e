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
  private let mark: ServingMark
  /// The file as it was when it was read.
  private let lastSeen = Mutex<Seen?>(nil)

  /// Distinguishes one state of the file from another.
  private struct Seen: Equatable {
    let modified: Date?
    let inode: UInt64?
    let bytes: UInt64?
  }

  init(_ ring: MasterKeyRing, file: String?, folder: String) throws {
    self.ring = ring
    self.file = file
    do {
      mark = try ServingMark.make(in: folder, Self.contents(ring))
    } catch {
      guard let fault = FolderTrial.fault(in: folder) else { throw error }
      throw CommandFailure("the server can't start: \(fault)")
    }
  }

  /// Reads the file if it has changed.
  ///
  /// - Throws: ``CommandFailure`` if it can't be read. The server then keeps its keys.
  func refreshKeys() throws {
    guard let file else { return }
    let seen = Self.look(file)
    guard lastSeen.withLock({ $0 != seen }) else { return }
    ring.adopt(try MasterKeySource.read(file))
    try mark.write(Self.contents(ring))
    lastSeen.withLock { $0 = seen }
  }

  /// Makes the key that the database names the current one.
  func refreshCurrent(store: any Store) async throws {
    guard try await MasterKeyRotation.select(in: ring, store: store) else {
      throw CommandFailure(
        "the database is encrypted under a master key that this server doesn't have: restart it "
          + "with that key"
      )
    }
    // Reads the file again: a key that was removed from it while it was still current is dropped
    // then.
    lastSeen.withLock { $0 = nil }
  }

  func end() { mark.remove() }

  private static func contents(_ ring: MasterKeyRing) -> ServingMark.Contents {
    ServingMark.Contents(
      process: ProcessInfo.processInfo.processIdentifier, masterKeys: ring.keys.map(\.name))
  }

  private static func look(_ file: String) -> Seen {
    let attributes = try? FileManager.default.attributesOfItem(atPath: file)
    return Seen(
      modified: attributes?[.modificationDate] as? Date,
      inode: (attributes?[.systemFileNumber] as? NSNumber)?.uint64Value,
      bytes: (attributes?[.size] as? NSNumber)?.uint64Value)
  }
}

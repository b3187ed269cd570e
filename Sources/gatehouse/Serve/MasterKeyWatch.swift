import Foundation
import GatehouseAccounts
import GatehouseOperation
import Logging
import Synchronization

/// Takes over what `keys rotate-master` does to the master key's file and to the database, and tells
/// it which keys this server holds.
final class MasterKeyWatch: Sendable {
  private let ring: MasterKeyRing
  /// Nil where the key came as a value: it stays what it was.
  private let file: String?
  private let mark: ServingMark
  /// The file as it was when it was read.
  private let lastSeen = Mutex<Seen?>(nil)

  /// What tells one state of the file from another.
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
  /// - Throws: ``CommandFailure`` if it can't be read: the keys held stay.
  func refreshKeys() throws {
    guard let file else { return }
    let seen = Self.look(file)
    guard lastSeen.withLock({ $0 != seen }) else { return }
    ring.adopt(try MasterKeySource.read(file))
    try mark.write(Self.contents(ring))
    lastSeen.withLock { $0 = seen }
  }

  /// Seals with the key that the database names.
  func refreshCurrent(store: any Store) async throws {
    guard try await MasterKeyRotation.select(in: ring, store: store) else {
      throw CommandFailure(
        "the database is under a master key that this server doesn't hold: restart it with that one"
      )
    }
    // A key that was let go while it still sealed is dropped by the next look at the file.
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

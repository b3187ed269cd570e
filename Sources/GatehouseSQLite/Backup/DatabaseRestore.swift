package import Foundation
import GRDB
package import GatehouseAccounts

/// Puts a backup in a database's place, in two steps: what is to be checked is what is put there.
package struct DatabaseRestore: Sendable {
  private let folder: URL
  private let copy: DatabaseFile
  package let facts: DatabaseFile.Facts

  /// Copies the backup into the data folder under a passing name, and reads it through.
  ///
  /// - Throws: `StoreError.damaged` if it is no database of this server's, of a newer version, or
  ///   damaged; `StoreError.unavailable` if it can't be read or copied. The copy is gone then.
  package static func stage(
    _ backup: String, in folder: URL
  ) throws(StoreError) -> DatabaseRestore {
    let path = folder.appendingPathComponent("restore.part", isDirectory: false).path
    Files.remove(path)
    do {
      guard FileManager.default.fileExists(atPath: backup) else {
        throw StoreError.unavailable("there is no file \(backup)")
      }
      try Files.make(path)
      try copyBytes(from: backup, to: path)
      try Files.sync(path)
      let copy = DatabaseFile(path)
      let facts = try copy.facts()
      if let damage = try copy.damage(thoroughly: true).first {
        throw StoreError.damaged("the backup is damaged (\(damage)): take another one")
      }
      return DatabaseRestore(folder: folder, copy: copy, facts: facts)
    } catch {
      Files.remove(path)
      throw StoreError.of(error)
    }
  }

  /// Gives the copy up.
  package func discard() { Files.remove(copy.path) }

  /// Puts the copy in the database's place. At no moment is there none; what was there keeps the
  /// name that is answered.
  ///
  /// - Parameter suffix: What the old file's name gets, such as `.before-20260102T030405Z`.
  /// - Returns: The old file's path; nil if there was none.
  /// - Throws: `StoreError.unavailable` if another process has the database open: nothing was
  ///   replaced then.
  package func replace(suffix: String) throws(StoreError) -> String? {
    let current = DatabaseFile(in: folder).path
    do {
      guard FileManager.default.fileExists(atPath: current) else {
        try Files.rename(copy.path, to: current)
        try Files.sync(folder.path)
        return nil
      }
      let old = current + suffix
      let lock = try ExclusiveLock(on: current)
      defer { lock.release() }
      try Files.link(current, as: old)
      // The log of the old file would be taken for the new one's.
      for companion in ["-wal", "-shm"]
      where FileManager.default.fileExists(atPath: current + companion) {
        try Files.rename(current + companion, to: old + companion)
      }
      try Files.rename(copy.path, to: current)
      try Files.sync(folder.path)
      return old
    } catch {
      throw StoreError.of(error)
    }
  }

  private static func copyBytes(from source: String, to target: String) throws {
    let reader = try FileHandle(forReadingFrom: URL(fileURLWithPath: source))
    defer { try? reader.close() }
    let writer = try FileHandle(forWritingTo: URL(fileURLWithPath: target))
    defer { try? writer.close() }
    while let chunk = try reader.read(upToCount: 1 << 20), !chunk.isEmpty {
      try writer.write(contentsOf: chunk)
    }
  }
}

/// Keeps every other process out of a database while its file is replaced, and has the log folded
/// into the file.
private struct ExclusiveLock {
  /// Nil if the file is so damaged that no lock can be had: nobody can use it either.
  private let queue: DatabaseQueue?

  init(on path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    configuration.allowsUnsafeTransactions = true
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        // Leaving the write-ahead log takes being the only one that has the database open.
        let mode = try String.fetchOne(database, sql: "PRAGMA journal_mode = DELETE")
        guard mode == "delete" else { throw Self.isOpen }
        try database.execute(sql: "BEGIN EXCLUSIVE")
      }
      self.queue = queue
    } catch let error as DatabaseError {
      switch error.resultCode {
      case .SQLITE_BUSY, .SQLITE_LOCKED: throw Self.isOpen
      case .SQLITE_CORRUPT, .SQLITE_NOTADB: queue = nil
      default: throw error
      }
    }
  }

  func release() {
    guard let queue else { return }
    try? queue.writeWithoutTransaction { try $0.execute(sql: "ROLLBACK") }
    try? queue.close()
  }

  private static let isOpen = StoreError.unavailable(
    "a server or a command has the database open: stop it, and restore then. Nothing was replaced")
}

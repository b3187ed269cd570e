package import Foundation
import GRDB

/// Replaces a database by a backup, in two steps: the file that is checked is the file that is put
/// in place.
package struct DatabaseRestore: Sendable {
  private let folder: URL
  private let copy: DatabaseFile
  package let facts: DatabaseFacts

  /// Copies the backup into the data folder under a temporary name, and checks it. If this is the
  /// superuser, the copy gets the owner of the present database, or of the folder.
  ///
  /// The backup may be a database that was copied with its log, such as those of a machine that failed: the
  /// log, in the file beside it with `-wal` in its name, has writes that are not in the database yet.
  ///
  /// - Throws: `StoreError.damaged` if it is not a Gatehouse database, has a newer version, or is
  ///   damaged; `StoreError.unavailable` if it can't be read or copied. The copy is then removed.
  package static func stage(
    _ backup: String, in folder: URL
  ) throws(StoreError) -> DatabaseRestore {
    let path = folder.appendingPathComponent("restore.part", isDirectory: false).path
    removeCopy(path)
    do {
      guard FileManager.default.fileExists(atPath: backup) else {
        throw StoreError.unavailable("there is no file \(backup)")
      }
      guard Files.hasHeader(backup) else {
        throw StoreError.damaged(
          "the backup \(backup) is too short for a database (\(Files.size(of: backup)) bytes): use another one"
        )
      }
      // The server has to open it, also if an administrator restores it as root.
      let current = DatabaseFile(in: folder).path
      let model = FileManager.default.fileExists(atPath: current) ? current : folder.path
      try Files.make(path, ownedLike: model)
      try copyBytes(from: backup, to: path)
      if Files.hasBytes(backup + logSuffix), try usesLog(path) {
        try Files.make(path + logSuffix, ownedLike: model)
        try copyBytes(from: backup + logSuffix, to: path + logSuffix)
      }
      let copy = DatabaseFile(path)
      let facts = try copy.facts()
      if let damage = try copy.damage(thoroughly: true).first {
        throw StoreError.damaged("the backup is damaged (\(damage)): use another one")
      }
      // SQLite moved the log into the copy when the copy was closed.
      guard !Files.hasBytes(path + logSuffix) else {
        throw StoreError.unavailable(
          "the log of the backup can't be moved into it: \(backup + logSuffix)")
      }
      try Files.sync(path)
      return DatabaseRestore(folder: folder, copy: copy, facts: facts)
    } catch {
      removeCopy(path)
      throw StoreError.of(error)
    }
  }

  /// Removes the copy.
  package func discard() { Self.removeCopy(copy.path) }

  /// Replaces the database by the copy. At every moment there is a database. The old file gets the
  /// name that is returned.
  ///
  /// - Parameter suffix: Added to the old file's name, such as `.before-20260102T030405Z`.
  /// - Returns: The old file's path; nil if there was none.
  /// - Throws: `StoreError.unavailable` if another process has the database open; then nothing was
  ///   replaced.
  package func replace(suffix: String) throws(StoreError) -> String? {
    let current = DatabaseFile(in: folder).path
    do {
      guard FileManager.default.fileExists(atPath: current) else {
        // The database was moved away without its log.
        try Self.moveLog(of: current, to: current + suffix)
        try Files.rename(copy.path, to: current)
        try Files.sync(folder.path)
        return nil
      }
      let old = current + suffix
      // An empty file has nothing to lock, and its log is kept with it.
      let lock = Files.hasBytes(current) ? try ExclusiveLock(on: current) : nil
      defer { lock?.release() }
      try Files.link(current, as: old)
      try Self.moveLog(of: current, to: old)
      try Files.rename(copy.path, to: current)
      try Files.sync(folder.path)
      return old
    } catch {
      throw StoreError.of(error)
    }
  }

  /// SQLite would use the log of the old file for the new one.
  private static func moveLog(of database: String, to other: String) throws {
    for suffix in [logSuffix, "-shm"]
    where FileManager.default.fileExists(atPath: database + suffix) {
      try Files.rename(database + suffix, to: other + suffix)
    }
  }

  /// The end of the name of a database's log.
  private static let logSuffix = "-wal"

  /// Whether the database's header says that it has a log (SQLite's file format, §1.3.3). A file that
  /// `backup` made has none: a log beside it is of an earlier file with the same name.
  private static func usesLog(_ path: String) throws -> Bool {
    let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
    defer { try? file.close() }
    let header = try file.read(upToCount: 20) ?? Data()
    return header.count == 20 && header.suffix(2).elementsEqual([2, 2])
  }

  private static func removeCopy(_ path: String) {
    for suffix in ["", logSuffix, "-shm"] { Files.remove(path + suffix) }
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

/// Locks a database against all other processes while its file is replaced, and copies the log into
/// the file.
private struct ExclusiveLock {
  /// Nil if the file is so damaged that it can't be locked; then nothing else can use it either.
  private let queue: DatabaseQueue?

  init(on path: String) throws {
    var configuration = Configuration()
    configuration.busyMode = .timeout(1)
    configuration.allowsUnsafeTransactions = true
    do {
      let queue = try DatabaseQueue(path: path, configuration: configuration)
      try queue.writeWithoutTransaction { database in
        try database.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
        // Switching off the write-ahead log is possible only if no other process has the database
        // open.
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
    "a server or a command has the database open: stop it and restore again. Nothing was replaced")
}

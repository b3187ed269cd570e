package import Foundation
import GRDB

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `open(2)`. Inside the store, `open` and `close` are the store's own functions.
private func openDescriptor(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

extension SQLiteStore {
  /// The database's file name in its folder. SQLite keeps its log beside it, in files with the same
  /// name and `-wal` or `-shm`.
  package static let fileName = "gatehouse.sqlite"

  /// Opens the database in `folder` and migrates it. Creates the folder and the database if they
  /// are missing.
  ///
  /// A folder that is created here can be accessed only by its owner (0700), and so can the files
  /// (0600). An existing folder's permissions are not changed. Another process may have the
  /// database open.
  ///
  /// Doesn't check the mode or the master key's check value: the caller must check them first, with
  /// ``serverValues(at:)``.
  ///
  /// Blocks the thread for a few milliseconds, or longer if a migration has much to do.
  ///
  /// - Parameter lockWaitMilliseconds: About how long a transaction waits while another process
  ///   writes.
  /// - Throws: `StoreError.damaged` if the file isn't a Gatehouse database, has a newer version, or
  ///   was migrated by other steps; `StoreError.unavailable` if it can't be created, opened or
  ///   locked.
  package static func open(
    at folder: URL, sealing: any SecretSealing, lockWaitMilliseconds: Int = 5000
  ) throws(StoreError) -> SQLiteStore {
    do {
      try createDatabase(at: folder)
      let path = folder.appendingPathComponent(fileName, isDirectory: false).path
      let connections = try SQLiteConnections.open(path: path, lockWait: lockWaitMilliseconds)
      return SQLiteStore(connections, sealing: sealing)
    } catch {
      throw StoreError.of(error)
    }
  }

  /// The server values of a database, read before it is opened. Nothing is migrated, and no byte of
  /// the database changes.
  ///
  /// - Returns: Nil if there is no database in the folder, or one without tables.
  /// - Throws: Like ``open(at:sealing:lockWaitMilliseconds:)``.
  package static func serverValues(
    at folder: URL
  ) throws(StoreError) -> [String: [UInt8]]? {
    let path = folder.appendingPathComponent(fileName, isDirectory: false).path
    guard Files.hasHeader(path) else { return nil }
    do {
      return try SQLiteConnections.inspect(path: path) { connection in
        let values = try connection.all(ServerSQL.values) { (try $0.text(0), $0.blob(1)) }
        return Dictionary(values) { first, _ in first }
      }
    } catch {
      throw StoreError.of(error)
    }
  }

  /// Applies the migrations that an existing database lacks.
  ///
  /// - Returns: Their names.
  package static func migrate(at folder: URL) throws(StoreError) -> [String] {
    do {
      let path = folder.appendingPathComponent(fileName, isDirectory: false).path
      var applied = 0
      _ = try SQLiteConnections.inspect(path: path) { connection in
        try connection.execute("SELECT count(*) FROM schema_migrations", []) {
          applied = Int($0.integer(0))
        }
      }
      try SQLiteConnections.open(path: path, lockWait: 5000).writer.close()
      return Migration.ofSQLite.dropFirst(applied).map(\.name)
    } catch {
      throw StoreError.of(error)
    }
  }

  /// Creates the folder and an empty file, if they are missing.
  static func createDatabase(at folder: URL) throws {
    try makeFolder(folder)
    try makeFile(folder.appendingPathComponent(fileName, isDirectory: false).path)
  }

  private static func makeFolder(_ folder: URL) throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.unavailable(
        "the folder \(folder.path) can't be created: \(error.localizedDescription)")
    }
  }

  /// Creates the file with its final permissions; SQLite gives its other files the same.
  ///
  /// An existing file isn't opened: closing it again would drop the locks that another connection
  /// of this process has on it (POSIX).
  private static func makeFile(_ path: String) throws {
    let flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC
    let descriptor = openDescriptor(path, flags, 0o600)
    if descriptor >= 0 {
      closeDescriptor(descriptor)
    } else if errno != EEXIST {
      throw StoreError.unavailable(
        "the file \(path) can't be created: \(unsafe String(cString: strerror(errno)))")
    }
  }
}

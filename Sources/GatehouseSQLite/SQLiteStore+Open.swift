package import Foundation
package import GatehouseAccounts

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// `open(2)`; inside the store, `open` and `close` are the store's own.
private func openDescriptor(_ path: String, _ flags: Int32, _ mode: mode_t) -> Int32 {
  unsafe open(path, flags, mode)
}

private func closeDescriptor(_ descriptor: Int32) { _ = close(descriptor) }

extension SQLiteStore {
  /// The database's name within its folder. SQLite keeps its log beside it, under the same name with
  /// `-wal` and `-shm`.
  package static let fileName = "gatehouse.sqlite"

  /// Opens the database in `folder`, making both if they are missing, and brings its tables up to
  /// date.
  ///
  /// A folder made here is for its owner alone (0700), and so are the files (0600). An existing
  /// folder's permissions are left as they are. Another process may have the database open.
  ///
  /// Doesn't look at the mode stamp or the master key's check value: see
  /// ``serverValues(_:at:)``, which is for whoever opens the store to ask first.
  ///
  /// Blocks for the few milliseconds that this takes; longer if a migration has much to do.
  ///
  /// - Parameter lockWaitMilliseconds: How long a transaction waits, about, while another process
  ///   writes.
  /// - Throws: `StoreError.damaged` if the file isn't a database of this server's, is of a newer
  ///   version, or was migrated by other steps; `StoreError.unavailable` if it can't be made,
  ///   opened or locked.
  package static func open(
    at folder: URL, sealing: any SecretSealing, lockWaitMilliseconds: Int = 5000
  ) throws(StoreError) -> SQLiteStore {
    do {
      try makeFolder(folder)
      let path = folder.appendingPathComponent(fileName, isDirectory: false).path
      try makeFile(path)
      let connections = try Connections.open(path: path, lockWait: lockWaitMilliseconds)
      return SQLiteStore(connections, sealing: sealing)
    } catch {
      throw StoreError.of(error)
    }
  }

  /// Values that a database has stored of itself, read before it is opened for good: nothing is
  /// migrated, and not a byte of it changes.
  ///
  /// - Returns: Nil if there is no database in the folder, or one without tables. What isn't stored
  ///   is missing.
  /// - Throws: As ``open(at:sealing:lockWaitMilliseconds:)``.
  package static func serverValues(
    _ names: [String], at folder: URL
  ) throws(StoreError) -> [String: [UInt8]]? {
    let path = folder.appendingPathComponent(fileName, isDirectory: false).path
    guard FileManager.default.fileExists(atPath: path) else { return nil }
    do {
      return try Connections.inspect(path: path) { connection in
        var values: [String: [UInt8]] = [:]
        for name in names {
          values[name] = try connection.first(ServerSQL.value, .text(name)) { $0.blob(0) }
        }
        return values
      }
    } catch {
      throw StoreError.of(error)
    }
  }

  private static func makeFolder(_ folder: URL) throws {
    guard !FileManager.default.fileExists(atPath: folder.path) else { return }
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw StoreError.unavailable(
        "the folder \(folder.path) can't be made: \(error.localizedDescription)")
    }
  }

  /// Makes the file with its permissions from the start; SQLite gives its companions the same.
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
        "the file \(path) can't be made: \(unsafe String(cString: strerror(errno)))")
    }
  }
}

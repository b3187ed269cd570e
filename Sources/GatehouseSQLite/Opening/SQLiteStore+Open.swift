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
  /// Doesn't look at the mode stamp or the master key's check value: those are `ServerRecords`,
  /// compared by whoever opens the store.
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

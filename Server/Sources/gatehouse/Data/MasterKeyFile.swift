import Foundation
import GatehouseServer
import GatehouseProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// The file that contains the master keys, one on each line.
enum MasterKeyFile {
  /// Changes the keys in the file. Of two commands that do so at the same time, one waits for the other:
  /// otherwise a key could be lost that the other one has added, and under which it encrypts everything.
  ///
  /// - Parameters:
  ///   - current: The key under which the database is encrypted. The file must have it before and after
  ///     the change.
  ///   - change: Returns the new keys. If it throws, nothing is changed.
  /// - Returns: The keys that are now in the file.
  /// - Throws: ``CommandFailure``. Unless it says otherwise, nothing was changed.
  static func change(
    _ path: String, keeping current: MasterKey, _ change: ([MasterKey]) throws -> [MasterKey]
  ) throws -> [MasterKey] {
    // The file itself is replaced, so its folder is locked. Some network file systems can't do that: there
    // the commands don't wait.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0 { _ = flock(descriptor, LOCK_EX) }
    let keys = try change(try MasterKeySource.read(path))
    // Checked before writing: neither a command nor a server could start with such a file.
    guard keys.contains(where: { $0.id == current.id }) else {
      throw CommandFailure(
        "the master key file \(path) lacks the key \(current.name), under which the database is "
          + "encrypted. Put it back from your copy. Nothing was changed")
    }
    guard keys.count <= MasterKeyRing.maximumKeys else {
      throw CommandFailure(
        "the master key file \(path) would have more than \(MasterKeyRing.maximumKeys) keys. Nothing was "
          + "changed")
    }
    try write(keys, to: path)
    return keys
  }

  /// Replaces the file in one step, with mode 0600 and the owner that it has: a reader finds either
  /// the old keys or the new ones.
  static func write(_ keys: [MasterKey], to path: String) throws {
    let text = keys.map { $0.base64.reveal() + "\n" }.joined()
    do {
      try PrivateFile.replace(path, with: Data(text.utf8), draft: path + ".part")
    } catch {
      throw CommandFailure(
        "the master key file \(path) can't be written: \(error.localizedDescription). This user "
          + "must have write access to its folder. Nothing was changed")
    }
    do {
      try PrivateFile.syncFolder(of: path)
    } catch {
      throw CommandFailure(
        "the master key file \(path) was changed, but its folder can't be synced to the disk "
          + "(\(error.localizedDescription)). When that is mended, run the command again")
    }
  }
}

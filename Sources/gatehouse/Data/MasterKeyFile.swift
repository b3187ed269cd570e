import Foundation
import GatehouseAccounts
import GatehouseModel

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
  /// - Returns: The keys that are now in the file.
  static func change(
    _ path: String, _ change: ([MasterKey]) -> [MasterKey]
  ) throws -> [MasterKey] {
    // The file itself is replaced, so its folder is locked. Some network file systems can't do that: there
    // the commands don't wait.
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let descriptor = unsafe open(folder, O_RDONLY | O_CLOEXEC)
    defer { if descriptor >= 0 { close(descriptor) } }
    if descriptor >= 0 { _ = flock(descriptor, LOCK_EX) }
    let keys = change(try MasterKeySource.read(path))
    try write(keys, to: path)
    return keys
  }

  /// Replaces the file in one step, with mode 0600 and the owner that it has: a reader finds either
  /// the old keys or the new ones.
  static func write(_ keys: [MasterKey], to path: String) throws {
    let part = path + ".part"
    let text = keys.map { $0.base64.reveal() + "\n" }.joined()
    do {
      try? FileManager.default.removeItem(atPath: part)
      // The server has to read it, also if an administrator runs the command as root.
      try PrivateFile.write(Data(text.utf8), toNew: part, replacing: path)
      guard unsafe rename(part, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      let folder = try FileHandle(
        forReadingFrom: URL(fileURLWithPath: path).deletingLastPathComponent())
      try folder.synchronize()
      try folder.close()
    } catch {
      throw CommandFailure(
        "the master key file \(path) can't be written: \(error.localizedDescription). This user "
          + "must have write access to its folder. Nothing was changed")
    }
  }
}

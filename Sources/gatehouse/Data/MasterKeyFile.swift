import Foundation
import GatehouseAccounts
import GatehouseModel

/// The file that contains the master keys, one on each line.
enum MasterKeyFile {
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

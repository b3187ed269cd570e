import Foundation
import GatehouseAccounts
import GatehouseModel

/// The file that holds the master keys, one a line.
enum MasterKeyFile {
  /// Replaces the file in one step, with mode 0600: whoever reads it finds the old keys or the new.
  static func write(_ keys: [MasterKey], to path: String) throws {
    let part = path + ".part"
    let text = keys.map { $0.base64.reveal() + "\n" }.joined()
    do {
      try? FileManager.default.removeItem(atPath: part)
      try PrivateFile.write(Data(text.utf8), toNew: part)
      guard unsafe rename(part, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
      let folder = try FileHandle(
        forReadingFrom: URL(fileURLWithPath: path).deletingLastPathComponent())
      try folder.synchronize()
      try folder.close()
    } catch {
      throw CommandFailure(
        "the master key file \(path) can't be written: \(error.localizedDescription). The folder has "
          + "to be this user's. Nothing was changed")
    }
  }
}

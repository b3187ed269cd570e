import Foundation
import GatehouseAccounts
import GatehouseModel
import GatehouseOperation

/// The source of the master keys: a value, a file, or in `--dev` a file that the first start
/// creates.
///
/// There is one key. During a rotation there are several, separated by white space or commas.
struct MasterKeySource: Sendable {
  var text: Secret<String>?
  var file: String?
  /// Where the vault's own key comes from; nil: the master key encrypts the vault too.
  var vault: VaultKeyCommand?
  /// Whether to encrypt the vault under the master key again.
  var isLeavingVault = false

  static let remedy =
    "Create one with `gatehouse keys new-master`, keep it apart from the backups, and give it as "
    + "\(Settings.masterKey.environmentName) or with \(Settings.masterKeyFile.flag) FILE (mode 0600)."

  /// - Parameter mayMake: Whether a key may be created in the data folder: only in `--dev`, and
  ///   only for a database that doesn't exist yet. A new key could not decrypt an existing
  ///   database.
  func load(dataFolder: String, mayMake: Bool) throws -> MasterKeyRing {
    if let text {
      guard let keys = MasterKey.list(text.reveal()).flatMap(MasterKeyRing.init) else {
        throw CommandFailure(
          "the master key is not 32 bytes in base64. \(Self.remedy)")
      }
      return keys
    }
    let path = keyFile(dataFolder: dataFolder) ?? ""
    if file == nil && !FileManager.default.fileExists(atPath: path) {
      guard mayMake else {
        throw CommandFailure("there is no master key. \(Self.remedy)")
      }
      try Self.make(path)
    }
    guard let keys = MasterKeyRing(try Self.read(path)) else {
      throw CommandFailure("there is no master key. \(Self.remedy)")
    }
    return keys
  }

  /// The file that contains the keys; nil if they are given as a value.
  func keyFile(dataFolder: String) -> String? {
    text == nil ? file ?? Self.madeFile(in: dataFolder) : nil
  }

  /// Whether there is a key to load. Doesn't check the key.
  func isGiven(dataFolder: String) -> Bool {
    text != nil || file != nil
      || FileManager.default.fileExists(atPath: Self.madeFile(in: dataFolder))
  }

  private static func madeFile(in dataFolder: String) -> String { dataFolder + "/master.key" }

  /// - Throws: ``CommandFailure`` if the file doesn't exist, if other users have access to it, or
  ///   if it contains anything but keys.
  static func read(_ path: String) throws -> [MasterKey] {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: path)
    } catch {
      throw CommandFailure("the master key file \(path) can't be found. \(remedy)")
    }
    let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    guard mode & 0o077 == 0 else {
      throw CommandFailure(
        "the master key file \(path) is accessible to other users; run: chmod 600 \(path)")
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8),
      let keys = MasterKey.list(text)
    else {
      throw CommandFailure(
        "the master key file \(path) doesn't contain 32 bytes in base64. \(remedy)")
    }
    return keys
  }

  private static func failure(_ path: String) -> CommandFailure {
    let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
    let fault = FolderTrial.fault(in: folder).map { ": \($0)" } ?? ""
    return CommandFailure("the master key file \(path) can't be created\(fault)")
  }

  /// Creates the complete file or nothing, and never replaces an existing file: two servers that
  /// start at the same time use the same key.
  private static func make(_ path: String) throws {
    let draft = "\(path).\(UUID().uuidString)"
    guard let base64 = MasterKey.random()?.base64 else {
      throw CommandFailure("the master key file \(path) can't be created")
    }
    defer { unsafe unlink(draft) }
    do {
      try PrivateFile.write(Data((base64.reveal() + "\n").utf8), toNew: draft)
    } catch {
      throw Self.failure(path)
    }
    guard unsafe link(draft, path) == 0 || errno == EEXIST else { throw Self.failure(path) }
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol

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
    "Give the one of the database as \(Settings.masterKey.environmentName) or with "
    + "\(Settings.masterKeyFile.flag) FILE (mode 0600). For a new database, create one with `gatehouse "
    + "keys new-master`, and keep it apart from the backups."

  static let missing = "there is no master key. \(remedy)"

  /// - Parameters:
  ///   - missing: What to say if there is no key.
  ///   - mayMake: Whether a key may be created in the data folder: only in `--dev`, and
  ///     only for a database that doesn't exist yet. A new key could not decrypt an existing
  ///     database.
  func load(
    dataFolder: String, mayMake: Bool, missing: @autoclosure () -> String = Self.missing
  ) throws -> MasterKeyRing {
    if let text {
      guard text.reveal().contains(where: { !$0.isWhitespace }),
        let ring = MasterKeyRing(try Self.keys(in: text.reveal(), "the master key"))
      else { throw CommandFailure("the master key is empty. \(Self.remedy)") }
      return ring
    }
    let path = keyFile(dataFolder: dataFolder) ?? ""
    if file == nil && !FileManager.default.fileExists(atPath: path) {
      guard mayMake else {
        try Permission.check(path)
        throw CommandFailure(missing())
      }
      try Self.make(path)
    }
    let keys = try Self.read(path)
    guard let ring = MasterKeyRing(keys) else {
      throw Self.failure("the master key file \(path)", "is empty")
    }
    return ring
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

  /// - Throws: ``CommandFailure`` if the file doesn't exist, if other users have access to it, if it
  ///   contains anything but keys, or if it has none or too many.
  static func read(_ path: String) throws -> [MasterKey] {
    let attributes: [FileAttributeKey: Any]
    do {
      attributes = try FileManager.default.attributesOfItem(atPath: path)
    } catch {
      try Permission.check(path)
      throw CommandFailure("the master key file \(path) can't be found. \(remedy)")
    }
    let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue ?? 0
    guard mode & 0o077 == 0 else {
      throw CommandFailure(
        "the master key file \(path) is accessible to other users; run: chmod 600 \(path)")
    }
    let name = "the master key file \(path)"
    try Permission.check(path)
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw failure(name, "can't be read as text")
    }
    return try keys(in: text, name)
  }

  private static func keys(in text: String, _ name: String) throws -> [MasterKey] {
    let words = text.split { $0.isWhitespace || $0 == "," }
    guard !words.isEmpty else { throw failure(name, "is empty") }
    guard words.count <= MasterKeyRing.maximumKeys else {
      throw CommandFailure(
        "\(name) has \(words.count) keys, more than the \(MasterKeyRing.maximumKeys) that a server can "
          + "hold. Make a copy of all of them first. Then remove the last one: a rotation that failed has "
          + "added it. If the database needs it, a command says so: then put it back, and remove the "
          + "first one, which is the oldest")
    }
    guard let keys = MasterKey.list(text) else {
      throw failure(name, "doesn't contain 32 bytes in base64 for each key")
    }
    return keys
  }

  /// A fault of keys that exist. The remedy is never a new key: it would take the place of one without
  /// which the database is lost.
  private static func failure(_ name: String, _ fault: String) -> CommandFailure {
    CommandFailure(
      "\(name) \(fault). Put the database's key back from your copy. A new key can't decrypt an "
        + "existing database")
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

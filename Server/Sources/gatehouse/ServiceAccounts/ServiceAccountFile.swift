import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#else
  import Darwin
#endif

/// A service account's credential in Google's own file format, which every Admin SDK reads.
struct ServiceAccountFile: Encodable {
  private let type = "service_account"
  private let projectID: String
  private let privateKeyID: String
  private let privateKey: String
  private let clientEmail: String
  private let clientID: String
  private let tokenURI: String

  private enum CodingKeys: String, CodingKey {
    case type
    case projectID = "project_id"
    case privateKeyID = "private_key_id"
    case privateKey = "private_key"
    case clientEmail = "client_email"
    case clientID = "client_id"
    case tokenURI = "token_uri"
  }

  static let warning =
    "It contains a private key: anyone who has the file can act as this service account. Never "
    + "register its key at Google as well: its signatures would be valid at both."

  init(_ email: EmailAddress, of project: ProjectID, key: RSASigningKey, serverURL: String) {
    projectID = project.text
    privateKeyID = key.keyID
    privateKey = key.pkcs8PEM
    clientEmail = email.text
    // Some SDKs require digits here; nothing reads them.
    clientID = "0"
    tokenURI = serverURL + "/token"
  }

  /// Writes a new file that only its owner can read.
  ///
  /// - Throws: ``CommandFailure``, also if the file exists: it may be the only copy of another key.
  func write(to path: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    let contents = try encoder.encode(self) + Data("\n".utf8)
    do {
      try PrivateFile.write(contents, toNew: path)
      try PrivateFile.syncFolder(of: path)
    } catch let error as POSIXError {
      let reason = unsafe String(cString: strerror(error.code.rawValue))
      throw CommandFailure(
        error.code == .EEXIST
          ? "there is a file at \(path) already; it was not replaced. Name another with --output"
          : "the file \(path) can't be created: \(reason)")
    }
  }

  /// Writes the file, then registers its key. If that fails, the file is deleted. It is kept if the key may
  /// be registered all the same: no other copy of the key exists.
  func write(to path: String, then register: () async throws -> Void) async throws {
    try write(to: path)
    do {
      try await register()
    } catch StoreError.uncertain(let detail) {
      throw CommandFailure(
        "\(detail). The file \(path) was kept. Look whether the key is registered: gatehouse "
          + "service-accounts list. If it isn't, delete the file and repeat the command")
    } catch {
      try? FileManager.default.removeItem(atPath: path)
      throw error
    }
  }
}

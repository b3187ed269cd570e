package import Foundation
package import GatehouseProtocol
package import GatehouseTokens

/// A service account's credential in Google's own file format, which every Admin SDK reads.
package struct ServiceAccountCredential: Encodable, Sendable {
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

  package init(
    _ email: EmailAddress, of project: ProjectID, key: RSASigningKey, serverURL: String
  ) {
    projectID = project.text
    privateKeyID = key.keyID
    privateKey = key.pkcs8PEM
    clientEmail = email.text
    // Some SDKs require digits here; nothing reads them.
    clientID = "0"
    tokenURI = serverURL + "/token"
  }

  /// The file's contents. A secret.
  package var json: Data {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return try encoder.encode(self) + Data("\n".utf8)
    }
  }
}

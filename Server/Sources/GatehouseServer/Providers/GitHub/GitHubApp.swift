import GatehouseProtocol

import struct Foundation.Data

/// This server's OAuth app or GitHub App at GitHub, and how it authenticates to the REST API.
struct GitHubApp: Sendable {
  let clientID: String
  private let secret: Secret<String>

  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)``.
  init(_ configuration: ProviderConfiguration) throws(FederationError) {
    guard Self.isClientID(configuration.clientID) else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "clientId")
    }
    guard let secret = configuration.clientSecret, !secret.reveal().isEmpty else {
      throw .incompleteConfiguration(provider: configuration.id, setting: "clientSecret")
    }
    clientID = configuration.clientID
    self.secret = secret
  }

  /// 1 to 128 letters, digits, `.`, `_` and `-`, but not only dots: the id becomes a part of a
  /// path.
  static func isClientID(_ text: String) -> Bool {
    (1...128).contains(text.utf8.count)
      && text.utf8.contains { $0 != UInt8(ascii: ".") }
      && text.utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte)
          || (0x61...0x7A).contains(byte) || "._-".utf8.contains(byte)
      }
  }

  /// "Use the application's client_id as the username and the client_secret as the password"
  /// (<https://docs.github.com/en/rest/apps/oauth-applications>).
  var authorization: Secret<String> {
    Secret("Basic " + Data("\(clientID):\(secret.reveal())".utf8).base64EncodedString())
  }
}

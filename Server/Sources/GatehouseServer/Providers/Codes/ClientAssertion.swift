import GatehouseProtocol
package import GatehouseTokens

import struct Foundation.Date

/// Authenticates us as a client by a signature: `private_key_jwt` (OpenID Connect Core §9, RFC
/// 7523).
///
/// The audience of an assertion is the configured issuer. If the configuration says so, the audience
/// in requests to the token endpoint is this endpoint. A URL of the discovery document is thus the
/// audience only of assertions that are sent to this URL. Otherwise a malicious provider could list an
/// honest provider's token endpoint among its own endpoints, and receive an assertion that is valid
/// there (CVE-2025-27370, CVE-2025-27371; found by the University of Stuttgart, disclosed in January
/// 2025).
struct ClientAssertion: Sendable {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  private static let lifetimeSeconds = 60.0
  private static let idBytes = 16

  private let issuer: String
  /// Set if the configuration says that this endpoint is the audience.
  private let tokenEndpoint: OutboundURL?
  private let writer: TokenWriter

  /// - Parameters:
  ///   - issuer: The configured issuer.
  ///   - tokenEndpoint: The token endpoint in the discovery document.
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` if the key can't be
  ///   used.
  init(
    _ key: ClientKey, of provider: ProviderID, issuer: String, tokenEndpoint: OutboundURL?
  ) throws(FederationError) {
    self.issuer = issuer
    self.tokenEndpoint = key.audience == .tokenEndpoint ? tokenEndpoint : nil
    do throws(PrivateKeyError) {
      // The draft rfc7523bis defines this explicit type together with the issuer as the audience. A
      // provider that wants another audience may not know the draft, and may reject the type.
      writer = TokenWriter(
        signer: try PrivateKeySigner(key),
        type: key.audience == .issuer ? "client-authentication+jwt" : "JWT")
    } catch {
      throw .incompleteConfiguration(
        provider: provider,
        setting: error == .algorithm ? "clientKey.algorithm" : "clientKey.privateKey")
    }
  }

  /// An assertion for a request to `url`. It is valid for a minute and, at a provider that
  /// remembers `jti`, once.
  func mint(clientID: String, for url: OutboundURL, now: Date) -> Secret<String>? {
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", clientID)
      claims.string("sub", clientID)
      // A single string, so that no second party accepts the assertion.
      claims.string("aud", url == tokenEndpoint ? url.text : issuer)
      claims.string("jti", Self.randomID())
      claims.date("iat", now)
      claims.date("exp", now.addingTimeInterval(Self.lifetimeSeconds))
    }
    // Signing with a key that was read fails only if there are no random bytes.
    return (try? writer.token(payload: payload)).map { Secret($0) }
  }

  private static func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode(generator.bytes(idBytes))
  }
}

extension PrivateKeySigner {
  /// - Throws: `PrivateKeyError` if the key can't be read, or the algorithm doesn't fit the key.
  package init(_ key: ClientKey) throws(PrivateKeyError) {
    var algorithm: SignatureAlgorithm?
    if let name = key.algorithm {
      algorithm = SignatureAlgorithm(name: name)
      if algorithm == nil { throw .algorithm }
    }
    try self.init(pem: key.privateKey.reveal(), keyID: key.keyID, algorithm: algorithm)
  }
}

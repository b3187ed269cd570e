package import GatehouseModel
package import GatehouseTokens

import struct Foundation.Date

/// Proves by a signature that we are a client: `private_key_jwt` (OpenID Connect Core §9, RFC 7523).
///
/// Whom an assertion is for is the configured issuer, never what a provider's document says, but for the
/// one URL that the assertion is sent to in that very request. Otherwise a provider that means harm
/// names an honest one's token endpoint among its own and is handed an assertion that is good there
/// (CVE-2025-27370, CVE-2025-27371; found by the University of Stuttgart, disclosed in January 2025).
struct ClientAssertion: Sendable {
  static let type = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer"
  private static let lifetimeSeconds = 60.0
  private static let idBytes = 16

  private let issuer: String
  /// Set where the configuration wants it named.
  private let tokenEndpoint: OutboundURL?
  private let writer: TokenWriter

  /// - Parameters:
  ///   - issuer: The configured one.
  ///   - tokenEndpoint: As discovery has it.
  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` if the key isn't one.
  init(
    _ key: ClientKey, of provider: ProviderID, issuer: String, tokenEndpoint: OutboundURL?
  ) throws(FederationError) {
    self.issuer = issuer
    self.tokenEndpoint = key.audience == .tokenEndpoint ? tokenEndpoint : nil
    do throws(PrivateKeyError) {
      // The draft's explicit type goes with the draft's audience: who wants one refuses to do without
      // the other, and who knows neither may refuse a type that isn't JWT.
      writer = TokenWriter(
        signer: try PrivateKeySigner(key),
        type: key.audience == .issuer ? "client-authentication+jwt" : "JWT")
    } catch {
      throw .incompleteConfiguration(
        provider: provider,
        setting: error == .algorithm ? "clientKey.algorithm" : "clientKey.privateKey")
    }
  }

  /// An assertion for a request to `url`, good for a minute and, at a provider that remembers `jti`,
  /// for once.
  func mint(clientID: String, for url: OutboundURL, now: Date) -> Secret<String>? {
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", clientID)
      claims.string("sub", clientID)
      // A single string: nobody is added who could pass it on.
      claims.string("aud", url == tokenEndpoint ? url.text : issuer)
      claims.string("jti", Self.randomID())
      claims.date("iat", now)
      claims.date("exp", now.addingTimeInterval(Self.lifetimeSeconds))
    }
    // Signing with a key that was read doesn't fail but for want of randomness.
    return (try? writer.token(payload: payload)).map { Secret($0) }
  }

  private static func randomID() -> String {
    var generator = SystemRandomNumberGenerator()
    return Base64URL.encode(
      (0..<idBytes).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
  }
}

extension PrivateKeySigner {
  /// - Throws: `PrivateKeyError`: what is no key, or no algorithm of it.
  package init(_ key: ClientKey) throws(PrivateKeyError) {
    var algorithm: SignatureAlgorithm?
    if let name = key.algorithm {
      algorithm = SignatureAlgorithm(name: name)
      if algorithm == nil { throw .algorithm }
    }
    try self.init(pem: key.privateKey.reveal(), keyID: key.keyID, algorithm: algorithm)
  }
}

import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Date

/// The client secret that Apple requires: a token signed with the developer's key.
///
/// <https://developer.apple.com/documentation/accountorganizationaldatasharing/creating-a-client-secret>.
/// Apple allows a lifetime of six months. Ours are valid for five minutes and are created for each
/// call, so that none is stored, expires unnoticed or outlives its key. A P-256 signature is far cheaper
/// than the call.
struct AppleClientSecret: ClientSecretMinting {
  /// Always Apple's issuer, even if the endpoint is a stand-in's.
  private static let audience = "https://appleid.apple.com"
  private static let lifetimeSeconds = 5.0 * 60

  private let teamID: String
  private let writer: TokenWriter

  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` with the name of the
  ///   absent setting, or of the private key if it can't be read.
  init(_ configuration: ProviderConfiguration) throws(FederationError) {
    let prefix = "appleSignInConfig.codeFlowConfig."
    let missing = { (setting: String) in
      FederationError.incompleteConfiguration(provider: configuration.id, setting: setting)
    }
    guard let apple = configuration.apple, let teamID = apple.teamID, !teamID.isEmpty else {
      throw missing(prefix + "teamId")
    }
    guard let keyID = apple.keyID, !keyID.isEmpty else { throw missing(prefix + "keyId") }
    guard let privateKey = apple.privateKey,
      let signer = try? ES256Signer(pem: privateKey.reveal(), keyID: keyID)
    else { throw missing(prefix + "privateKey") }
    self.teamID = teamID
    writer = TokenWriter(signer: signer, type: nil)
  }

  /// A secret for `clientID`: the app's bundle id or the Services ID.
  func mint(clientID: String, now: Date) -> Secret<String>? {
    let payload = ClaimsWriter.payload { claims in
      claims.string("iss", teamID)
      claims.date("iat", now)
      claims.date("exp", now.addingTimeInterval(Self.lifetimeSeconds))
      claims.string("aud", Self.audience)
      claims.string("sub", clientID)
    }
    // Signing with a P-256 key that was read fails only if there are no random bytes.
    return (try? writer.token(payload: payload)).map { Secret($0) }
  }
}

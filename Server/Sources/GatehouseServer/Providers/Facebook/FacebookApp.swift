import Crypto
import GatehouseProtocol
import GatehouseTokens

import struct Foundation.Data

/// Our app at Facebook, as it authenticates to the Graph API.
struct FacebookApp: Sendable {
  let id: String
  private let secret: Secret<String>

  /// - Throws: ``FederationError/incompleteConfiguration(provider:setting:)`` if the app id isn't
  ///   digits, or if the app secret is absent or contains characters that a header can't contain.
  ///   Apps that use only Limited Login need no app secret.
  init(_ configuration: ProviderConfiguration) throws(FederationError) {
    guard !configuration.clientID.isEmpty,
      configuration.clientID.utf8.allSatisfy({ (0x30...0x39).contains($0) })
    else { throw .incompleteConfiguration(provider: configuration.id, setting: "clientId") }
    guard let secret = configuration.clientSecret, !secret.reveal().isEmpty,
      secret.reveal().utf8.allSatisfy({ (0x21...0x7E).contains($0) })
    else { throw .incompleteConfiguration(provider: configuration.id, setting: "clientSecret") }
    id = configuration.clientID
    self.secret = secret
  }

  /// The app access token in a header: "access_token={app-id}|{app-secret}"
  /// (<https://developers.facebook.com/docs/facebook-login/guides/access-tokens#apptokens>). It is
  /// not in the URL, which proxies may log.
  var authorization: Secret<String> { Secret("Bearer \(id)|\(secret.reveal())") }

  /// `appsecret_proof`: "a sha256 hash of your access token, using the app secret as the key", in
  /// lower-case hex (<https://developers.facebook.com/docs/graph-api/securing-requests>).
  func proof(of token: BearerToken) -> Secret<String> {
    let code = HMAC<SHA256>.authenticationCode(
      for: Data(token.secret.reveal().utf8),
      using: SymmetricKey(data: Data(secret.reveal().utf8)))
    return Secret(code.lowercaseHex)
  }
}

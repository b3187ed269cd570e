import Crypto
package import GatehouseProtocol

/// A client's request to revoke a token, or the tokens of an authorization code, at a provider.
///
/// The record of a completed request is kept for an hour: longer than any provider's code is valid. A client
/// that lost the response repeats the request and gets the same response.
package struct RevocationRequest: Hashable, Sendable {
  package let uid: UID
  /// SHA-256 of the provider, the account, and the token or code with its kind.
  package let digest: [UInt8]

  init(uid: UID, digest: [UInt8]) {
    self.uid = uid
    self.digest = digest
  }

  /// - Parameters:
  ///   - credential: The token or code.
  ///   - kind: Nil for a code.
  package init(
    of credential: String, _ kind: RevocableToken?, at provider: ProviderID, by uid: UID
  ) {
    let text = "revoked \(kind?.rawValue ?? "code") \(provider.text) \(uid.text) \(credential)"
    self.init(uid: uid, digest: Array(SHA256.hash(data: Array(text.utf8))))
  }
}

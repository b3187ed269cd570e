package import GatehouseProtocol

package import struct Foundation.Date

/// A provider's refresh token of one account, kept encrypted. With it the server can revoke the
/// user's grant when the account is deleted, without another sign-in. If the provider's tokens are
/// checked (Apple's), the server also notices that the user withdrew the grant.
package struct ProviderToken: Sendable {
  package let uid: UID
  package let provider: ProviderID
  /// The client to which the provider issued the token; empty if unknown. An account has at most one
  /// token per provider and client: the newest.
  package let clientID: String
  /// The identity that the token is for.
  package let subject: Subject
  package let token: Secret<String>
  /// SHA-256 of the authorization code that was exchanged for it; nil for a token that came with a
  /// browser sign-in.
  package let codeDigest: [UInt8]?
  package let obtainedAt: Date
  /// When the provider was last asked whether the token is still valid. Before the first time:
  /// ``obtainedAt``.
  package var checkedAt: Date

  package init(
    uid: UID, provider: ProviderID, clientID: String, subject: Subject, token: Secret<String>,
    codeDigest: [UInt8]?, obtainedAt: Date
  ) {
    self.uid = uid
    self.provider = provider
    self.clientID = clientID
    self.subject = subject
    self.token = token
    self.codeDigest = codeDigest
    self.obtainedAt = obtainedAt
    checkedAt = obtainedAt
  }
}

package import GatehouseProtocol

package import struct Foundation.Date

/// A code or token that came through a browser, with the values of its request.
package struct BrowserProof: Sendable {
  package var proof: Proof
  package var redirectURI: String
  package var rawNonce: String
  package var codeVerifier: String?
  /// The parameter `iss` of the response (RFC 9207).
  package var issuer: String?
  /// The name in Apple's `user` field.
  package var userName: UserName?
  package var demand = AuthenticationDemand()
  /// When the sign-in began.
  package var askedAt: Date

  package enum Proof: Sendable {
    case code(Secret<String>)
    case idToken(Secret<String>)
  }

  package init(
    _ proof: Proof, redirectURI: String, rawNonce: String, codeVerifier: String?, askedAt: Date
  ) {
    self.askedAt = askedAt
    self.proof = proof
    self.redirectURI = redirectURI
    self.rawNonce = rawNonce
    self.codeVerifier = codeVerifier
  }
}

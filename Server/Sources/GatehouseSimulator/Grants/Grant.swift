import Foundation

/// The approval that a code or a token represents, with its terms.
struct Grant: Sendable {
  let provider: Provider
  /// The client that may exchange the code and use the refresh token.
  let clientID: String
  /// The `aud` of ID tokens. It differs from `clientID` only if Google's native sign-in requests
  /// tokens for a server.
  let audience: String
  /// The `azp` of Google's ID tokens.
  let authorizedParty: String
  let personID: String
  let consentKey: ConsentKey
  let consentID: UInt64
  /// The scopes of this request. The consent can contain more.
  let scopes: Set<Scope>
  let nonce: String?
  /// Nil for a code of a native sign-in, which has no redirect.
  let redirectURI: String?
  /// RFC 7636, method S256.
  let codeChallenge: String?
  let givesRefreshToken: Bool
  let authTime: Date
  let authenticationContext: String?
  let claims: RequestedClaims
  /// Parameters that only this kind of provider has.
  let details: [String: String]
}

/// A grant with its consent and person, while they exist.
struct ApprovedGrant: Sendable {
  let grant: Grant
  let consent: Consent
  let person: Person
  let now: Date
}

/// A code that waits for its exchange (RFC 6749 §4.1.2).
struct AuthorizationCode: Sendable {
  let grant: Grant
  let expiresAt: Date
  /// A used code is kept, so that a second use gets its own error.
  var isUsed = false
}

/// An access token or a refresh token.
struct IssuedToken: Sendable {
  enum Kind: Sendable {
    case access
    case refresh
  }

  let kind: Kind
  let grant: Grant
  let issuedAt: Date
  /// Nil if the token is valid as long as the consent.
  let expiresAt: Date?
  /// Whether the client revoked only this token, not the consent.
  var isRevoked = false
}

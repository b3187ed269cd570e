import Foundation

/// What a code or a token stands for: somebody's approval, in the terms it was given.
struct Grant: Sendable {
  let provider: Provider
  /// Who may exchange the code and use the refresh token.
  let clientID: String
  /// The `aud` of ID tokens. Other than `clientID` only where Google's native sign-in asks on behalf
  /// of a server.
  let audience: String
  /// The `azp` of Google's ID tokens.
  let authorizedParty: String
  let personID: String
  let consentKey: ConsentKey
  let consentID: UInt64
  /// What this very request asked for. The consent may reach further.
  let scopes: Set<Scope>
  let nonce: String?
  /// Nil for a code of a native sign-in, which no redirect carried.
  let redirectURI: String?
  /// RFC 7636, method S256.
  let codeChallenge: String?
  let givesRefreshToken: Bool
  let authTime: Date
  let authenticationContext: String?
  let claims: RequestedClaims
  /// What only this kind of provider knows of the request.
  let details: [String: String]
}

/// A grant with what it came of, as long as that stands.
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
  /// Kept after its use, so that a second use gets an answer of its own.
  var isUsed = false
}

/// An access or a refresh token that was given out.
struct IssuedToken: Sendable {
  enum Kind: Sendable {
    case access
    case refresh
  }

  let kind: Kind
  let grant: Grant
  let issuedAt: Date
  /// Nil if it lives as long as the consent.
  let expiresAt: Date?
  /// Whether the client gave up this one token, and not the consent.
  var isRevoked = false
}

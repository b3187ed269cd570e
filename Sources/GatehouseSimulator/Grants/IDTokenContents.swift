import Crypto
import Foundation

/// What an ID token says besides who signed in.
struct IDTokenContents: Sendable {
  var nonce: String?
  /// For `c_hash` (OpenID Connect Core §3.3.2.11).
  var code: String?
  /// For `at_hash` (OpenID Connect Core §3.1.3.6).
  var accessToken: String?
  /// Apple's, at the first sign-in.
  var realUserStatus: Int?
  /// In place of the provider's.
  var issuer: String?
}

extension SimulatorState {
  /// - Returns: Nil if `openid` was not asked for.
  /// - Throws: `invalid_grant` if the consent was withdrawn.
  mutating func idToken(
    for grant: Grant, baseURL: String, now: Date, contents: IDTokenContents, faults: TokenFaults?
  ) throws -> UnsignedToken? {
    guard grant.provider == .apple || grant.scopes.contains(.openid) else { return nil }
    guard let (consent, person) = standingConsent(of: grant) else {
      throw GrantRefusal.withdrawn.error(at: grant.provider)
    }
    var claims: [String: JSONValue] =
      switch grant.provider {
      case .apple: appleClaims(grant, person, consent, now: now)
      case .google: GoogleClaims.claims(grant, person)
      case .facebook: FacebookClaims.claims(grant, person)
      case .oidc, .issuer: OIDCClaims.claims(grant, person, asked: grant.claims.idToken)
      }
    let issuedAt = Int(now.timeIntervalSince1970)
    claims["iss"] = .string(contents.issuer ?? grant.provider.issuer(baseURL: baseURL))
    claims["aud"] = .string(grant.audience)
    claims["iat"] = .integer(issuedAt)
    claims["exp"] = .integer(issuedAt + grant.provider.idTokenLifetime)
    claims["nonce"] = contents.nonce.map(JSONValue.string)
    claims["c_hash"] = contents.code.map { .string(Self.halfHash($0)) }
    claims["at_hash"] = contents.accessToken.map { .string(Self.halfHash($0)) }
    claims["real_user_status"] = contents.realUserStatus.map(JSONValue.integer)
    return try unsignedToken(
      grant.provider, claims: claims, for: grant.clientID,
      faults: faults ?? self.faults.tokens[grant.provider])
  }

  /// The left half of the SHA-256, for a token signed with RS256.
  private static func halfHash(_ text: String) -> String {
    Base64URL.text(SHA256.hash(data: Data(text.utf8)).prefix(16))
  }
}

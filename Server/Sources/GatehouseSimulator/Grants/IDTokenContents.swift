import Crypto
import Foundation

/// The contents of an ID token besides who signed in.
struct IDTokenContents: Sendable {
  var nonce: String?
  /// For `c_hash` (OpenID Connect Core §3.3.2.11).
  var code: String?
  /// For `at_hash` (OpenID Connect Core §3.1.3.6).
  var accessToken: String?
  /// Claims of this sign-in that only this kind of provider has.
  var more: [String: JSONValue] = [:]
  /// Replaces the provider's issuer.
  var issuer: String?
}

extension SimulatorState {
  /// - Returns: Nil if `openid` was not requested, unless the provider always gives an ID token.
  /// - Throws: `invalid_grant` if the consent was withdrawn.
  mutating func idToken(
    for grant: Grant, baseURL: String, now: Date, contents: IDTokenContents, faults: TokenFaults?
  ) throws -> UnsignedToken? {
    guard grant.provider.kind.alwaysGivesIDToken || grant.scopes.contains(.openid) else {
      return nil
    }
    guard let (consent, person) = standingConsent(of: grant) else {
      throw grant.provider.kind.error(for: .withdrawn)
    }
    let kind = grant.provider.kind
    var claims = kind.idTokenClaims(
      ApprovedGrant(grant: grant, consent: consent, person: person, now: now), in: self)
    let issuedAt = Int(now.timeIntervalSince1970)
    let issuer = contents.issuer ?? claims["iss"]?.stringValue
    claims["iss"] = .string(issuer ?? grant.provider.issuer(baseURL: baseURL))
    claims["aud"] = .string(grant.audience)
    claims["iat"] = claims["iat"] ?? .integer(issuedAt)
    claims["exp"] = claims["exp"] ?? .integer(issuedAt + kind.idTokenLifetime)
    claims["nonce"] = contents.nonce.map(JSONValue.string)
    claims["c_hash"] = contents.code.map { .string(Self.halfHash($0)) }
    if kind.hashesAccessTokens {
      claims["at_hash"] = contents.accessToken.map { .string(Self.halfHash($0)) }
    }
    claims.merge(contents.more) { _, new in new }
    return try unsignedToken(
      grant.provider, claims: claims, for: grant.clientID,
      faults: faults ?? self.faults.tokens[grant.provider])
  }

  /// The left half of the SHA-256 hash, as for a token signed with RS256.
  private static func halfHash(_ text: String) -> String {
    Base64URL.text(SHA256.hash(data: Data(text.utf8)).prefix(16))
  }
}

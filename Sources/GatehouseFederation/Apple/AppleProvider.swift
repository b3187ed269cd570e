import GatehouseJSON
import GatehouseModel
import GatehouseTokens

/// Where Sign in with Apple deviates from OpenID Connect.
///
/// <https://developer.apple.com/documentation/signinwithapple/authenticating-users-with-sign-in-with-apple>
enum AppleProvider {
  /// Since June 2025 tokens carry either. Both are pinned, with one pinned key set: an issuer is
  /// never taken from a token.
  static let issuers = ["https://appleid.apple.com", "https://account.apple.com"]

  /// "id_token_signing_alg_values_supported": RS256 alone.
  static let algorithms: Set<SignatureAlgorithm> = [.rs256]

  /// "nonce_supported: … If your transaction is on a nonce-supported platform, treat the nonce as
  /// mandatory", which is why a token may lack it only if it says that it had to.
  static func nonceRule(_ configuration: ProviderConfiguration) -> NonceRule {
    NonceRule(isRequired: configuration.requiresNonce, acceptsUnsupported: true)
  }

  /// What the token says. The name is in the request, once, and never in the token; there is no
  /// photo. "is_private_email" is a string or a Boolean, as "email_verified" is.
  static func identity(
    _ token: VerifiedToken, subject: Subject, _ configuration: ProviderConfiguration,
    userName: IdPCredential.UserName?
  ) -> ExternalIdentity {
    let claims = StandardClaims(token.claims)
    var identity = ExternalIdentity(
      provider: configuration.id, subject: subject,
      email: EmailTrustRule(configuration).email(claims, isAuthoritative: false),
      profile: profile(userName), rawUserInfo: token.claims.jsonText())
    if token.claims.contains("is_private_email") {
      identity.isPrivateEmail = StandardClaims.isTrue(token.claims.json["is_private_email"])
    }
    identity.isNameSentOnce = true
    identity.realUserStatus = token.claims.int64("real_user_status").flatMap {
      Int(exactly: $0).flatMap { RealUserStatus(rawValue: $0) }
    }
    return identity
  }

  /// The client writes this text, so it is only ever a name: an email in it counts for nothing.
  static func profile(_ name: IdPCredential.UserName?) -> ExternalIdentity.Profile {
    let first = PlainText.name(name?.first)
    let last = PlainText.name(name?.last)
    let full = [first, last].compactMap(\.self).joined(separator: " ")
    return ExternalIdentity.Profile(
      displayName: full.isEmpty ? nil : full, firstName: first, lastName: last)
  }

  /// Checks the text that an app sent as `access_token` against the token's hashes.
  ///
  /// Apple's SDK puts the authorization code there, whose hash is `c_hash`; a web flow puts an
  /// access token, whose hash is `at_hash`. A token with either claim must vouch for the text.
  static func checkHashes(
    _ text: String, _ token: VerifiedToken
  ) throws(FederationError) {
    let hasCodeHash = token.claims.contains("c_hash")
    let hasTokenHash = token.claims.contains("at_hash")
    guard hasCodeHash || hasTokenHash else { return }
    if hasCodeHash, (try? token.checkCodeHash(text)) != nil { return }
    if hasTokenHash, (try? token.checkAccessTokenHash(text)) != nil { return }
    throw .otherToken
  }
}

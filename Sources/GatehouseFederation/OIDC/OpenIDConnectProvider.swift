import GatehouseJSON
import GatehouseModel
import GatehouseTokens

/// An identity from the claims of any OpenID Connect provider.
enum OpenIDConnectProvider {
  /// - Parameter userInfo: What the userinfo endpoint added; the ID token, which is signed, wins.
  static func identity(
    _ token: VerifiedToken, subject: Subject, _ configuration: ProviderConfiguration,
    userInfo: JSONObject?
  ) -> ExternalIdentity {
    let mapping = configuration.claimMapping
    let json = userInfo.map { merged(token.claims.json, with: $0, mapping) } ?? token.claims.json
    let claims = StandardClaims(json, mapping: mapping)
    var identity = ExternalIdentity(
      provider: configuration.id, subject: subject,
      // Nobody but the provider knows whose mailboxes it runs.
      email: EmailTrustRule(configuration).email(claims, isAuthoritative: false),
      profile: claims.profile, rawUserInfo: JSONValue.object(json).text())
    identity.issuer = token.claims.string("iss")
    identity.signInAttributes = SignInAttributes.text(token.claims.json)
    return identity
  }

  private static func merged(
    _ token: JSONObject, with userInfo: JSONObject, _ mapping: ClaimMapping
  ) -> JSONObject {
    let email = mapping.emailClaim
    let emailVerified = mapping.emailVerified?.names.first ?? "email_verified"
    var merged = token
    for member in userInfo.members where merged[member.name] == nil {
      // An address and the word that it is verified must come from the same place.
      if member.name.hasSameBytes(as: emailVerified), token[email] != nil { continue }
      if member.name.hasSameBytes(as: email), token[emailVerified] != nil { continue }
      merged[member.name] = member.value
    }
    return merged
  }
}

extension ClaimMapping {
  /// The claim that is, or holds, the address.
  var emailClaim: String { email?.names.first ?? "email" }
}

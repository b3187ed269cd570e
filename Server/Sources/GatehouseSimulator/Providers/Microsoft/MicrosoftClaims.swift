import Foundation

/// The claims about who signed in, in ID tokens of v2.0 and at UserInfo (Microsoft, "ID token
/// claims reference"). They don't say whether an address is verified.
struct MicrosoftClaims: Sendable {
  /// The optional claims that a client can have here.
  static let optional: Set<String> = ["email", "xms_edov"]

  /// Tokens are valid from five minutes before they are issued, for clocks that are slow.
  private static let backdating = 300
  /// In seconds, for work accounts and for personal accounts.
  private static let lifetimes = (work: 3_600, personal: 86_400)

  private let approved: ApprovedGrant
  private let user: MicrosoftUser?
  private let optionalClaims: Set<String>

  init(_ approved: ApprovedGrant, in state: SimulatorState) {
    self.approved = approved
    let tenant = MicrosoftTenant(id: approved.grant.details["tid"] ?? "")
    user = MicrosoftUser(approved.person, at: .tenant(tenant))
    let client = state.clients[.microsoft, approved.grant.authorizedParty]
    if case .array(let names)? = client?.details["optional_claims"] {
      optionalClaims = Set(names.compactMap(\.stringValue))
    } else {
      optionalClaims = []
    }
  }

  /// Empty if the user has left the tenant in the meantime.
  var idToken: [String: JSONValue] {
    guard let user else { return [:] }
    let grant = approved.grant
    let now = Int(approved.now.timeIntervalSince1970)
    let issuedAt = JSONValue.integer(now - Self.backdating)
    let lifetime = user.tenant.isPersonal ? Self.lifetimes.personal : Self.lifetimes.work
    var claims: [String: JSONValue] = [
      "ver": "2.0", "iss": .string(user.tenant.issuer), "tid": .string(user.tenant.id),
      "sub": .string(user.subject(for: grant.clientID)),
      "iat": issuedAt, "nbf": issuedAt, "exp": .integer(now + lifetime),
      // Microsoft's internal claims, without meaning for a client.
      "aio": .string(RandomToken.base64(bytes: 45)),
      "rh": .string("1.A\(RandomToken.base64(bytes: 39))."),
      "uti": .string(RandomToken.base64(bytes: 16)),
    ]
    if grant.scopes.contains(.profile) {
      claims["oid"] = .string(user.objectID)
      claims["name"] = .string(user.name)
      claims["preferred_username"] = .string(user.username)
    }
    if grant.scopes.contains(.email) || optionalClaims.contains("email") {
      claims["email"] = user.email.map(JSONValue.string)
    }
    if optionalClaims.contains("xms_edov") {
      claims["xms_edov"] = .bool(user.emailDomainIsVerified)
    }
    return claims
  }

  /// Microsoft Graph's UserInfo endpoint.
  var userInfo: [String: JSONValue] {
    guard let user else { return [:] }
    var claims: [String: JSONValue] = ["sub": .string(user.subject(for: approved.grant.clientID))]
    if approved.grant.scopes.contains(.profile) {
      claims["name"] = .string(user.name)
      claims["given_name"] = approved.person.givenName.map(JSONValue.string)
      claims["family_name"] = approved.person.familyName.map(JSONValue.string)
      claims["picture"] = "https://graph.microsoft.com/v1.0/me/photo/$value"
    }
    if approved.grant.scopes.contains(.email) {
      claims["email"] = user.email.map(JSONValue.string)
    }
    return claims
  }
}

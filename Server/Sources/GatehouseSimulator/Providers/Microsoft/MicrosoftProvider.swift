import Foundation
import Hummingbird

/// Microsoft's identity platform, v2.0 (Entra ID and personal accounts): one provider with tenants.
struct MicrosoftProvider: ProviderKind {
  let id = "microsoft"
  let displayName = "Microsoft"

  let endpoints = [
    Endpoint("POST", "/microsoft/native-sign-in", "the results of Microsoft's SDK"),
    Endpoint(
      "GET", "/microsoft/{tenant}/v2.0/.well-known/openid-configuration",
      "Microsoft's discovery document, for common, organizations, consumers or a tenant"),
    Endpoint("GET", "/microsoft/{tenant}/discovery/v2.0/keys", "Microsoft's key set"),
    Endpoint("GET", "/microsoft/{tenant}/oauth2/v2.0/authorize", "Microsoft's web flow"),
    Endpoint("POST", "/microsoft/{tenant}/oauth2/v2.0/token", "Microsoft's token endpoint"),
    Endpoint("GET", "/microsoft/oidc/userinfo", "who signed in at Microsoft"),
  ]

  func addRoutes(_ store: SimulatorStore, to router: Router<SimulatorContext>) {
    MicrosoftRoutes(store: store).add(to: router.group("microsoft"))
  }

  // MARK: Tokens

  let scopes: [Scope] = Scope.standard + [.userRead]
  /// "Typically, they expire after about 10 minutes."
  let codeLifetime = 600
  /// "A random value between 60-90 minutes (75 minutes on average)" (Microsoft, "Configurable token
  /// lifetimes").
  let accessTokenLifetime: Int? = 4_500

  /// The template of the tenants' issuers. A token contains the issuer of its tenant.
  func issuer(of provider: Provider, baseURL: String) -> String { MicrosoftTenant.anyIssuer }

  func newCode() -> String { "1.A\(RandomToken.base64(bytes: 120))" }
  func newAccessToken() -> String { "EwB\(RandomToken.base64(bytes: 150))" }
  func newRefreshToken() -> String { "1.A\(RandomToken.base64(bytes: 180))" }

  func idTokenClaims(_ approved: ApprovedGrant, in state: SimulatorState) -> [String: JSONValue] {
    MicrosoftClaims(approved, in: state).idToken
  }

  /// "This claim isn't returned on ID tokens from the /token endpoint" (Microsoft, "ID token claims
  /// reference").
  let hashesAccessTokens = false

  func error(for refusal: GrantRefusal) -> SimulatorError { MicrosoftError.of(refusal) }

  /// Two rings are for work accounts: one signs, the other is published in advance. Personal
  /// accounts have their own.
  let keyRings = ["work", "next", "personal"]

  func keyRing(for claims: [String: JSONValue]) -> String {
    claims["tid"]?.stringValue == MicrosoftTenant.personal.id ? "personal" : "work"
  }

  /// A published key names the issuer of its tokens (`issuer`), and no algorithm.
  func published(_ key: [String: JSONValue], of ring: String) -> [String: JSONValue] {
    var key = key
    key["alg"] = nil
    key["x5t"] = key["kid"]
    key["cloud_instance_name"] = "microsoftonline.com"
    key["issuer"] = .string(
      ring == "personal" ? MicrosoftTenant.personal.issuer : MicrosoftTenant.anyIssuer)
    return key
  }

  // MARK: Dialogs

  func askedScopes(_ form: RequestForm) -> Set<Scope> { MicrosoftScopes.parse(form["scope"]) }

  /// Only persons with an account in the requested tenant; `domain_hint` limits them to a domain.
  func offers(_ person: Person, for form: RequestForm) -> Bool {
    guard let authority = form["tenant"].flatMap({ MicrosoftAuthority($0, ofPersons: [person]) }),
      let user = MicrosoftUser(person, at: authority)
    else { return false }
    switch form.filled("domain_hint") {
    case nil: return true
    case "organizations": return !user.tenant.isPersonal
    case "consumers": return user.tenant.isPersonal
    case .some(let domain):
      return user.username.foldingASCII().hasSuffix("@\(domain.foldingASCII())")
    }
  }

  func meaning(of scope: Scope) -> ScopeMeaning {
    switch scope {
    case .email: .email
    case .offlineAccess: .offlineAccess
    case .openid: .identity
    default: .profile
    }
  }

  // MARK: Persons and clients

  var accountType: (any ProviderAccount.Type)? { MicrosoftAccount.self }

  func describe(_ person: Person) -> [String: JSONValue] {
    let users = [MicrosoftAuthority.common, .consumers].compactMap { MicrosoftUser(person, at: $0) }
    var members: [JSONValue] = []
    for user in users where !members.contains(user.json) { members.append(user.json) }
    return ["microsoftAccounts": .array(members)]
  }

  /// The claims that a client's tokens contain besides the usual ones (Microsoft, "Optional
  /// claims").
  let clientMembers = ["optional_claims"]

  func check(_ client: RegisteredClient, allowedHosts: [String]) throws(SimulatorError) {
    guard let asked = client.details["optional_claims"] else { return }
    guard case .array(let names) = asked,
      names.allSatisfy({ $0.stringValue.map(MicrosoftClaims.optional.contains) == true })
    else {
      throw .invalidRequest("\"optional_claims\" may contain only \"email\" and \"xms_edov\".")
    }
  }
}

extension Provider {
  static let microsoft = Provider(MicrosoftProvider())
}

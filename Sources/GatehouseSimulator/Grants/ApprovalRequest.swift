import Foundation

/// Somebody is about to sign in to an app: what the app asked for, and what the person chose.
struct ApprovalRequest: Sendable {
  let provider: Provider
  let clientID: String
  /// Google's native sign-in for a server: the server's client id, which becomes the audience and
  /// exchanges the code.
  var serverClientID: String?
  /// An id or an email; nil for whoever was made first.
  var person: String?
  var scopes: Set<Scope>
  var hidesEmail = false
  var nonce: String?
  var redirectURI: String?
  var codeChallenge: String?
  /// Whether a refresh token is asked for.
  var wantsRefreshToken = false
  /// Whether the person sees the consent page although the consent stands (`prompt=consent`).
  var promptsConsent = false
  /// When the person proved who they are; nil for now.
  var authTime: Date?
  /// The `acr` of the generic provider's ID token: the first of `acr_values`.
  var authenticationContext: String?
  /// The generic provider's `claims` parameter.
  var claims = RequestedClaims()
  /// What only this kind of provider knows of the request.
  var details: [String: String] = [:]
  /// Faults of this one sign-in, in place of the provider's.
  var faults: TokenFaults?
}

/// Somebody agreed.
struct Approval: Sendable {
  let grant: Grant
  let person: Person
  let code: String
  /// Whether the person had not agreed before, or had withdrawn.
  let isFirst: Bool
}

extension SimulatorState {
  /// Approves at once, whatever is asked, in the name of the person that the request names.
  ///
  /// - Throws: `person_not_found`.
  mutating func approve(_ request: ApprovalRequest, now: Date) throws(SimulatorError) -> Approval {
    let person = try persons.named(request.person)
    let key = consentKey(request.provider, client: request.clientID, person: person.id)
    let (consent, isNew) = giveConsent(
      key, scopes: request.scopes, hidesEmail: request.hidesEmail, now: now)
    let codeHolder = request.serverClientID ?? request.clientID
    let grant = Grant(
      provider: request.provider,
      clientID: codeHolder,
      audience: codeHolder,
      authorizedParty: request.clientID,
      personID: person.id,
      consentKey: key,
      consentID: consent.id,
      scopes: request.scopes,
      nonce: request.nonce,
      redirectURI: request.redirectURI,
      codeChallenge: request.codeChallenge,
      givesRefreshToken: request.provider.kind.givesRefreshToken(request, isFirst: isNew),
      authTime: request.authTime ?? now,
      authenticationContext: request.authenticationContext,
      claims: request.claims,
      details: request.details)
    let isExpired = (request.faults ?? faults.tokens[request.provider])?.expiredCodes == true
    let code = request.provider.kind.newCode()
    codes.set(
      AuthorizationCode(
        grant: grant,
        expiresAt: isExpired
          ? now : now.addingTimeInterval(Double(request.provider.kind.codeLifetime))),
      for: Identifier(code))
    return Approval(grant: grant, person: person, code: code, isFirst: isNew)
  }
}

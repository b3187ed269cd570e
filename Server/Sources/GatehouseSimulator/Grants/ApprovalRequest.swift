import Foundation

/// A sign-in before its approval: what the app requested, and what the person chose.
struct ApprovalRequest: Sendable {
  let provider: Provider
  let clientID: String
  /// In Google's native sign-in for a server: the server's client id. It becomes the audience, and
  /// this client exchanges the code.
  var serverClientID: String?
  /// An id or an email; nil for the first person.
  var person: String?
  var scopes: Set<Scope>
  /// At Apple. Nil for what the person does without a choice: see ``Person/hidesEmail``.
  var hidesEmail: Bool?
  var nonce: String?
  var redirectURI: String?
  var codeChallenge: String?
  /// Whether the client requests a refresh token.
  var wantsRefreshToken = false
  /// Whether the person sees the consent page although there is a consent (`prompt=consent`).
  var promptsConsent = false
  /// When the person authenticated; nil for now.
  var authTime: Date?
  /// The `acr` of the generic provider's ID token: the first of `acr_values`.
  var authenticationContext: String?
  /// The generic provider's `claims` parameter.
  var claims = RequestedClaims()
  /// Parameters that only this kind of provider has.
  var details: [String: String] = [:]
  /// Faults for this sign-in only. They replace the provider's.
  var faults: TokenFaults?
}

/// The result of an approved sign-in.
struct Approval: Sendable {
  let grant: Grant
  let person: Person
  let code: String
  /// Whether the person had no consent for the client before, or had withdrawn it.
  let isFirst: Bool
}

extension SimulatorState {
  /// Approves the whole request at once for the person that it names.
  ///
  /// - Throws: `person_not_found`.
  mutating func approve(_ request: ApprovalRequest, now: Date) throws(SimulatorError) -> Approval {
    let person = try persons.named(request.person)
    let key = consentKey(request.provider, client: request.clientID, person: person.id)
    let hidesEmail =
      request.provider.kind.hidesAddresses
      && (request.hidesEmail ?? person.hidesEmail)
    let (consent, isNew) = giveConsent(
      key, scopes: request.scopes, hidesEmail: hidesEmail, now: now)
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

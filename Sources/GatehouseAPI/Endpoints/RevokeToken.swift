import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseWire

/// v2's `accounts:revokeToken`: revokes the app's tokens at the provider.
///
/// If the app sends an authorization code, the server first exchanges it for tokens. Then it revokes
/// the refresh token, or the access token if there is no refresh token. If the exchange also returns
/// the user's identity, the caller's session counts as a recent sign-in. So an app can revoke the
/// tokens and then delete the account, however old the session is.
///
/// If the code came with an earlier sign-in of the account, the server has exchanged it already, or
/// is exchanging it. Then it revokes the resulting token, and the session doesn't count as recent.
///
/// A code works only once, but a client that lost the response may repeat the request, at any server of
/// the database: for an hour, a code whose token was revoked gets the same response.
struct RevokeToken: Endpoint {
  let services: APIServices
  private let codes = CodesInProgress()

  init(services: APIServices) { self.services = services }

  var routes: [Route] {
    [.client(.post, "v2/accounts:revokeToken", "revokeToken", answer)]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(RevokeTokenRequest.self)
    let project = try call.requireProject()
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    let user = try await services.accounts.currentUser(
      ofIDToken: idToken, in: project, now: call.now)
    guard let providerID = request.providerID else {
      throw APIError.refused(.missingProviderID)
    }
    guard let token = request.token else { throw APIError.refused(.missingToken) }
    guard let kind = request.kind else { throw APIError.refused(.invalidTokenType) }
    let provider = try await services.configuration(providerID, in: project)
    let uid = user.account.uid
    switch kind {
    case .refreshToken, .accessToken:
      try await revoke(
        Secret(token), kind == .refreshToken ? .refresh : .access, uid, provider, project, call)
    case .code:
      let record = services.accounts.revocation(
        ofCode: token, of: provider.id, by: uid, now: call.now)
      try await codes.alone(with: .init(project: project.id, digest: record.digest)) {
        if try await services.accounts.isRecorded(record, in: project) { return }
        let isOwn = try await revoke(code: token, request, uid, provider, project, call)
        try await services.accounts.record(
          record, of: uid, at: provider.id,
          forgettingTokens: isOwn && revokesAllTokens(provider), in: project)
      }
    }
    return Answer(EmptyResponse())
  }

  private func revoke(
    _ token: Secret<String>, _ kind: RevocableToken, _ uid: UID, _ provider: ProviderConfiguration,
    _ project: Project, _ call: Call
  ) async throws {
    try await services.accounts.admitProviderCall(by: uid, in: project, now: call.now)
    // Apple also responds with 200 for a token that it doesn't know. So its response doesn't show to
    // which user a token belongs.
    let isOwn = try await services.accounts.isKept(token, of: provider.id, by: uid, in: project)
    if isOwn { try await expectReport(from: provider, uid, project, call) }
    try await services.federation.revoke(token, kind: kind, for: provider, now: call.now)
    if isOwn { try await forgetTokens(of: uid, provider, project) }
  }

  /// Revokes the token for which the code was exchanged, or exchanges it first.
  ///
  /// - Returns: Whether the code certainly belongs to this user.
  private func revoke(
    code: String, _ request: RevokeTokenRequest, _ uid: UID,
    _ provider: ProviderConfiguration, _ project: Project, _ call: Call
  ) async throws -> Bool {
    try await services.accounts.admitProviderCall(by: uid, in: project, now: call.now)
    guard let kept = try await keptToken(ofCode: code, provider.id, uid, project) else {
      return try await exchangeAndRevoke(code: code, request, uid, provider, project, call)
    }
    try await expectReport(from: provider, uid, project, call)
    try await services.federation.revoke(
      kept.token, kind: .refresh, clientID: kept.clientID.isEmpty ? nil : kept.clientID,
      for: provider, now: call.now)
    return true
  }

  /// Forgets the kept tokens, if the provider revoked all of them with the one.
  private func forgetTokens(
    of uid: UID, _ provider: ProviderConfiguration, _ project: Project
  ) async throws {
    guard revokesAllTokens(provider) else { return }
    try await services.accounts.forgetProviderTokens(of: uid, provider: provider.id, in: project)
  }

  private func revokesAllTokens(_ provider: ProviderConfiguration) -> Bool {
    IdentityProviders.kind(of: provider.id)?.revokesAllTokens == true
  }

  /// Records that the provider will report a withdrawal because of this request, perhaps before it
  /// responds to the request. Such a report must not end this session.
  ///
  /// Call it only if the token certainly belongs to this user. Otherwise an attacker with a stolen
  /// session could announce a revocation with an invented token, and keep the session when the user
  /// really withdraws consent.
  private func expectReport(
    from provider: ProviderConfiguration, _ uid: UID, _ project: Project, _ call: Call
  ) async throws {
    try await services.accounts.expectRevocation(
      at: provider.id, by: uid, in: project, now: call.now)
  }

  /// The token for which the code of an earlier sign-in was exchanged. If the exchange is in
  /// progress, waits for it, at most fifteen seconds. Nil if the code was not exchanged by then.
  private func keptToken(
    ofCode code: String, _ provider: ProviderID, _ uid: UID, _ project: Project
  ) async throws -> ProviderToken? {
    let token: ProviderToken?? = try await Polling.first {
      switch try await services.accounts.keptCode(code, of: provider, by: uid, in: project) {
      case .exchanged(let token): .some(token)
      case .unused: .some(nil)
      case .inProgress: nil
      }
    }
    return token ?? nil
  }

  /// Exchanges the code and revokes the resulting token.
  ///
  /// - Returns: Whether the code certainly belongs to this user: the provider returned an identity
  ///   of the account with it.
  private func exchangeAndRevoke(
    code: String, _ request: RevokeTokenRequest, _ uid: UID,
    _ provider: ProviderConfiguration, _ project: Project, _ call: Call
  ) async throws -> Bool {
    let exchange = try await services.federation.exchangeAuthorizationCode(
      Secret(code), redirectURI: request.redirectURI, for: provider, now: call.now)
    if let identity = exchange.identity, let idToken = request.idToken {
      do {
        try await services.accounts.confirm(
          identity, forIDToken: idToken, in: project, now: call.now)
      } catch AccountsError.identityLinkedElsewhere {
        throw APIError.refused(
          .invalidIDPResponse, "The authorization code is of another user of \(provider.id).")
      } catch {
        // The account was deleted or the session ended meanwhile. Nobody else has this token.
        try? await revokeTokens(of: exchange, provider, call)
        throw error
      }
    }
    if let identity = exchange.identity {
      try await expectReport(from: provider, uid, project, call)
      // If the revocation fails, the client repeats the request, and the code doesn't work again.
      if revokesAllTokens(provider) {
        try await services.accounts.keepProviderToken(
          of: identity, ofCode: code, exchange.tokens, clientID: exchange.clientID, for: uid,
          in: project, now: call.now)
      }
    }
    try await revokeTokens(of: exchange, provider, call)
    return exchange.identity != nil
  }

  private func revokeTokens(
    of exchange: CodeExchange, _ provider: ProviderConfiguration, _ call: Call
  ) async throws {
    if let refreshToken = exchange.tokens.refreshToken {
      try await services.federation.revoke(
        refreshToken, kind: .refresh, clientID: exchange.clientID, for: provider, now: call.now)
    } else if let accessToken = exchange.tokens.accessToken {
      try await services.federation.revoke(
        accessToken, kind: .access, clientID: exchange.clientID, for: provider, now: call.now)
    }
  }
}

import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseWire

/// v2's `accounts:revokeToken`: revokes the app's tokens at the provider.
///
/// An authorization code is first exchanged for a refresh token, which is then revoked. If the
/// exchange also authenticates the user, it counts as a recent sign-in of the caller's session. So
/// revoking and then deleting the account works at any age of the session.
struct RevokeToken: Endpoint {
  let services: APIServices
  private let codes = RevokedCodes()

  init(services: APIServices) { self.services = services }

  var routes: [Route] {
    [.client(.post, "v2/accounts:revokeToken", "revokeToken", answer)]
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(RevokeTokenRequest.self)
    let project = try call.requireProject()
    guard let idToken = request.idToken else { throw APIError.refused(.missingIDToken) }
    let caller = try await services.accounts.caller(
      ofIDToken: idToken, in: project, now: call.now)
    guard let providerID = request.providerID else {
      throw APIError.refused(.missingProviderID)
    }
    guard let token = request.token else { throw APIError.refused(.missingToken) }
    guard let kind = request.kind else { throw APIError.refused(.invalidTokenType) }
    let provider = try await services.configuration(providerID, in: project)
    let uid = caller.account.uid
    switch kind {
    case .refreshToken:
      try await services.accounts.admitProviderCall(by: uid, in: project, now: call.now)
      try await services.federation.revoke(
        Secret(token), kind: .refresh, for: provider, now: call.now)
    case .accessToken:
      try await services.accounts.admitProviderCall(by: uid, in: project, now: call.now)
      try await services.federation.revoke(
        Secret(token), kind: .access, for: provider, now: call.now)
    case .code:
      // A client that lost the answer repeats the request, but a code works only once.
      let use = RevokedCodes.Use(code: token, project: project.id, uid: uid)
      if codes.contains(use, now: call.now) { return Answer(EmptyResponse()) }
      try await services.accounts.admitProviderCall(by: uid, in: project, now: call.now)
      try await revoke(code: token, request, provider, project, call)
      codes.insert(use, now: call.now)
    }
    return Answer(EmptyResponse())
  }

  private func revoke(
    code: String, _ request: RevokeTokenRequest, _ provider: ProviderConfiguration,
    _ project: Project, _ call: Call
  ) async throws {
    let exchange = try await services.federation.exchangeAuthorizationCode(
      Secret(code), redirectURI: request.redirectURI, for: provider, now: call.now)
    if let identity = exchange.identity, let idToken = request.idToken {
      do {
        try await services.accounts.confirm(
          identity, forIDToken: idToken, in: project, now: call.now)
      } catch AccountsError.identityLinkedElsewhere {
        throw APIError.refused(
          .invalidIDPResponse, "The authorization code is of another user of \(provider.id).")
      }
    }
    if let refreshToken = exchange.tokens.refreshToken {
      try await services.federation.revoke(
        refreshToken, kind: .refresh, clientID: exchange.clientID, for: provider, now: call.now)
    } else if let accessToken = exchange.tokens.accessToken {
      try await services.federation.revoke(
        accessToken, kind: .access, clientID: exchange.clientID, for: provider, now: call.now)
    }
  }
}

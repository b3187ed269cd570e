import GatehouseProtocol

import struct Foundation.Date

/// One user's request to revoke a token, or the tokens of an authorization code, at a provider.
///
/// The process may end, the provider or the database may fail between any two steps. Then either the same
/// request succeeds later, or the outbox revokes the token.
struct ProviderRevocation {
  let services: APIServices
  let request: RevocationRequest
  let idToken: String
  let provider: ProviderConfiguration
  let project: Project
  let now: Date

  func isCompleted() async throws -> Bool {
    try await services.accounts.isCompleted(request, in: project, now: now)
  }

  /// Revokes a token that the client has.
  func revoke(_ token: Secret<String>, _ kind: RevocableToken) async throws {
    // Apple also responds with 200 for a token that it doesn't know. So its response doesn't show to
    // which user a token belongs.
    if let kept = try await services.accounts.keptToken(
      token, of: provider.id, by: request.uid, in: project)
    {
      return try await revoke(kept)
    }
    try await revoke(token, kind, clientID: nil)
  }

  /// Revokes the token for which the code was exchanged, or exchanges it first.
  func revoke(code: String, redirectURI: String?) async throws {
    var waiting: OutboxEntry?
    switch try await knownCode(code) {
    case .exchanged(let kept): return try await revoke(kept)
    case .revoking(let revocation): return try await revoke(revocation)
    case .waiting(let entry): waiting = entry
    case .inProgress, .unknown: break
    }
    let exchange: CodeExchange
    do throws(FederationError) {
      exchange = try await services.federation.exchangeAuthorizationCode(
        Secret(code), redirectURI: redirectURI, for: provider, now: now)
    } catch {
      if let waiting {
        try? await services.accounts.release(waiting, because: error.description, now: now)
      }
      guard error.saysThatTokenIsInvalid else { throw error }
      return try await revokeAfterOther(code, refusal: error)
    }
    try await revoke(exchange, of: code)
    // The transaction that queued the revocation has deleted it, except if there was nothing to queue.
    if let waiting { try? await services.accounts.drop(waiting) }
  }

  /// The provider refused the code. Perhaps another server or the outbox has exchanged it meanwhile.
  private func revokeAfterOther(_ code: String, refusal: FederationError) async throws {
    if try await isCompleted() { return }
    switch try await knownCode(code) {
    case .exchanged(let kept): try await revoke(kept)
    case .revoking(let revocation): try await revoke(revocation)
    case .waiting(let entry):
      try await services.accounts.release(entry, because: refusal.description, now: now)
      throw refusal
    case .inProgress, .unknown: throw refusal
    }
  }

  /// What is known about the code. If an exchange is in progress, waits for it, at most fifteen seconds.
  private func knownCode(_ code: String) async throws -> KnownCode {
    try await Polling.first {
      let known = try await services.accounts.knownCode(
        code, of: request, at: provider.id, in: project, now: now)
      if case .inProgress = known { return nil }
      return known
    } ?? .inProgress
  }

  /// Revokes a kept token, for which a code of this user was exchanged.
  private func revoke(_ kept: ProviderToken) async throws {
    try await revokeOwn(
      kept.token, .refresh, clientID: kept.clientID.isEmpty ? nil : kept.clientID)
    try await complete(isOwn: true)
  }

  /// Revokes the token of a new exchange.
  private func revoke(_ exchange: CodeExchange, of code: String) async throws {
    let token = exchange.revocableToken
    guard let identity = exchange.identity else {
      // Nobody knows whose token it is, so the account is not to be held responsible for it.
      if let (token, kind) = token { try await revoke(token, kind, clientID: exchange.clientID) }
      return try await complete(isOwn: false)
    }
    guard let (token, kind) = token else {
      try await services.accounts.confirm(identity, forIDToken: idToken, in: project, now: now)
      return try await complete(isOwn: false)
    }
    let revocation: QueuedRevocation
    do {
      revocation = try await services.accounts.queueRevocation(
        of: token, kind, clientID: exchange.clientID, identity: identity, code: code,
        request: request, forIDToken: idToken, in: project, now: now)
    } catch AccountsError.identityLinkedElsewhere {
      throw APIError.refused(
        .invalidIDPResponse, "The authorization code is of another user of \(provider.id).")
    } catch {
      // The account was deleted, the session ended, or the database failed. Nobody else has this token.
      try? await revoke(token, kind, clientID: exchange.clientID)
      throw error
    }
    try await revoke(revocation)
  }

  private func revoke(_ revocation: QueuedRevocation) async throws {
    do {
      try await revokeOwn(revocation.token, revocation.kind, clientID: revocation.clientID)
    } catch {
      if case FederationError.incompleteConfiguration(_, "revocation_endpoint") = error {
        // This provider revokes nothing, also later.
        try? await services.accounts.drop(revocation.entry)
      } else {
        // If this fails too, the outbox goes on in a minute.
        try? await services.accounts.release(revocation.entry, because: "\(error)", now: now)
      }
      throw error
    }
    try await complete(revocation, isOwn: true)
  }

  /// Revokes a token that certainly belongs to this user. Otherwise an attacker with a stolen session could
  /// announce a revocation with an invented token, and keep the session when the user really withdraws
  /// consent.
  private func revokeOwn(
    _ token: Secret<String>, _ kind: RevocableToken, clientID: String?
  ) async throws {
    // The provider may report the withdrawal before it responds. Its report must not end this session.
    try await services.accounts.expectRevocation(
      at: provider.id, by: request.uid, in: project, now: now)
    do throws(FederationError) {
      try await revoke(token, kind, clientID: clientID)
    } catch {
      // An earlier request has revoked it, and could not record that.
      guard error.saysThatTokenIsInvalid else { throw error }
    }
  }

  /// - Parameter clientID: The client to which the token was issued; nil if unknown.
  private func revoke(
    _ token: Secret<String>, _ kind: RevocableToken, clientID: String?
  ) async throws(FederationError) {
    try await services.federation.revoke(
      token, kind: kind, clientID: clientID, for: provider, now: now)
  }

  private func complete(_ revocation: QueuedRevocation? = nil, isOwn: Bool) async throws {
    try await services.accounts.complete(
      request, revocation, at: provider.id,
      forgettingTokens: isOwn && IdentityProviders.revokesAllTokens(provider.id), in: project,
      now: now)
  }
}

extension CodeExchange {
  /// Revoking the refresh token also ends the access tokens of the same grant.
  fileprivate var revocableToken: (Secret<String>, RevocableToken)? {
    tokens.refreshToken.map { ($0, .refresh) } ?? tokens.accessToken.map { ($0, .access) }
  }
}

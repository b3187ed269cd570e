import GatehouseProtocol

import struct Foundation.Date

/// Exchanges an authorization code that came with a sign-in, and keeps the refresh token.
struct CodeExchangeExecutor: Sendable {
  let store: any Store
  let federation: Federation

  func execute(
    _ task: CodeExchangeTask, _ entry: OutboxEntry, now: Date
  ) async throws -> OutboxResult {
    let project = entry.project
    let found = try await store.read { try $0.providerWithApps(task.provider, in: project) }
    guard let provider = found else { return .failed("the provider isn't configured any more") }
    let exchange: CodeExchange
    do throws(FederationError) {
      exchange = try await federation.exchangeAuthorizationCode(
        task.code.code, redirectURI: task.code.redirectURI, clientID: task.code.clientID,
        for: provider, now: now)
    } catch {
      // A refusal is final, because a code works only once.
      return error.isTemporary ? .retry(error.description) : .failed(error.description)
    }
    // An app can send a code of another user beside an ID token. So the subject of the code's verified
    // ID token is compared.
    guard let subject = exchange.identity?.subject, subject == task.subject else {
      return .failed("the authorization code is of another user")
    }
    guard let token = exchange.tokens.refreshToken else {
      return .failed("the provider issued no refresh token")
    }
    return .done { transaction, isQueued in
      try transaction.keep(
        token, clientID: exchange.clientID, of: task, entry: entry, isQueued: isQueued, now: now)
    }
  }
}

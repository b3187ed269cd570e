import GatehouseProtocol

import struct Foundation.Date

/// Revokes a user's grant at a provider after the account was deleted or the identity unlinked, or after a
/// client's request for it that did not succeed.
struct RevocationExecutor: Sendable {
  let store: any Store
  let federation: Federation

  func execute(
    _ task: RevocationTask, _ entry: OutboxEntry, now: Date
  ) async throws -> OutboxResult {
    let project = entry.project
    let (found, owner, hasReturned) = try await store.read { transaction in
      (
        try transaction.providerWithApps(task.provider, in: project),
        try transaction.account(provider: task.provider, subject: task.subject, in: project),
        try task.request.map {
          try transaction.hasReturned(since: entry, $0, at: task.provider)
        } ?? false
      )
    }
    // The user has signed in again since, and so granted access again. For the provider it is the same
    // grant: a late revocation of the old token would end the new grant too, and the provider would report
    // this as a withdrawal by the user. Facebook's grant is revoked nevertheless: Facebook reports
    // nothing, and an access token from before the deletion could still be used to sign in.
    if case .token = task.target, let identity = owner?.identity(of: task.provider),
      hasReturned || identity.linkedAt > entry.createdAt
    {
      return .done
    }
    guard let provider = found else { return .failed("the provider isn't configured any more") }
    // The identity may belong to another account by now, or the account may have another identity.
    let request = task.request.flatMap { owner?.uid == $0.uid ? $0 : nil }
    if let request {
      try await store.write {
        try $0.expectRevocation(at: task.provider, by: request.uid, in: project, now: now)
      }
    }
    let revoked = revoked(task, isOwn: request != nil, in: project, now: now)
    do throws(FederationError) {
      switch task.target {
      case .token(let token, let kind):
        try await federation.revoke(
          token, kind: kind, clientID: task.clientID, for: provider, now: now)
      case .grant:
        try await federation.revokeGrant(of: task.subject, for: provider, now: now)
      }
      return revoked
    } catch {
      if error.saysThatTokenIsInvalid { return revoked }
      // An operator can correct the configuration, so a refusal of the client isn't final.
      return error.isTemporary || error.isOperatorsConcern || error.isAboutConfiguration
        ? .retry(error.description) : .failed(error.description)
    }
  }

  /// A client that repeats its request learns that the token is revoked.
  ///
  /// - Parameter isOwn: Whether the account still has the identity of the token.
  private func revoked(
    _ task: RevocationTask, isOwn: Bool, in project: ProjectID, now: Date
  ) -> OutboxResult {
    guard let request = task.request else { return .done }
    let revokesAll = isOwn && IdentityProviders.revokesAllTokens(task.provider)
    return .done { transaction, _ in
      try transaction.complete(
        request, at: task.provider, forgettingTokens: revokesAll, in: project, now: now)
    }
  }
}

extension FederationError {
  /// Whether the configuration lacks something that an operator can add.
  var isAboutConfiguration: Bool {
    switch self {
    case .incompleteConfiguration, .inspectionRefused: true
    default: false
    }
  }
}

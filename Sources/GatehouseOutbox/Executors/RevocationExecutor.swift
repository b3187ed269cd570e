import GatehouseAccounts
import GatehouseFederation
import GatehouseModel

import struct Foundation.Date

/// Revokes a user's grant at a provider after the account was deleted or the identity unlinked.
struct RevocationExecutor: Sendable {
  let store: any Store
  let federation: Federation

  func execute(
    _ task: RevocationTask, _ entry: OutboxEntry, now: Date
  ) async throws -> OutboxResult {
    let project = entry.project
    let (found, owner) = try await store.read { transaction in
      (
        try transaction.providerWithApps(task.provider, in: project),
        try transaction.account(provider: task.provider, subject: task.subject, in: project)
      )
    }
    // The user has signed in again since, and so granted access again. For the provider it is the same
    // grant: a late revocation of the old token would end the new grant too, and the provider would report
    // this as a withdrawal by the user. Facebook's grant is revoked nevertheless: Facebook reports
    // nothing, and an access token from before the deletion could still be used to sign in.
    if case .token = task.target, let identity = owner?.identity(of: task.provider),
      identity.linkedAt > entry.createdAt
    {
      return .done
    }
    guard let provider = found else { return .failed("the provider isn't configured any more") }
    do throws(FederationError) {
      switch task.target {
      case .token(let token, let kind):
        try await federation.revoke(
          token, kind: kind, clientID: task.clientID, for: provider, now: now)
      case .grant:
        try await federation.revokeGrant(of: task.subject, for: provider, now: now)
      }
      return .done
    } catch {
      if error.saysThatTokenIsInvalid { return .done }
      // An operator can correct the configuration, so a refusal of the client isn't final.
      return error.isTemporary || error.isOperatorsConcern || error.isAboutConfiguration
        ? .retry(error.description) : .failed(error.description)
    }
  }
}

extension FederationError {
  /// Whether the same request may succeed later without a change on this side: the provider couldn't
  /// be reached, failed, or limited the rate of requests.
  var isTemporary: Bool {
    switch self {
    case .unreachable: true
    case .refusedByProvider(let status, _): status >= 500 || status == 429
    default: false
    }
  }

  /// Whether the configuration lacks something that an operator can add.
  var isAboutConfiguration: Bool {
    switch self {
    case .incompleteConfiguration, .inspectionRefused: true
    default: false
    }
  }

  /// Whether the provider answered that it knows no such token. Then there is nothing to revoke.
  /// Google answers 400 with `invalid_token` for a token that was revoked before; RFC 7009 §2.2 asks
  /// for 200.
  var saysThatTokenIsInvalid: Bool {
    guard case .refusedByProvider(400..<500, let error?) = self else { return false }
    return ["invalid_token", "invalid_grant"].containsBytes(of: error)
  }
}

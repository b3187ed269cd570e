package import Foundation
package import GatehouseModel

/// A sensitive change needs a recent sign-in.
extension Session {
  /// How much the clocks of two servers may differ. Seconds.
  private static let skewSeconds: TimeInterval = 60

  /// - Throws: ``AccountsError/credentialTooOld``.
  func requireRecentSignIn(
    under policies: ProjectPolicies, now: Date
  ) throws(AccountsError) {
    guard isRecent(under: policies, now: now) else { throw .credentialTooOld }
  }

  func isRecent(under policies: ProjectPolicies, now: Date) -> Bool {
    let limit = TimeInterval(policies.recentSignInSeconds) + Self.skewSeconds
    return now.timeIntervalSince(authenticatedAt) <= limit
  }
}

extension AccountsService {
  /// Counts a new verification of one of the account's identities as a sign-in of this session.
  ///
  /// An authorization code that Apple just exchanged shows who the user is, as an ID token does. So an
  /// app can revoke Apple's tokens and then delete the account, however old the session is.
  ///
  /// An unconfirmed identity changes nothing: an attacker with the session's stolen ID token could
  /// have linked it.
  ///
  /// - Throws: ``AccountsError/identityLinkedElsewhere`` if the account doesn't have the identity,
  ///   ``AccountsError/issuerChanged`` if the account has it under another issuer, and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func confirm(
    _ identity: ExternalIdentity, forIDToken idToken: String, in project: Project, now: Date
  ) async throws {
    let facts = try sessions.verify(idToken, in: project, now: now)
    try await store.write { transaction in
      var user = try transaction.currentUser(facts, in: project.id)
      guard let linked = user.account.identity(of: identity.provider),
        linked.subject == identity.subject
      else { throw AccountsError.identityLinkedElsewhere }
      try linked.refuseOtherIssuer(than: identity)
      guard linked.unconfirmedSince == nil else { return }
      user.session.authenticatedAt = max(user.session.authenticatedAt, now.wholeMilliseconds)
      try transaction.update(user.session, in: project.id)
      try transaction.record(
        .reauthenticated, of: user.account.uid,
        details: [AccountDifference.provider: identity.provider.text], in: project.id, now: now)
      try transaction.touch(
        user.account.uid, in: project.id, lastLoginAt: now, lastRefreshAt: nil)
    }
  }
}

package import Foundation
import GatehouseProtocol

/// A sensitive change needs a recent sign-in, with the second factor if the account has one.
extension CurrentUser {
  /// - Throws: ``AccountsError/credentialTooOld``.
  func requireRecentSignIn(
    under policies: ProjectPolicies, now: Date
  ) throws(AccountsError) {
    guard isRecent(under: policies, now: now) else { throw .credentialTooOld }
  }

  func isRecent(under policies: ProjectPolicies, now: Date) -> Bool {
    now.timeIntervalSince(session.authenticatedAt) <= TimeInterval(policies.recentSignInSeconds)
      && !lacksSecondFactor(under: policies)
  }

  /// Whether the session began without the account's second factor: before the factor was enrolled. A custom token
  /// needs none.
  private func lacksSecondFactor(under policies: ProjectPolicies) -> Bool {
    policies.secondFactors.isEnabled && session.secondFactor == nil && session.provider != .custom
      && account.secondFactors?.factors.isEmpty == false
  }
}

extension Transaction {
  /// Checks that the session's user has signed in recently, with this ID token or after it was issued.
  ///
  /// - Throws: ``AccountsError/credentialTooOld``.
  func requireRecentSignInOfSession(
    _ facts: IDTokenFacts, in project: Project, now: Date
  ) throws {
    guard let session = try session(facts.session, in: project.id),
      let account = try account(session.uid, in: project.id)
    else { throw AccountsError.credentialTooOld }
    try CurrentUser(account: account, session: session)
      .requireRecentSignIn(under: project.policies, now: now)
  }
}

extension AccountsService {
  /// Counts a new verification of one of the account's identities as a sign-in of this session: for the
  /// deletion of the account at once, and for everything else from the next refresh on.
  ///
  /// An authorization code that Apple just exchanged shows who the user is, as an ID token does. So an
  /// app can revoke Apple's tokens and then delete the account, however old the session is. An attacker may
  /// have a copy of the ID token: with it, only the deletion is possible.
  ///
  /// An unconfirmed identity changes nothing: an attacker with the session's stolen ID token could
  /// have linked it. Nor does any identity in a session with a second factor.
  ///
  /// - Throws: ``AccountsError/identityLinkedElsewhere`` if the account doesn't have the identity,
  ///   ``AccountsError/issuerChanged`` if the account has it under another issuer, and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws.
  package func confirm(
    _ identity: ExternalIdentity, forIDToken idToken: String, in project: Project, now: Date
  ) async throws {
    let facts = try sessions.verify(idToken, in: project, now: now)
    try await store.write { try $0.confirm(identity, facts, in: project.id, now: now) }
  }
}

extension Transaction {
  /// See ``AccountsService/confirm(_:forIDToken:in:now:)``.
  func confirm(
    _ identity: ExternalIdentity, _ facts: IDTokenFacts, in project: ProjectID, now: Date
  ) throws {
    var user = try currentUser(facts, in: project)
    guard let linked = user.account.identity(of: identity.provider),
      linked.subject == identity.subject
    else { throw AccountsError.identityLinkedElsewhere }
    try linked.refuseOtherIssuer(than: identity)
    // One factor doesn't renew a session of two.
    guard linked.unconfirmedSince == nil, user.session.secondFactor == nil else { return }
    user.session.authenticatedAt = max(user.session.authenticatedAt, now.wholeMilliseconds)
    try update(user.session, in: project)
    try record(
      .reauthenticated, of: user.account.uid,
      details: [AccountDifference.provider: identity.provider.text], in: project, now: now)
    try touch(user.account.uid, in: project, lastLoginAt: now, lastRefreshAt: nil)
  }
}

package import Foundation
package import GatehouseProtocol

extension Transaction {
  /// Applies a provider's report about one of its users. The report has no effect if the user has no
  /// account, and none on sessions, tokens and reports that are newer than the event.
  package func apply(_ event: ProviderEvent, in projectID: ProjectID, now: Date) throws {
    guard let subject = event.subject, let project = try project(projectID),
      let before = try account(provider: event.provider, subject: subject, in: projectID),
      let index = before.identities.firstIndex(where: { $0.provider == event.provider })
    else { return }
    var account = before
    let identity = account.identities[index]
    switch event.kind {
    case .consentRevoked:
      try forgetTokens(of: account, obtainedBefore: event, in: projectID)
      if identity.expectsRevocation(at: event.occurredAt) {
        // One request causes one report.
        account.identities[index].revocationRequestedAt = nil
        try save(account, replacing: before, in: projectID, now: now)
        return
      }
      try recordWithdrawal(on: &account, identity, event, in: projectID, now: now)
      try act(
        project.policies.providerEvents.consentRevoked, on: account, identity, event, in: project,
        now: now)
    case .accountDeleted:
      try forgetTokens(of: account, obtainedBefore: event, in: projectID)
      try act(
        project.policies.providerEvents.accountDeleted, on: account, identity, event, in: project,
        now: now)
    case .sessionsRevoked, .accountDisabled:
      try endSessions(of: account, identity, event, in: projectID, now: now)
      try endCodes(to: account, in: projectID)
    case .emailDisabled, .emailEnabled:
      if let changedAt = identity.forwardingChangedAt, changedAt >= event.occurredAt { return }
      account.identities[index].isForwardingDisabled = event.kind == .emailDisabled
      account.identities[index].forwardingChangedAt = event.occurredAt
      try save(account, replacing: before, in: projectID, now: now)
    case .accountEnabled, .verification: break
    }
  }

  /// Stores the time of a withdrawal, which apps show to the user. Doesn't store it if the user has
  /// signed in with the provider since then.
  private func recordWithdrawal(
    on account: inout Account, _ identity: LinkedIdentity, _ event: ProviderEvent,
    in project: ProjectID, now: Date
  ) throws {
    guard try !hasReturned(to: account, by: identity, since: event.occurredAt, in: project),
      let index = account.identities.firstIndex(where: { $0.provider == identity.provider })
    else { return }
    let before = account
    account.identities[index].consentRevokedAt = event.occurredAt.wholeMilliseconds
    try save(account, replacing: before, in: project, now: now)
  }

  private func act(
    _ action: ProviderEventPolicy.Action, on account: Account, _ identity: LinkedIdentity,
    _ event: ProviderEvent, in project: Project, now: Date
  ) throws {
    switch action {
    case .ignore: return
    case .endSessions:
      try endSessions(of: account, identity, event, in: project.id, now: now)
    case .deleteAccount:
      try endSessions(of: account, identity, event, in: project.id, now: now)
      // Otherwise a banned user could have the account deleted, and sign up again.
      if account.isDisabled { return }
      if try hasReturned(to: account, by: identity, since: event.occurredAt, in: project.id) {
        return
      }
      var rest = account
      rest.remove(identity)
      // A credential that a stolen session may have linked doesn't keep the account.
      var confirmed = rest
      confirmed.identities.removeAll { $0.unconfirmedSince != nil }
      if confirmed.phoneUnconfirmedSince != nil { confirmed.removePhoneNumber() }
      if confirmed.hasCredential {
        try detach(identity, in: project.id, now: now)
        try save(rest, replacing: account, in: project.id, now: now)
        try forgetTokensOfRemovedIdentities(of: rest, in: project.id)
      } else if !rest.hasCredential, account.mayHaveReturned(since: event.occurredAt, now: now) {
        // The account has no other credential, so the sign-in was one with the provider.
        return
      } else {
        try erase(account, in: project, now: now)
      }
    }
  }

  /// Whether the user has signed in with the provider since `instant`, or linked it. It doesn't matter
  /// whether the session has ended in the meantime.
  ///
  /// A session that ended more than a day ago is no longer stored, so it isn't found.
  private func hasReturned(
    to account: Account, by identity: LinkedIdentity, since instant: Date, in project: ProjectID
  ) throws -> Bool {
    try identity.linkedAt > instant
      || hasSession(of: account.uid, startedAfter: instant, by: identity.provider, in: project)
  }

  /// Ends the sessions that began with the provider before the event. A later sign-in shows that the
  /// user granted access again. Also ends the account's codes for another address, newer ones too: a session
  /// that ends here may have requested them after the event.
  private func endSessions(
    of account: Account, _ identity: LinkedIdentity, _ event: ProviderEvent,
    in project: ProjectID, now: Date
  ) throws {
    let limit = event.latestTime
    try endSessions(
      of: account.uid, startedAtOrBefore: limit, by: identity.provider, in: project,
      ending: Session.Ending(at: now, reason: .revoked))
    try endEmailChanges(of: account.uid, in: project)
    try record(
      .sessionEnded, of: account.uid,
      details: [AccountDifference.provider: identity.provider.text], in: project, now: now)
    try recordDetachment(
      of: identity.provider, subject: identity.subject, in: project, at: limit,
      keptUntil: now.addingTimeInterval(PendingTokenCodec.lifetimeSeconds + 60))
  }

  /// Ends the codes that were sent to the account's address. The provider reports that another person may
  /// have used its account, whose mailbox often has this address: this person may have requested and read a
  /// code that resets the password or signs in. Also ends codes that are newer than the event, because it is
  /// unknown since when only the user can read the mailbox.
  private func endCodes(to account: Account, in project: ProjectID) throws {
    try endActionCodes(of: account.uid, in: project)
    guard let email = account.email else { return }
    // A code from before the account was created names only the address.
    try deleteActionCodes(to: email, for: .emailSignIn, in: project)
  }

  /// Deletes kept tokens of the provider. A token that the user granted after the event stays.
  private func forgetTokens(
    of account: Account, obtainedBefore event: ProviderEvent, in project: ProjectID
  ) throws {
    try deleteProviderTokens(
      of: account.uid, provider: event.provider, obtainedUntil: event.occurredAt, in: project)
  }

  /// Call it when the provider rejects a token that was valid at its last check: the user withdrew
  /// consent in the meantime. Deletes the token.
  ///
  /// Ends the sessions that began with the provider, unless the policy ignores withdrawals. A check
  /// never deletes an account, because it shows less than a notification. If the user signed in with
  /// the provider since the last check, only the token is deleted: it is unknown whether the
  /// withdrawal or the sign-in came first. The same holds if this server has asked the provider for a
  /// revocation since the last check. No effect if the account has another token by now.
  package func applyRefusal(
    of token: ProviderToken, in projectID: ProjectID, now: Date
  ) throws {
    guard try deleteProviderToken(token, in: projectID), let project = try project(projectID),
      let account = try account(token.uid, in: projectID),
      let identity = account.identity(of: token.provider), identity.subject == token.subject
    else { return }
    if let requestedAt = identity.revocationRequestedAt, requestedAt >= token.checkedAt { return }
    guard try !hasReturned(to: account, by: identity, since: token.checkedAt, in: projectID) else {
      return
    }
    let event = ProviderEvent(
      provider: token.provider, kind: .consentRevoked, subject: token.subject, occurredAt: now)
    var changed = account
    try recordWithdrawal(on: &changed, identity, event, in: projectID, now: now)
    guard project.policies.providerEvents.consentRevoked != .ignore else { return }
    try endSessions(of: changed, identity, event, in: projectID, now: now)
  }
}

extension Account {
  /// Whether the user has signed in since `instant`, by whatever credential, and the session may have been
  /// removed after its end.
  fileprivate func mayHaveReturned(since instant: Date, now: Date) -> Bool {
    guard let lastLoginAt, lastLoginAt > instant else { return false }
    return now.timeIntervalSince(instant) > Session.endedSeconds
  }
}

extension ProviderEvent {
  /// The latest time at which it can have happened. Google names whole seconds: a session that began in the
  /// same second may be older than the event, so it ends too.
  fileprivate var latestTime: Date {
    occurredAt == occurredAt.wholeSeconds ? occurredAt.addingTimeInterval(0.999) : occurredAt
  }
}

extension LinkedIdentity {
  /// How long after a request of this server the provider may report the withdrawal. Seconds.
  private static let revocationSeconds: TimeInterval = 600

  /// Whether a withdrawal at `instant` follows from this server's own request. The provider's clock may
  /// differ by a minute.
  fileprivate func expectsRevocation(at instant: Date) -> Bool {
    guard let revocationRequestedAt else { return false }
    let seconds = instant.timeIntervalSince(revocationRequestedAt)
    return (-60...Self.revocationSeconds).contains(seconds)
  }
}

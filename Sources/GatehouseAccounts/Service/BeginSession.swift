import Foundation
import GatehouseModel
import GatehouseTokens

extension StoreTransaction {
  /// Starts a session of the account and removes the least recently used beyond the limit. Those
  /// need no tombstone: what an unknown session's tokens get is what an ended one's get.
  ///
  /// - Parameters:
  ///   - authenticatedAt: When the person proved themselves; `now` except where something that was
  ///     verified earlier is used again.
  ///   - isReplayable: The proof may be presented any number of times at no cost to who presents it:
  ///     ``RateLimits/signInsPerIdentity`` counts.
  /// - Throws: ``AccountsError/tooManyAttempts``.
  func beginSession(
    of account: Account, by provider: ProviderID, signInAttributes: String? = nil,
    developerClaims: CustomClaims? = nil, authenticatedAt: Date? = nil, isReplayable: Bool = false,
    in project: Project, now: Date
  ) throws -> Session {
    // From an index alone; hardly a sign-in has more to do than this.
    let live = try countLiveSessions(of: account.uid, startedAfter: nil, in: project.id)
    let limit = project.policies.rateLimits.signInsPerIdentity
    if isReplayable, live >= limit,
      try countLiveSessions(
        of: account.uid, startedAfter: now.addingTimeInterval(-Session.replayWindowSeconds),
        in: project.id) >= limit
    {
      throw AccountsError.tooManyAttempts
    }
    var generator = SystemRandomNumberGenerator()
    var session = Session(
      id: SessionID(using: &generator), uid: account.uid, provider: provider,
      signInAttributes: signInAttributes, createdAt: now, authenticatedAt: authenticatedAt ?? now)
    session.developerClaims = developerClaims
    try insert(session, in: project.id)
    if live >= Session.maximumPerAccount {
      try trimSessions(of: account.uid, in: project.id, keeping: Session.maximumPerAccount)
    }
    return session
  }

  /// Ends every session of the account, refuses all tokens of before, and ends its codes except
  /// those that take an address back.
  ///
  /// The account is changed, not saved. Tokens of the current second are refused by their sessions,
  /// earlier ones also by whoever looks at `validSince` alone.
  func revokeEverything(of account: inout Account, in project: ProjectID, now: Date) throws {
    account.validSince = max(account.validSince, now.wholeSeconds)
    try detachEverything(of: account, in: project, now: now)
    try endActionCodes(of: account.uid, in: project)
    try endSessions(
      of: account.uid, in: project, startedAtOrBefore: nil,
      ending: Session.Ending(at: now, reason: .revoked))
  }

  /// Makes void what was verified with the account's identities and its number until now.
  func detachEverything(of account: Account, in project: ProjectID, now: Date) throws {
    for identity in account.identities { try detach(identity, in: project, now: now) }
    try detachPhoneNumber(of: account, in: project, now: now)
  }

  /// Makes void what was verified with the identity until now; see ``PendingTokenCodec``.
  func detach(_ identity: LinkedIdentity, in project: ProjectID, now: Date) throws {
    try recordDetachment(
      of: identity.provider, subject: identity.subject, in: project, at: now,
      keptUntil: now.addingTimeInterval(PendingTokenCodec.lifetimeSeconds + 60))
  }
}

extension Date {
  /// The same instant without its fraction of a second.
  var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }

  /// The same instant to the millisecond, rounded down: as a store keeps it.
  ///
  /// What is decided and signed before the commit must be what is read after it. A store that rounds
  /// up would move a time into the next second, and `auth_time` with it.
  var wholeMilliseconds: Date {
    // A whole number of milliseconds comes back from division a few ten-thousandths short.
    let milliseconds = (timeIntervalSince1970 * 1000 + 0.01).rounded(.down)
    return Date(timeIntervalSince1970: milliseconds / 1000)
  }
}

import Foundation
import GatehouseProtocol
import GatehouseTokens

/// A sign-in whose first factor is right, for ``Transaction/signIn(to:_:in:now:)``.
struct SignInRequest {
  var provider: ProviderID
  var admission: BlockingGate.Admission
  /// As in ``BlockingContext``.
  var method: String
  /// The account as it is stored. Nil if the sign-in creates it.
  var before: Account?
  /// Whether the sign-in changed more of the account than its times.
  var isChanged = true
  var signInAttributes: SignInAttributes?
  /// When the user authenticated, if that was before this request.
  var authenticatedAt: Date?
  /// See ``Transaction/beginSession(of:by:admission:signInAttributes:developerClaims:authenticatedAt:isReplayable:replacing:in:now:)``.
  var isReplayable = false
  /// The session with which the user makes this request.
  var former: Session?
  /// The language that the app names.
  var language: String?
}

extension Transaction {
  /// Saves the account and begins its session, unless its second factor has to be shown first. Then the account's
  /// times don't change, and only what the first factor changed is saved.
  ///
  /// Every first factor ends here.
  func signIn(
    to changed: Account, _ request: SignInRequest, in project: Project, now: Date
  ) throws -> SignInEnding {
    var account = changed
    let admission = request.admission
    var isChanged = request.before == nil || request.isChanged || admission.changesAccount
    if !admission.needsSecondFactor {
      isChanged = account.recordSignIn(language: request.language, now: now) || isChanged
    }
    if isChanged {
      try save(account, replacing: request.before, in: project.id, now: now)
    } else if !admission.needsSecondFactor {
      try touch(account.uid, in: project.id, lastLoginAt: now, lastRefreshAt: now)
    }
    if account.isDisabled { return .disabled }
    if admission.needsSecondFactor {
      var first = FirstFactor(
        uid: account.uid, createdAt: account.createdAt, provider: request.provider,
        method: request.method, shownAt: now.wholeMilliseconds)
      first.authenticatedAt = request.authenticatedAt
      first.signInAttributes = request.signInAttributes
      first.session = request.former?.id
      first.isNewUser = request.before == nil
      return .secondFactorNeeded(account, first)
    }
    let session = try beginSession(
      of: account, by: request.provider, admission: admission,
      signInAttributes: request.signInAttributes, authenticatedAt: request.authenticatedAt,
      isReplayable: request.isReplayable, replacing: request.former, in: project, now: now)
    return .session(account, session, isNew: request.before == nil)
  }

  /// Begins a session of the account and removes the least recently used sessions beyond the limit.
  /// Their rows need not be kept: tokens of an unknown session get the same response as tokens of an
  /// ended one.
  ///
  /// If the account's deletion is scheduled, it is cancelled, because the user signed in again. The
  /// caller must have saved the account before.
  ///
  /// - Parameters:
  ///   - admission: The result of ``BlockingGate/admit(_:isNew:secondFactor:now:)``.
  ///   - developerClaims: The session's claims, if not those of the admission or of `former`.
  ///   - authenticatedAt: When the user authenticated, if that was before this request. Nil: `now`.
  ///   - isReplayable: Whether the caller can present the same token or proof again and again. Then
  ///     ``RateLimits/signInsPerIdentity`` applies.
  ///   - former: The session with which the user makes this request. A sign-in on its device doesn't count
  ///     as one on a new device. If no blocking function decides, the new session has its claims: they may
  ///     restrict what its user may do.
  /// - Throws: ``AccountsError/tooManyAttempts``.
  func beginSession(
    of account: Account, by provider: ProviderID, admission: BlockingGate.Admission,
    signInAttributes: SignInAttributes? = nil, developerClaims: CustomClaims? = nil,
    authenticatedAt: Date? = nil, isReplayable: Bool = false, replacing former: Session? = nil,
    in project: Project, now: Date
  ) throws -> Session {
    let device = SessionDevice(EventOrigin.current.source)
    // Reads only an index. Most sign-ins need no other count.
    let (live, sameDevice) = try countLiveSessions(
      of: account.uid, onDevice: device.digest, in: project.id)
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
    session.developerClaims =
      developerClaims
      ?? (admission.isDecided ? admission.sessionClaims : former?.developerClaims)
    session.secondFactor = admission.secondFactor ?? former?.secondFactor
    session.device = device
    try insert(session, in: project.id)
    // The first sign-in of an account is recorded as its creation.
    if account.createdAt != session.createdAt {
      let isKnownDevice = sameDevice > 0 || former?.device?.digest == device.digest
      try record(
        isKnownDevice ? .reauthenticated : .signedInOnNewDevice, of: account.uid,
        details: [AccountDifference.provider: provider.text], in: project.id, now: now)
    }
    if account.deletionScheduledFor != nil {
      _ = try keepScheduledAccount(account.uid, in: project.id)
      try record(.deletionCancelled, of: account.uid, in: project.id, now: now)
    }
    if live >= Session.maximumPerAccount {
      // Otherwise an attacker could sign the account's user out with a credential that was never confirmed.
      if account.hasUnconfirmed(provider) { throw AccountsError.tooManyAttempts }
      try trimSessions(of: account.uid, in: project.id, keeping: Session.maximumPerAccount)
    }
    return session
  }

  /// Ends every session of the account, rejects all earlier tokens, and ends its codes except
  /// recovery codes.
  ///
  /// The account is changed, not saved. A verifier that checks only `validSince` rejects tokens from
  /// before the current second. Tokens of the current second are rejected because their sessions ended.
  ///
  /// - Parameter details: The details of the event.
  func revokeEverything(
    of account: inout Account, details: [String: String] = [:], in project: ProjectID, now: Date
  ) throws {
    account.validSince = max(account.validSince, now.wholeSeconds)
    account.revokedAt = now.wholeMilliseconds
    try detachEverything(of: account, in: project, now: now)
    try endActionCodes(of: account.uid, in: project)
    try endSessions(
      of: account.uid, in: project, startedAtOrBefore: nil,
      ending: Session.Ending(at: now, reason: .revoked))
    try record(.tokensRevoked, of: account.uid, details: details, in: project, now: now)
  }

  /// Invalidates earlier pending tokens of the account's identities, and earlier temporary proofs of its
  /// number.
  func detachEverything(of account: Account, in project: ProjectID, now: Date) throws {
    for identity in account.identities { try detach(identity, in: project, now: now) }
    try detachPhoneNumber(of: account, in: project, now: now)
  }

  /// Invalidates earlier pending tokens of the identity with which a session began, or earlier temporary
  /// proofs of the number.
  func detachCredential(
    of session: Session, _ account: Account, in project: ProjectID, now: Date
  ) throws {
    if let identity = account.identity(of: session.provider) {
      try detach(identity, in: project, now: now)
    } else if session.provider == .phone {
      try detachPhoneNumber(of: account, in: project, now: now)
    }
  }

  /// Invalidates earlier pending tokens of the identity; see ``PendingTokenCodec``.
  func detach(_ identity: LinkedIdentity, in project: ProjectID, now: Date) throws {
    try recordDetachment(
      of: identity.provider, subject: identity.subject, in: project, at: now,
      keptUntil: now.addingTimeInterval(PendingTokenCodec.lifetimeSeconds + 60))
  }
}

extension Date {
  /// The same instant without its fraction of a second.
  var wholeSeconds: Date { Date(timeIntervalSince1970: timeIntervalSince1970.rounded(.down)) }

  /// The same instant to the millisecond, rounded down, as a store keeps it.
  ///
  /// Times in a token must equal those that are read from the store later. If the store rounded up, it
  /// could move a time into the next second, and `auth_time` with it.
  var wholeMilliseconds: Date {
    // A store returns milliseconds divided by 1000. Their product with 1000 can be a few
    // ten-thousandths too small.
    let milliseconds = (timeIntervalSince1970 * 1000 + 0.01).rounded(.down)
    return Date(timeIntervalSince1970: milliseconds / 1000)
  }

  /// RFC 3339, in UTC, with three digits of milliseconds, for a time of whole milliseconds. The nearest number can be
  /// a little less, and the style rounds down.
  var withMilliseconds: String {
    addingTimeInterval(0.0001).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

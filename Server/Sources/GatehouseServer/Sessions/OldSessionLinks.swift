import Foundation
import GatehouseProtocol

/// Links in a session whose sign-in isn't recent.
extension Transaction {
  /// Whether a credential that the user links now is confirmed at once; see
  /// ``LinkedIdentity/unconfirmedSince``. It is in a recent session, and as the first credential of an
  /// anonymous account.
  ///
  /// - Throws: ``AccountsError/credentialTooOld`` if the session may not link anything: the project forbids
  ///   it, or an old session has ended one. A thief with stolen ID tokens must not first sign the user out, and
  ///   then link a credential that the user's next sign-in confirms.
  func confirmsLinks(of user: CurrentUser, in project: Project, now: Date) throws -> Bool {
    if user.isGuest || user.isRecent(under: project.policies, now: now) { return true }
    guard
      try !project.policies.linksNeedRecentSignIn && !isBehindEnding(user, in: project.id, now: now)
    else { throw AccountsError.credentialTooOld }
    return false
  }

  /// Remembers that an old session ended itself, or others of its account. Recent sessions need not be remembered:
  /// what they link is confirmed at once.
  func rememberEnding(by user: CurrentUser, in project: Project, now: Date) throws {
    guard !user.isRecent(under: project.policies, now: now) else { return }
    try save(
      Attempts(count: 1, endsAt: now.addingTimeInterval(Session.endingSeconds)),
      of: user.account.endingByOldSession, in: project.id)
  }

  /// Whether the session's user authenticated before an old session of the account last ended one.
  private func isBehindEnding(
    _ user: CurrentUser, in project: ProjectID, now: Date
  ) throws -> Bool {
    guard let ending = try attempts(user.account.endingByOldSession, in: project),
      now < ending.endsAt
    else { return false }
    return user.session.authenticatedAt <= ending.endsAt.addingTimeInterval(-Session.endingSeconds)
  }
}

extension Session {
  /// For how long links are refused in the sessions that are older than the ending of one. Longer than
  /// any ID token is valid. Seconds.
  fileprivate static let endingSeconds: TimeInterval = 86_400
}

extension Account {
  /// Kept with the rate limiter's counters, because it holds for a window of time as they do.
  fileprivate var endingByOldSession: AttemptCounter {
    AttemptCounter(.endingsByOldSession, uid.text)
  }
}

extension CurrentUser {
  /// The credential with which the session began. Nil if the account no longer has it: a credential of the
  /// same provider that was linked since then isn't it.
  var ownCredential: ProviderID? {
    let linkedAt =
      session.provider == .phone
      ? account.phoneLinkedAt : account.identity(of: session.provider)?.linkedAt
    return linkedAt.map { $0 <= session.createdAt } == true ? session.provider : nil
  }
}

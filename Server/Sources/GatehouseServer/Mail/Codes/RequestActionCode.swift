package import Foundation
package import GatehouseProtocol

/// The purpose for which a code is requested.
package enum ActionCodeRequest: Sendable {
  case passwordReset(EmailAddress)
  case emailSignIn(EmailAddress)
  case emailVerification(of: Holder)
  case emailChange(of: Holder, to: EmailAddress)

  /// The account for whose address the code is requested.
  package enum Holder: Sendable {
    /// The bearer of an ID token.
    case idToken(String)
    /// The account with this address: for administrators only.
    case email(EmailAddress)
  }
}

/// What happens to a requested code.
package enum ActionCodeHandling: Sendable {
  /// It is sent to the address.
  case deliver
  /// It is returned to an administrator, who sends it on.
  case reveal
}

/// The result of a request for a code.
package struct RequestedActionCode: Sendable {
  /// The account's address, or the one to sign in with.
  package let email: EmailAddress
  /// The id of the six digits' session. The client joins the id and the digits to the code's text: see
  /// ``PresentedCode/typed(id:session:digits:)``. Nil if no digits were requested. A void code has an id
  /// too.
  package let sessionID: String?
  /// The code with its link, for an administrator who requested it. Otherwise nil.
  package fileprivate(set) var issued: IssuedActionCode?
}

extension AccountsService {
  /// Whether a client may request codes: the server can deliver them.
  package var deliversActionCodes: Bool { actionCodes.delivers }

  /// Creates a code, and sends it or returns it to an administrator.
  ///
  /// Earlier codes of the same purpose for the same account or address become void.
  ///
  /// With the project's enumeration protection, the responses don't reveal whether an address is known.
  /// A password reset for an unknown address, a sign-in for an unknown address while sign-up is refused,
  /// and a change to an address in use, have the usual response at the usual cost, but no code is sent.
  ///
  /// - Parameter isTyped: Whether the user can type six digits instead of following the link.
  /// - Returns: With ``ActionCodeHandling/reveal`` also the code, unless it is void.
  /// - Throws: ``AccountsError/deliveryMissing`` if no delivery is configured, before anything is
  ///   looked up; ``AccountsError/tooManyAttempts`` if a client or the project requests too many codes;
  ///   ``AccountsError/tooManyActionCodes`` if the address or the account has too many codes already;
  ///   without the protection ``AccountsError/emailNotFound`` and ``AccountsError/emailExists``;
  ///   ``AccountsError/missingEmail`` for an account without an address;
  ///   ``AccountsError/credentialTooOld`` to change an address; ``AccountsError/userNotFound``;
  ///   ``AccountsError/passwordLoginDisabled``, ``AccountsError/emailLinksDisabled``; and what
  ///   ``currentUser(ofIDToken:in:now:)`` throws. For a sign-in that would fail because only administrators
  ///   create accounts, administrators also get ``AccountsError/adminOnlyOperation``, and without the
  ///   protection a client gets it too.
  package func requestActionCode(
    _ request: ActionCodeRequest, handling: ActionCodeHandling, isTyped: Bool = false,
    from client: ClientAddress, link: CodeLink, in project: Project, now: Date
  ) async throws -> RequestedActionCode {
    if handling == .deliver, !actionCodes.delivers { throw AccountsError.deliveryMissing }
    try request.permit(under: project.policies)
    let facts = try request.idToken.map { try sessions.verify($0, in: project, now: now) }
    let actionCodes = actionCodes
    let limiter = RateLimiter.codeRequest(from: client, under: project.policies.rateLimits)
    let mails = RateLimiter.mailedCode(under: project.policies.rateLimits)
    let isCounted = handling == .deliver
    let issued = try await write(
      countedBy: isCounted ? limiter : RateLimiter.none, in: project, now: now
    ) { transaction in
      let work = ActionCodeRequestWork(
        transaction: transaction, project: project, facts: facts, now: now)
      if isCounted { try mails.check(transaction, in: project.id, now: now) }
      let target = try work.target(of: request, handling)
      let issued = try actionCodes.make(
        target.purpose, of: target.account, email: target.email, newEmail: target.newEmail,
        isVoid: target.isVoid, isTyped: isTyped, link: link, now: now)
      try work.bound(issued.record, handling)
      try work.voidEarlier(than: issued.record)
      if isCounted {
        let replacesMail = try actionCodes.store(issued, in: project.id, transaction)
        // The email that this one replaces was counted, and is never sent.
        try mails.count(
          transaction, hasEffect: !target.isVoid && !replacesMail, in: project.id, now: now)
      } else {
        try transaction.insert(issued.record, in: project.id)
      }
      return issued
    }
    var requested = RequestedActionCode(
      email: issued.record.email, sessionID: issued.typed?.sessionID)
    switch handling {
    case .deliver: await actionCodes.show(issued)
    case .reveal: requested.issued = issued.record.isVoid ? nil : issued
    }
    return requested
  }
}

extension ActionCodeRequest {
  fileprivate var idToken: String? {
    switch self {
    case .emailVerification(of: .idToken(let token)),
      .emailChange(of: .idToken(let token), to: _):
      token
    default: nil
    }
  }

  fileprivate func permit(under policies: ProjectPolicies) throws(AccountsError) {
    switch self {
    case .passwordReset: if !policies.allowsPasswords { throw .passwordLoginDisabled }
    case .emailSignIn: try policies.requireEmailLinks()
    case .emailVerification, .emailChange: break
    }
  }
}

/// The transaction behind a request for a code.
private struct ActionCodeRequestWork {
  let transaction: Transaction
  let project: Project
  let facts: IDTokenFacts?
  let now: Date

  struct Target {
    var purpose: ActionCode.Purpose
    var account: Account?
    var email: EmailAddress
    var newEmail: EmailAddress?
    var isVoid = false
  }

  func target(
    of request: ActionCodeRequest, _ handling: ActionCodeHandling
  ) throws -> Target {
    switch request {
    case .passwordReset(let email):
      let account = try transaction.account(email: email, in: project.id)
      if account == nil && !project.policies.protectsEmails { throw AccountsError.emailNotFound }
      return Target(
        purpose: .passwordReset, account: account, email: email, isVoid: account == nil)
    case .emailSignIn(let email):
      let account = try transaction.account(email: email, in: project.id)
      // As in Google's service, only the sign-in says that the account is disabled: whoever uses the code
      // has the address.
      let isUseless = account == nil && project.policies.refusesSignUp
      if isUseless, handling == .reveal || !project.policies.protectsEmails {
        throw AccountsError.adminOnlyOperation
      }
      return Target(
        purpose: .emailSignIn, account: account, email: email, isVoid: isUseless)
    case .emailVerification(let holder):
      let (account, email) = try self.account(of: holder, isSensitive: false)
      return Target(purpose: .emailVerification, account: account, email: email)
    case .emailChange(let holder, let newEmail):
      let (account, email) = try self.account(of: holder, isSensitive: true)
      let isTaken = try transaction.account(email: newEmail, in: project.id) != nil
      if isTaken && !project.policies.protectsEmails { throw AccountsError.emailExists }
      return Target(
        purpose: .emailChange, account: account, email: email, newEmail: newEmail,
        isVoid: isTaken)
    }
  }

  /// Limits the codes of one address and of one account. An administrator's request isn't rejected:
  /// the other codes are deleted instead.
  func bound(_ code: ActionCode, _ handling: ActionCodeHandling) throws {
    let ofAddress = try transaction.countActionCodes(
      to: code.recipient, for: code.purpose, now: now, in: project.id)
    // For an unknown address the codes of a random account are counted, so that the request takes the
    // same time.
    let ofAccount = try transaction.countActionCodes(
      of: code.uid ?? .random(), for: code.purpose, now: now, in: project.id)
    guard max(ofAddress, ofAccount) >= ActionCode.maximumLive else { return }
    guard case .reveal = handling else { throw AccountsError.tooManyActionCodes }
    try transaction.deleteActionCodes(to: code.recipient, for: code.purpose, in: project.id)
    if let uid = code.uid {
      try transaction.deleteActionCodes(of: uid, for: code.purpose, since: nil, in: project.id)
    }
  }

  /// Voids earlier codes. A user who requests another code has lost the first one, or another person
  /// requested the first one.
  ///
  /// A void code makes earlier ones void too. Otherwise the state of an earlier code would reveal
  /// whether the address is taken.
  func voidEarlier(than code: ActionCode) throws {
    switch code.purpose {
    case .emailSignIn:
      try transaction.voidActionCodes(to: code.email, for: .emailSignIn, in: project.id)
    case .passwordReset, .emailVerification, .emailChange:
      if let uid = code.uid {
        try transaction.voidActionCodes(of: uid, for: code.purpose, in: project.id)
      } else {
        // The codes of an unknown address are void already. This makes the request take the same time.
        try transaction.voidActionCodes(to: code.recipient, for: code.purpose, in: project.id)
      }
    // An attacker who changes the address again must not end the owner's recovery code.
    case .emailRecovery: break
    }
  }

  private func account(
    of holder: ActionCodeRequest.Holder, isSensitive: Bool
  ) throws -> (Account, EmailAddress) {
    let account: Account
    switch holder {
    case .email(let email):
      guard let owner = try transaction.account(email: email, in: project.id) else {
        throw AccountsError.userNotFound
      }
      account = owner
    case .idToken:
      guard let facts else { throw AccountsError.invalidIDToken }
      let user = try transaction.currentUser(facts, in: project.id)
      if isSensitive { try user.requireRecentSignIn(under: project.policies, now: now) }
      account = user.account
    }
    guard let email = account.email else { throw AccountsError.missingEmail }
    return (account, email)
  }
}

package import Foundation
package import GatehouseProtocol

/// `accounts:signInWithEmailLink` (v3 `emailLinkSignin`): signs in, or links an email address, with
/// the code of a link that was sent there.
struct SignInWithEmailLink: Endpoint {
  let services: APIServices
  let links: ActionLinks

  var routes: [Route] {
    Route.signIn("signInWithEmailLink", v3: "emailLinkSignin", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(SignInWithEmailLinkRequest.self)
    let project = try call.requireProject()
    if !project.policies.allowsEmailLinks { throw AccountsError.emailLinksDisabled }
    guard let text = request.email else { throw APIError.refused(.missingEmail) }
    let email = try EmailAddress(checking: text)
    guard let code = request.code else { throw APIError.refused(.missingOOBCode) }
    let signedIn = try await services.accounts.signIn(
      withEmailLinkCode: code, email: email, linkingIDToken: request.idToken,
      consent: try request.consent.map { try GivenConsent(checking: $0) }, from: call.client,
      link: try await links.maker(for: call), in: project, now: call.now)
    var response = SignInWithEmailLinkResponse(
      localID: signedIn.account.uid.text, email: email.text, isNewUser: signedIn.isNewUser,
      tokens: signedIn.issuedTokens)
    response.secondFactor = signedIn.pendingFactor
    return Answer(response)
  }
}

extension AccountsService {
  /// Signs in, or links the address to a signed-in account, with a code that was sent to the
  /// address.
  ///
  /// - Parameters:
  ///   - email: The address that the user enters. An attacker who has only the link can't sign in.
  ///   - linkingIDToken: The ID token of the account to which the address is linked; nil to sign in.
  ///   - consent: What the user agreed to; needed for linking if the project's policy requires consent.
  ///   - link: Builds the link of the recovery code that is sent to a replaced address.
  /// - Throws: ``AccountsError/invalidActionCode``, ``AccountsError/expiredActionCode``,
  ///   ``AccountsError/emailMismatch``, ``AccountsError/tooManyAttempts``,
  ///   ``AccountsError/userDisabled``, ``AccountsError/adminOnlyOperation`` if the project refuses
  ///   sign-up, ``AccountsError/emailLinksDisabled``, ``AccountsError/blockedByFunction(_:)``, after
  ///   which the code can be used again, ``AccountsError/overloaded``; for linking also
  ///   ``AccountsError/emailExists``, ``AccountsError/consentRequired(_:)``,
  ///   ``AccountsError/credentialTooOld`` if an account that isn't anonymous gets another address,
  ///   and what ``currentUser(ofIDToken:in:now:)`` throws.
  package func signIn(
    withEmailLinkCode text: String, email: EmailAddress, linkingIDToken: String? = nil,
    consent: GivenConsent? = nil, from client: ClientAddress, link: CodeLink,
    in project: Project, now: Date
  ) async throws -> SignInResult {
    try project.policies.requireEmailLinks()
    let linking = try linkingIDToken.map { try sessions.verify($0, in: project, now: now) }
    let actionCodes = actionCodes
    let context = BlockingContext(method: "emailLink", client: client, language: link.language)
    let outcome = try await using(code: text, from: client, in: project, now: now) { digest in
      try await write(asking: context, in: project, now: now) {
        transaction, gate -> Result<EmailLinkSignInTransaction.Outcome, AccountsError> in
        let work = EmailLinkSignInTransaction(
          transaction: transaction, project: project, email: email, consent: consent,
          issuer: actionCodes, link: link, gate: gate, now: now)
        let user = try linking.map { try transaction.currentUser($0, in: project.id) }
        try work.useCode(digest)
        do {
          return .success(try user.map { try work.link(to: $0) } ?? work.signIn())
        } catch let error as AccountsError where [.emailExists, .userDisabled].contains(error) {
          // The error was thrown before anything was saved. It is returned, not thrown again, so
          // that the code is used up.
          return .failure(error)
        }
      }
    }.get()
    await actionCodes.show(outcome.recovery)
    return try result(of: outcome.ending, in: project, now: now)
  }
}

/// The transaction behind signing in or linking with a code that was sent to an address.
private struct EmailLinkSignInTransaction {
  let transaction: Transaction
  let project: Project
  let email: EmailAddress
  let consent: GivenConsent?
  let issuer: ActionCodeIssuer
  let link: CodeLink
  let gate: BlockingGate
  let now: Date

  struct Outcome: Sendable {
    var ending: SignInEnding
    var recovery: IssuedActionCode?
  }

  /// Checks the code and ends it, with the address's other sign-in codes. The code stays ended even if
  /// the sign-in then fails because another account has the address or the account is disabled.
  func useCode(_ digest: [UInt8]) throws {
    let code = try transaction.liveActionCode(digest, in: project.id, now: now)
    guard code.purpose == .emailSignIn else { throw AccountsError.invalidActionCode }
    guard code.email == email else { throw AccountsError.emailMismatch }
    // The account that the mail was about was deleted, or has another address.
    if let uid = code.uid,
      try transaction.account(uid, in: project.id)?.email != email
    {
      throw AccountsError.invalidActionCode
    }
    try transaction.deleteActionCodes(to: email, for: .emailSignIn, in: project.id)
  }

  func signIn() throws -> Outcome {
    switch MailboxDecision.decide(
      owner: try transaction.account(email: email, in: project.id))
    {
    case .create: return try create()
    case .enter(let owner):
      if owner.isDisabled { throw AccountsError.userDisabled }
      return try begin(owner, replacing: owner, confirmsOthers: true)
    case .takeOver(let owner):
      if owner.isDisabled { throw AccountsError.userDisabled }
      switch try TakeOverDecision.decide(
        owner, isRecoverable: try transaction.isRecoverable(owner, in: project.id, now: now))
      {
      case .erase:
        try transaction.erase(owner, in: project, now: now)
        return try create()
      case .release:
        try transaction.releaseEmail(of: owner, in: project.id, now: now)
        return try create()
      case .clear:
        var account = owner
        try transaction.takeOver(&account, in: project.id, now: now)
        return try begin(account, replacing: owner)
      }
    }
  }

  private func create() throws -> Outcome {
    if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
    return try begin(Account(uid: gate.newUID, createdAt: now), replacing: nil)
  }

  func link(to user: CurrentUser) throws -> Outcome {
    var account = user.account
    if let owner = try transaction.account(email: email, in: project.id),
      owner.uid != account.uid
    {
      throw AccountsError.emailExists
    }
    // An address that is new to the account doesn't show that the caller is the account's user. But an
    // anonymous account has no other credential.
    let isOwnProof = account.email == email && account.isEmailVerified
    // Nor does one factor renew a session of two.
    let provesHolder =
      user.isGuest || isOwnProof && user.session.secondFactor == nil
    var recovery: IssuedActionCode?
    // Codes to the address can reset the password, so it must not be an attacker's address.
    if account.email != email, !user.isGuest {
      try user.requireRecentSignIn(under: project.policies, now: now)
    }
    if account.email != nil, account.email != email {
      recovery = try transaction.issueRecovery(
        of: account, replacedBy: email, by: issuer, link: link, in: project.id, now: now)
      try transaction.releaseCodesOfFormerAddress(of: account.uid, in: project.id)
      try transaction.revokeEverything(of: &account, in: project.id, now: now)
    }
    if account.email != email { account.replaceEmail(by: email) }
    try transaction.keepConsent(
      consent, from: user.account, to: account, in: project, now: now)
    var outcome = try begin(
      account, replacing: user.account,
      authenticatedAt: provesHolder ? now : user.session.authenticatedAt, session: user.session)
    outcome.recovery = recovery
    return outcome
  }

  private func begin(
    _ account: Account, replacing before: Account?, confirmsOthers: Bool = false,
    authenticatedAt: Date? = nil, session former: Session? = nil
  ) throws -> Outcome {
    var account = account
    account.email = email
    account.verifyEmail(now: now)
    account.hasEmailLink = true
    let admission = try gate.admit(
      &account, isNew: before == nil, secondFactor: former?.secondFactor, now: now)
    if confirmsOthers, !admission.needsSecondFactor { account.confirmCredentials() }
    return Outcome(
      ending: try transaction.signIn(
        to: account,
        SignInRequest(
          provider: .password, admission: admission, method: gate.context.method, before: before,
          authenticatedAt: authenticatedAt, former: former, language: link.language),
        in: project, now: now))
  }
}

import Foundation
import GatehouseProtocol
import GatehouseTokens

/// The transaction of a sign-in or a link with an identity. It runs again if a blocking function has to be
/// asked.
struct IdentitySignInTransaction {
  private let request: IdentitySignIn
  let transaction: Transaction
  let notices: AccountNotices
  let gate: BlockingGate
  /// As in the request. ``run()`` adds the stored name.
  private(set) var identity: ExternalIdentity
  /// The account that has the identity.
  private var owner: Account?

  init(
    _ request: IdentitySignIn, _ transaction: Transaction, _ notices: AccountNotices,
    _ gate: BlockingGate
  ) {
    self.request = request
    identity = request.identity
    self.transaction = transaction
    self.notices = notices
    self.gate = gate
  }

  /// How a transaction that is committed ends. The ID token of a session is signed after the commit.
  enum Ending {
    case ended(SignInEnding)
    case noSession(IdentitySignIn.Outcome)
  }

  private var project: Project { request.project }
  private var nonce: AcceptedNonce? {
    if case .verified(let nonce) = request.proof { nonce } else { nil }
  }
  private var now: Date { request.now }

  mutating func run() throws -> Ending {
    owner = try transaction.account(signingInWith: identity, in: project.id, now: now)
    try transaction.addArrivedName(to: &identity, in: project.id, now: now)
    try spend()
    let ending = try decide()
    if let account = ending.account {
      try transaction.keepProviderTokens(
        of: identity, code: request.authorizationCode, for: account.uid, in: project, now: now)
      if nonce == nil || identity.isNameSentOnce {
        try transaction.forgetArrivedName(of: identity, in: project.id)
      }
    }
    return ending
  }

  /// Records the server's nonce as used, if there is one. If the provider's token may be used only once,
  /// records the token and the pair of subject and nonce too. If it may be repeated, only checks that it
  /// wasn't recorded.
  ///
  /// An error later in the transaction undoes this: a rejected request spends nothing. But every
  /// outcome is committed, so a disabled account and a conflict spend the token and the nonce, although a
  /// client may get an error for them. The commit keeps the disabled account, and the count of a conflict that
  /// reveals another account. Firebase's clients get a pending token with a conflict, so they needn't
  /// present the provider's token again.
  private func spend() throws {
    switch identity.use {
    case .unlimited: break
    case .repeatable(let use):
      guard try !transaction.isSpent(use, in: project.id) else {
        throw AccountsError.duplicateCredential
      }
    case .once(let token, _):
      guard try transaction.spend(token, in: project.id) else {
        throw AccountsError.duplicateCredential
      }
    }
    if let spending = nonce?.spending, try !transaction.spend(spending, in: project.id) {
      throw AccountsError.nonce(.used)
    }
    if case .once(_, let nonceOfSubject) = identity.use,
      try !transaction.spend(nonceOfSubject, in: project.id)
    {
      throw AccountsError.duplicateCredential
    }
  }

  private func decide() throws -> Ending {
    do {
      if let facts = request.linking { return try link(to: facts) }
      return try signIn()
    } catch AccountsError.consentRequired(let parts) where request.takesPendingToken {
      // Thrown before anything is saved. The transaction commits only that the provider's token is
      // used up.
      return .noSession(.consentRequired(parts))
    }
  }

  private func signIn() throws -> Ending {
    let identityOwner = try findIdentityOwner()
    if identityOwner == nil && request.ifNew == .refuse { throw AccountsError.userNotFound }
    if identityOwner == nil { try checkDisclosure() }
    let decision = SignInDecision.decide(
      identity, identityOwner: identityOwner,
      emailOwner: identityOwner == nil ? try findEmailOwner() : nil)
    try refuseStalePendingToken(for: decision.entered)
    switch decision {
    case .returning(let account): return try signIn(returning: account)
    case .create: return try create(asking: request.ifNew == .ask)
    case .join(let account):
      // Whoever has only the mailbox must not add an identity to an account that asks for more.
      let asks = project.policies.secondFactors.demandsFactor(of: account, now: now)
      return asks ? try confirm(account, isRecycled: false) : try join(account)
    case .takeOver(let account): return try takeOver(account)
    case .confirm(let account): return try confirm(account, isRecycled: false)
    case .recycled(let account): return try confirm(account, isRecycled: true)
    }
  }

  private func link(to facts: IDTokenFacts) throws -> Ending {
    let user = try transaction.currentUser(facts, in: project.id)
    var account = user.account
    let isConfirmed = try transaction.confirmsLinks(of: user, in: project, now: now)
    let identityOwner = try findIdentityOwner()
    try refuseStalePendingToken(for: identityOwner)
    if identity.email?.address != account.email { try checkDisclosure() }
    let emailOwner = try findEmailOwner()
    switch LinkDecision.decide(
      identity, to: account, identityOwner: identityOwner, emailOwner: emailOwner)
    {
    case .conflict(let error):
      try countDisclosure()
      return .noSession(.conflict(error))
    case .link: break
    }
    // The identity is new to the account, so its verification doesn't show that the caller is the
    // account's user. An attacker with a stolen ID token could link their own identity. Neither this
    // link, nor a later sign-in with the identity, nor a password reset at the identity's address may
    // give the attacker a recent sign-in.
    let authenticatedAt = user.isGuest ? request.verifiedAt : user.session.authenticatedAt
    if isConfirmed {
      account.add(identity, now: now)
    } else {
      account.addUnconfirmed(identity, since: user.session.authenticatedAt, now: now)
    }
    account.fillEmptyProfile(from: identity.profile)
    account.verifyEmail(by: identity, now: now)
    // No other account has the address: that would have been a conflict.
    if account.email == nil && isConfirmed { takeEmail(for: &account) }
    try keepConsent(from: user.account, to: account)
    try tellOfProvider(user.account)
    return try begin(
      account, replacing: user.account, authenticatedAt: authenticatedAt, session: user.session)
  }

  private func signIn(returning owner: Account) throws -> Ending {
    var account = owner
    if account.isDisabled { throw AccountsError.userDisabled }
    try account.refuseProof(issuedAt: identity.issuedAt)
    let authenticatedAt = owner.authenticationTime(of: identity, verifiedAt: request.verifiedAt)
    let isConfirmed = owner.identity(of: identity.provider)?.unconfirmedSince == nil
    let learns = account.learn(from: identity, now: now)
    let admission = try gate.admit(&account, isNew: false, now: now)
    let confirmsOthers =
      !admission.needsSecondFactor && isConfirmed && account.confirmCredentials()
    return try begin(
      account, replacing: owner, isChanged: learns || confirmsOthers, admission: admission,
      authenticatedAt: authenticatedAt)
  }

  private func create(asking: Bool) throws -> Ending {
    // Checked before asking too: a user isn't asked about an account that would be refused afterwards.
    if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
    if asking { return .noSession(.isNew) }
    try countRecreation()
    var account = Account(uid: gate.newUID, createdAt: now)
    account.add(identity, now: now)
    account.fillEmptyProfile(from: identity.profile)
    takeEmail(for: &account)
    return try begin(account, replacing: nil)
  }

  /// Links the identity to the account with its address, which is verified on both sides. The provider's
  /// name and photo replace the stored ones. A value that the provider doesn't send (Apple has no photo)
  /// erases nothing.
  private func join(_ owner: Account) throws -> Ending {
    if owner.isDisabled { throw AccountsError.userDisabled }
    try owner.refuseProof(issuedAt: identity.issuedAt)
    var account = owner
    account.add(identity, now: now)
    account.displayName = identity.profile.displayName ?? account.displayName
    account.photoURL = identity.profile.photoURL ?? account.photoURL
    try keepConsent(from: owner, to: account)
    try tellOfProvider(owner)
    return try begin(account, replacing: owner)
  }

  /// Queues the email about a linked provider.
  ///
  /// - Parameter account: The account before the change. If the account got its address from the new
  ///   provider, a notice to this address would reach only the user who linked the provider.
  private func tellOfProvider(_ account: Account) throws {
    try notices.add(
      .providerLinked, to: account, provider: identity.provider, language: request.language,
      in: project, transaction, now: now)
  }

  private func takeOver(_ owner: Account) throws -> Ending {
    if owner.isDisabled { throw AccountsError.userDisabled }
    let decision = try TakeOverDecision.decide(
      owner, isRecoverable: try transaction.isRecoverable(owner, in: project.id, now: now))
    // The other account stays as it is until the user agrees to a new account.
    if decision != .clear && request.ifNew == .ask { return try create(asking: true) }
    switch decision {
    case .erase:
      try transaction.erase(owner, in: project, now: now)
      return try create(asking: false)
    case .release:
      try transaction.releaseEmail(of: owner, in: project.id, now: now)
      return try create(asking: false)
    case .clear:
      var account = owner
      // No consent is needed: the identity has the account's address, and everything else is removed.
      try transaction.takeOver(&account, in: project.id, now: now)
      account.add(identity, now: now)
      account.fillEmptyProfile(from: identity.profile)
      return try begin(account, replacing: owner)
    }
  }

  /// - Parameter former: The session in which the user links the identity.
  private func begin(
    _ account: Account, replacing before: Account?, authenticatedAt: Date? = nil,
    session former: Session? = nil
  ) throws -> Ending {
    var account = account
    let admission = try gate.admit(
      &account, isNew: before == nil, secondFactor: former?.secondFactor, now: now)
    return try begin(
      account, replacing: before, isChanged: true, admission: admission,
      authenticatedAt: authenticatedAt ?? request.verifiedAt, session: former)
  }

  private func begin(
    _ account: Account, replacing before: Account?, isChanged: Bool,
    admission: BlockingGate.Admission, authenticatedAt: Date, session former: Session? = nil
  ) throws -> Ending {
    .ended(
      try transaction.signIn(
        to: account,
        SignInRequest(
          provider: identity.provider, admission: admission, method: gate.context.method,
          before: before, isChanged: isChanged, signInAttributes: identity.signInAttributes,
          authenticatedAt: authenticatedAt, isReplayable: identity.use.isRepeatable,
          former: former, language: request.language),
        in: project, now: now))
  }

  private func keepConsent(from before: Account, to after: Account) throws {
    try transaction.keepConsent(request.consent, from: before, to: after, in: project, now: now)
  }

  /// Finds the account that has the identity. If the user has a new subject because the app moved to
  /// another team, gives the stored identity the new subject first.
  ///
  /// - Throws: ``AccountsError/issuerChanged`` if the identity was linked under another issuer than the
  ///   provider has now.
  private func findIdentityOwner() throws -> Account? {
    let owner = try owner ?? completeTransfer()
    try owner?.identity(of: identity.provider)?.refuseOtherIssuer(than: identity)
    return owner
  }

  /// Gives the stored identity the new subject of its user, if the app moved to another team and the
  /// transfer is prepared.
  ///
  /// - Returns: The identity's account. Nil if there was nothing to transfer.
  private func completeTransfer() throws -> Account? {
    guard let transferSubject = identity.transferSubject,
      let transfer = try transaction.subjectTransfer(
        of: identity.provider, transferSubject: transferSubject, in: project.id),
      transfer.completedAt == nil,
      try transaction.complete(
        transfer, to: identity.subject, email: identity.email, in: project.id, now: now)
        == .moved
    else { return nil }
    return try transaction.account(
      provider: identity.provider, subject: identity.subject, in: project.id)
  }

  private func confirm(_ owner: Account, isRecycled: Bool) throws -> Ending {
    try countDisclosure()
    let isTold = !project.policies.protectsEmails
    return .noSession(
      .needsConfirmation(isTold ? owner : nil, isRecycled: isTold && isRecycled))
  }

  /// Counts a response that reveals that another user's account exists, if the project protects
  /// addresses. With a provider that lets anyone assert any address, an attacker could otherwise
  /// list addresses.
  private func countDisclosure() throws {
    guard project.policies.protectsEmails else { return }
    try disclosures.count(transaction, in: project.id, now: now)
  }

  /// Refuses the request if ``countDisclosure()`` would refuse it in the case that another account has the
  /// identity's address. Call it before the account is looked for: otherwise a refusal would reveal that
  /// there is one.
  private func checkDisclosure() throws {
    guard project.policies.protectsEmails, !project.policies.allowsDuplicateEmails,
      let email = identity.email, !email.isVerifiedAndTrusted
    else { return }
    try disclosures.check(transaction, in: project.id, now: now)
  }

  private var disclosures: RateLimiter {
    .disclosure(from: request.client, under: project.policies.rateLimits)
  }

  /// Counts a new account for an identity that recently left another account. Otherwise an attacker
  /// with a token that can be replayed could create and delete accounts without end, and each account
  /// leaves tombstones.
  private func countRecreation() throws {
    let detachedAt = try transaction.detachment(
      of: identity.provider, subject: identity.subject, in: project.id)
    guard detachedAt != nil else { return }
    try RateLimiter.recreation(of: identity, under: project.policies.rateLimits)
      .count(transaction, in: project.id, now: now)
  }

  /// Finds the account with the identity's address, if addresses are unique.
  private func findEmailOwner() throws -> Account? {
    guard let email = identity.email, !project.policies.allowsDuplicateEmails else { return nil }
    return try transaction.account(email: email.address, in: project.id)
  }

  /// Sets the identity's address as the account's own, if addresses are unique.
  private func takeEmail(for account: inout Account) {
    guard let email = identity.email, !project.policies.allowsDuplicateEmails else { return }
    account.replaceEmail(by: email.address)
    if email.isVerifiedAndTrusted { account.verifyEmail(now: now) }
  }

  /// Rejects a pending token if the account's tokens were revoked after the verification, if the
  /// identity left its account since, if the provider is disabled, or if its addresses are no longer
  /// trusted. A provider's token was verified just now and needs no such check.
  private func refuseStalePendingToken(for account: Account?) throws {
    guard case .pendingToken(let verifiedAt) = request.proof else { return }
    // An administrator may have changed the provider since the identity was verified.
    guard let provider = try transaction.provider(identity.provider, in: project.id),
      provider.isEnabled
    else { throw AccountsError.providerDisabled }
    if identity.email?.isTrusted == true, provider.trustEmail == .never {
      throw AccountsError.invalidPendingToken
    }
    if let account, verifiedAt < account.validSince {
      throw AccountsError.invalidPendingToken
    }
    let detachedAt = try transaction.detachment(
      of: identity.provider, subject: identity.subject, in: project.id)
    if let detachedAt, verifiedAt <= detachedAt { throw AccountsError.invalidPendingToken }
  }
}

extension IdentitySignInTransaction.Ending {
  /// The account that has the identity now; nil if no account was changed.
  fileprivate var account: Account? {
    switch self {
    case .ended(.session(let account, _, _)), .ended(.secondFactorNeeded(let account, _)):
      account
    case .ended(.disabled), .noSession: nil
    }
  }
}

extension Transaction {
  /// The account that has the identity, read for a sign-in with it.
  ///
  /// A database behind a network answers in the same round trip what the sign-in asks next: whether its
  /// token was used, the stored name, and how many sessions the account has. If no account has the
  /// identity, the next round trip has what a first sign-in asks. None of this changes a result.
  fileprivate func account(
    signingInWith identity: ExternalIdentity, in project: ProjectID, now: Date
  ) throws -> Account? {
    let (provider, subject) = (identity.provider, identity.subject)
    guard connection.isRemote, let key = try key(of: project).map({ SQLValue.integer($0) }) else {
      return try account(provider: provider, subject: subject, in: project)
    }
    let device = SessionDevice(EventOrigin.current.source).digest
    let values = [key, .text(provider.text), .text(subject.text)]
    var queries = [SQLQuery(SessionSQL.countLiveOfIdentity, values + [.blob(device)])]
    if case .repeatable(let token) = identity.use {
      queries.append(SQLQuery(OneTimeSQL.isSpent, [key, .blob(token.digest)]))
    }
    if identity.lacksNameSentOnce {
      queries.append(SQLQuery(OneTimeSQL.arrivedName, values + [.time(now)]))
    }
    connection.expect(queries)
    guard let owner = try account(provider: provider, subject: subject, in: project) else {
      let address = identity.email.map { SQLValue.text($0.address.text) }
      connection.expect(
        (address.map { Self.queries(.email, [key, $0]) } ?? [])
          + [SQLQuery(OneTimeSQL.detachment, values)])
      return nil
    }
    try learnLiveSessions(of: owner.uid, with: provider, subject, onDevice: device, in: project)
    return owner
  }
}

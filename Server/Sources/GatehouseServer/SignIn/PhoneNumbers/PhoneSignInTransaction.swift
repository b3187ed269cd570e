import Foundation
import GatehouseProtocol
import GatehouseTokens

/// The transaction behind signing in, linking or re-authenticating with a number.
struct PhoneSignInTransaction {
  let transaction: Transaction
  let project: Project
  let number: PhoneNumber
  /// When the code was presented.
  let verifiedAt: Date
  /// Whether the number comes from a temporary proof: it was verified earlier and may be stale.
  let isRepeated: Bool
  let options: PhoneSignInOptions
  let gate: BlockingGate
  let now: Date

  enum Outcome: Sendable {
    case ended(SignInEnding)
    case numberInUse
  }

  /// - Parameter user: The account and session of the request's ID token; nil without one.
  func run(user: CurrentUser?) throws -> Outcome {
    let owner = try transaction.account(phoneNumber: number.text, in: project.id)
    try refuseStaleProof(for: owner)
    if options.operation == .reauthenticate {
      guard let owner, user.map({ $0.account.uid == owner.uid }) ?? true else {
        throw AccountsError.userNotFound
      }
      return try signIn(to: owner)
    }
    guard let user else {
      return try owner.map { try signIn(to: $0) } ?? create()
    }
    guard let owner else { return try link(to: user) }
    if owner.uid == user.account.uid { return try signIn(to: owner) }
    if isRepeated { throw AccountsError.phoneNumberExists }
    return .numberInUse
  }

  private func signIn(to owner: Account) throws -> Outcome {
    var account = owner
    if account.isDisabled { throw AccountsError.userDisabled }
    try account.refusePhoneAsFirstFactor(under: project.policies)
    let authenticatedAt = account.authenticationTimeByPhone(verifiedAt: verifiedAt)
    let admission = try gate.admit(&account, isNew: false, now: now)
    let confirmsOthers =
      !admission.needsSecondFactor && account.phoneUnconfirmedSince == nil
      && account.confirmCredentials()
    return try begin(
      account, replacing: owner, isChanged: confirmsOthers, admission: admission,
      authenticatedAt: authenticatedAt)
  }

  private func create() throws -> Outcome {
    if project.policies.refusesSignUp { throw AccountsError.adminOnlyOperation }
    var account = Account(uid: gate.newUID, createdAt: now)
    account.setPhoneNumber(number, unconfirmedSince: nil, now: now)
    return try begin(account, replacing: nil, authenticatedAt: verifiedAt)
  }

  /// Links the number to the user's account. No account has it yet.
  private func link(to user: CurrentUser) throws -> Outcome {
    var account = user.account
    try account.refusePhoneAsFirstFactor(under: project.policies)
    if account.phoneNumber != nil && options.operation == .link {
      throw AccountsError.providerAlreadyLinked
    }
    // A number that is new to the account doesn't show that the caller is the account's user.
    let isConfirmed = try transaction.confirmsLinks(of: user, in: project, now: now)
    if account.phoneNumber != nil {
      // An attacker with a stolen ID token must not replace the user's number by the attacker's own.
      if !isConfirmed { throw AccountsError.credentialTooOld }
      try transaction.detachPhoneNumber(of: account, in: project.id, now: now)
      try transaction.endSessions(
        begunBy: .phone, of: account, except: user.session.id, in: project.id, now: now)
    }
    let authenticatedAt = user.isGuest ? verifiedAt : user.session.authenticatedAt
    account.setPhoneNumber(
      number, unconfirmedSince: isConfirmed ? nil : user.session.authenticatedAt, now: now)
    try transaction.keepConsent(
      options.consent, from: user.account, to: account, in: project, now: now)
    return try begin(
      account, replacing: user.account, authenticatedAt: authenticatedAt, session: user.session)
  }

  /// - Parameter former: The session in which the user links the number.
  private func begin(
    _ account: Account, replacing before: Account?, authenticatedAt: Date,
    session former: Session? = nil
  ) throws -> Outcome {
    var account = account
    let admission = try gate.admit(
      &account, isNew: before == nil, secondFactor: former?.secondFactor, now: now)
    return try begin(
      account, replacing: before, isChanged: true, admission: admission,
      authenticatedAt: authenticatedAt, session: former)
  }

  private func begin(
    _ account: Account, replacing before: Account?, isChanged: Bool,
    admission: BlockingGate.Admission, authenticatedAt: Date, session former: Session? = nil
  ) throws -> Outcome {
    .ended(
      try transaction.signIn(
        to: account,
        SignInRequest(
          provider: .phone, admission: admission, method: gate.context.method, before: before,
          isChanged: isChanged, authenticatedAt: authenticatedAt, isReplayable: isRepeated,
          former: former, language: options.language),
        in: project, now: now))
  }

  /// Rejects a temporary proof if the account's tokens were revoked after the verification, or if the
  /// number left its account since.
  private func refuseStaleProof(for owner: Account?) throws {
    guard isRepeated else { return }
    if let owner, verifiedAt < owner.validSince { throw AccountsError.invalidTemporaryProof }
    let detachedAt = try Subject(number.text).flatMap {
      try transaction.detachment(of: .phone, subject: $0, in: project.id)
    }
    if let detachedAt, verifiedAt <= detachedAt { throw AccountsError.invalidTemporaryProof }
  }
}

import Foundation
import GatehouseClient
import GatehouseProtocol

/// Second factors: authenticator apps, phones and recovery codes.
extension ServerState {
  /// A first factor that waits for a second one.
  struct PendingSignIn {
    var uid: String
    var provider: Provider
    var authenticatedAt: Date
    var verifiedAt: Date

    static let lifetimeSeconds: TimeInterval = 600
  }

  /// A secret or a code for a factor that isn't enrolled yet, or the code of a sign-in.
  struct FactorSession {
    var uid: String
    /// The factor of a sign-in. Nil for an enrollment.
    var factorID: String?
    var kind: Kind
    var issuedAt: Date

    enum Kind {
      case totp(secret: [UInt8])
      case phone(number: String, code: String)
    }

    static let lifetimeSeconds: TimeInterval = 600
  }

  /// What ended a sign-in, for the claims of its tokens.
  struct UsedFactor {
    /// `phone`, `totp`, `recovery_code`
    var name: String
    var factorID: String?
  }

  static let factorsMax = 5
  static let recoveryCodeCount = 10

  // MARK: Signing in

  /// Saves the account, and begins a session of it unless it needs a second factor.
  mutating func signIn(
    _ user: TestUser, by provider: Provider, authenticatedAt: Date? = nil
  ) -> (tokens: SessionTokens?, pending: PendingSecondFactor?) {
    let isRequired = requiresSecondFactor && user.factors.isEmpty
    guard isRequired || !user.factors.isEmpty else {
      return (begin(user, by: provider, authenticatedAt: authenticatedAt), nil)
    }
    save(user)
    let credential = "mfa-pending-\(next())"
    pendingSignIns[credential] = PendingSignIn(
      uid: user.uid, provider: provider, authenticatedAt: authenticatedAt ?? now, verifiedAt: now)
    var pending = PendingSecondFactor(
      credential: credential, factors: user.factors.map { $0.enrollment() })
    pending.recoveryCodesLeft = user.recoveryCodes?.count
    pending.isPasskeyAvailable = provider != .passkey && !user.passkeys.isEmpty
    pending.isEnrollmentRequired = isRequired && !pending.isPasskeyAvailable
    return (nil, pending)
  }

  func pendingSignIn(
    _ credential: String?
  ) throws(Refusal) -> (signIn: PendingSignIn, account: TestUser) {
    guard let credential else { throw Refusal(.missingMFAPendingCredential) }
    guard let signIn = pendingSignIns[credential],
      now.timeIntervalSince(signIn.verifiedAt) < PendingSignIn.lifetimeSeconds,
      let account = user(signIn.uid)
    else { throw Refusal(.invalidMFAPendingCredential) }
    if account.isDisabled { throw Refusal(.userDisabled) }
    return (signIn, account)
  }

  mutating func startSignIn(
    _ request: StartMFASignInRequest
  ) throws(Refusal) -> StartMFASignInResponse {
    let (_, account) = try pendingSignIn(request.pendingCredential)
    guard let id = request.enrollmentID else { throw Refusal(.missingMFAEnrollmentID) }
    guard case .phone(let number)? = account.factors.first(where: { $0.id == id })?.kind
    else { throw Refusal(.mfaEnrollmentNotFound) }
    return StartMFASignInResponse(
      sessionInfo: sendCode(to: number, uid: account.uid, factorID: id))
  }

  mutating func finalizeSignIn(
    _ request: FinalizeMFASignInRequest
  ) throws(Refusal) -> FinalizeMFASignInResponse {
    var (signIn, account) = try pendingSignIn(request.pendingCredential)
    let used: UsedFactor
    var info: MFAAuthInfo?
    switch request.verification {
    case .totp(let code):
      guard let id = request.enrollmentID else { throw Refusal(.missingMFAEnrollmentID) }
      guard let index = account.factors.firstIndex(where: { $0.id == id }),
        let secret = account.factors[index].secret
      else { throw Refusal(.mfaEnrollmentNotFound) }
      account.factors[index].lastStep = try step(
        of: code, secret, after: account.factors[index].lastStep)
      (used, info) = (UsedFactor(name: "totp", factorID: id), .totp)
    case .phone(let verification):
      let (session, number) = try check(verification, of: account.uid)
      guard let id = session.factorID, account.factors.contains(where: { $0.id == id })
      else { throw Refusal(.invalidSessionInfo) }
      (used, info) = (UsedFactor(name: "phone", factorID: id), .phone(number: number))
    case .recoveryCode(let code):
      guard let code, !code.isEmpty else { throw Refusal(.missingCode) }
      guard let index = account.recoveryCodes?.firstIndex(of: Self.canonical(code)) else {
        throw Refusal(.invalidRecoveryCode)
      }
      account.recoveryCodes?.remove(at: index)
      used = UsedFactor(name: "recovery_code")
    case .passkey(let body): (account, used) = try usePasskey(body, of: account.uid)
    case nil: throw Refusal(.invalidArgument)
    }
    pendingSignIns[request.pendingCredential ?? ""] = nil
    var response = FinalizeMFASignInResponse(
      tokens: begin(
        account, by: signIn.provider, authenticatedAt: signIn.authenticatedAt, with: used),
      factor: info)
    if used.name == "recovery_code" { response.recoveryCodesLeft = account.recoveryCodes?.count }
    return response
  }

  // MARK: Enrollment

  /// Who adds a factor: a signed-in user, or one whose sign-in requires it.
  func holder(
    _ idToken: String?, _ pendingCredential: String?
  ) throws(Refusal) -> (account: TestUser, provider: Provider, authenticatedAt: Date) {
    if idToken == nil, let pendingCredential {
      let (signIn, account) = try pendingSignIn(pendingCredential)
      let isPasskeyAvailable = signIn.provider != .passkey && !account.passkeys.isEmpty
      guard account.factors.isEmpty, !isPasskeyAvailable else {
        throw Refusal(.invalidMFAPendingCredential)
      }
      return (account, signIn.provider, signIn.authenticatedAt)
    }
    let user = try currentUser(idToken)
    try requireRecentSignIn(user.session)
    return (user.account, user.session.provider, user.session.authenticatedAt)
  }

  mutating func startEnrollment(
    _ request: StartMFAEnrollmentRequest
  ) throws(Refusal) -> StartMFAEnrollmentResponse {
    let holder = try holder(request.idToken, request.pendingCredential)
    guard let factor = request.factor else { throw Refusal(.invalidArgument) }
    if [Provider.anonymous, .phone, .custom].contains(holder.provider) {
      throw Refusal(.unsupportedFirstFactor)
    }
    guard holder.account.isEmailVerified else { throw Refusal(.unverifiedEmail) }
    guard holder.account.factors.count < Self.factorsMax else {
      throw Refusal(.secondFactorLimitExceeded)
    }
    switch factor {
    case .phone(let text):
      let digits = text?.dropFirst().filter { !" -()".contains($0) } ?? ""
      guard text?.first == "+", (7...15).contains(digits.utf8.count),
        digits.utf8.allSatisfy({ (0x30...0x39).contains($0) })
      else { throw Refusal(.invalidMFAPhoneNumber, "Invalid format.") }
      try permitNew("+\(digits)", of: holder.account)
      return .phone(sessionInfo: sendCode(to: "+\(digits)", uid: holder.account.uid, factorID: nil))
    case .totp:
      let secret = Array("secret of factor \(1000 + next())".utf8.prefix(20))
      let session = "factor-session-\(next())"
      factorSessions[session] = FactorSession(
        uid: holder.account.uid, kind: .totp(secret: secret), issuedAt: now)
      return .totp(
        TOTPSessionInfo(
          sharedSecretKey: TOTP.base32(secret), sessionInfo: session,
          finalizeEnrollmentTime: now.addingTimeInterval(FactorSession.lifetimeSeconds).wireText))
    }
  }

  mutating func finalizeEnrollment(
    _ request: FinalizeMFAEnrollmentRequest
  ) throws(Refusal) -> FinalizeMFAEnrollmentResponse {
    let holder = try holder(request.idToken, request.pendingCredential)
    var account = holder.account
    let kind: TestUser.Factor.Kind
    let info: MFAAuthInfo
    var lastStep: Int64 = 0
    switch request.verification {
    case .totp(let sessionInfo, let code):
      let session = try factorSession(sessionInfo, of: account.uid)
      guard case .totp(let secret) = session.kind else { throw Refusal(.invalidSessionInfo) }
      lastStep = try step(of: code, secret, after: 0)
      factorSessions[sessionInfo ?? ""] = nil
      (kind, info) = (.totp(secret: secret), .totp)
    case .phone(let verification):
      let (session, number) = try check(verification, of: account.uid)
      guard session.factorID == nil else { throw Refusal(.invalidSessionInfo) }
      try permitNew(number, of: account)
      (kind, info) = (.phone(number: number), .phone(number: number))
    case nil: throw Refusal(.invalidArgument)
    }
    var factor = TestUser.Factor(
      id: "factor\(next())", kind: kind, displayName: request.displayName, enrolledAt: now)
    factor.lastStep = lastStep
    account.factors.append(factor)
    let hadCodes = account.recoveryCodes != nil
    if !hadCodes { account.recoveryCodes = newRecoveryCodes() }
    if let caller = try? currentUser(request.idToken) {
      endSessions(of: account.uid) { $0.number == caller.session.number }
    }
    pendingSignIns[request.pendingCredential ?? ""] = nil
    var response = FinalizeMFAEnrollmentResponse(
      tokens: begin(
        account, by: holder.provider, authenticatedAt: holder.authenticatedAt,
        with: UsedFactor(name: kind.name, factorID: factor.id)), factor: info)
    if !hadCodes { response.recoveryCodes = account.recoveryCodes ?? [] }
    return response
  }

  mutating func withdraw(_ request: WithdrawMFARequest) throws(Refusal) -> WithdrawMFAResponse {
    let user = try currentUser(request.idToken)
    try requireRecentSignIn(user.session)
    guard let id = request.enrollmentID else { throw Refusal(.missingMFAEnrollmentID) }
    var account = user.account
    guard let index = account.factors.firstIndex(where: { $0.id == id }) else {
      throw Refusal(.mfaEnrollmentNotFound)
    }
    account.factors.remove(at: index)
    if account.factors.isEmpty { account.recoveryCodes = nil }
    endSessions(of: account.uid) { $0.number == user.session.number }
    let used = user.session.secondFactor.flatMap { $0.factorID == id ? nil : $0 }
    return WithdrawMFAResponse(
      tokens: begin(
        account, by: user.session.provider, authenticatedAt: user.session.authenticatedAt,
        with: used))
  }

  mutating func createRecoveryCodes(
    _ request: CreateRecoveryCodesRequest
  ) throws(Refusal) -> CreateRecoveryCodesResponse {
    let user = try currentUser(request.idToken)
    try requireRecentSignIn(user.session)
    guard user.session.secondFactor != nil else { throw Refusal(.credentialTooOldLoginAgain) }
    var account = user.account
    let codes = newRecoveryCodes()
    account.recoveryCodes = codes
    save(account)
    return CreateRecoveryCodesResponse(codes)
  }

  private func permitNew(_ number: String, of account: TestUser) throws(Refusal) {
    let isKnown = account.factors.contains { factor in
      if case .phone(let known) = factor.kind { known == number } else { false }
    }
    if isKnown { throw Refusal(.secondFactorExists) }
  }

  // MARK: Codes

  private mutating func sendCode(to number: String, uid: String, factorID: String?) -> String {
    let code = String(100_000 + next() % 900_000)
    let session = "factor-session-\(next())"
    factorSessions[session] = FactorSession(
      uid: uid, factorID: factorID, kind: .phone(number: number, code: code), issuedAt: now)
    textMessages.append(AuthTestServer.TextMessage(to: number, code: code))
    return session
  }

  private func factorSession(
    _ info: String?, of uid: String
  ) throws(Refusal) -> FactorSession {
    guard let info else { throw Refusal(.missingSessionInfo) }
    guard let session = factorSessions[info], session.uid == uid else {
      throw Refusal(.invalidSessionInfo)
    }
    guard now.timeIntervalSince(session.issuedAt) < FactorSession.lifetimeSeconds else {
      throw Refusal(.sessionExpired)
    }
    return session
  }

  /// Uses up the code of a text message.
  private mutating func check(
    _ verification: PhoneVerificationInfo, of uid: String
  ) throws(Refusal) -> (session: FactorSession, number: String) {
    let session = try factorSession(verification.sessionInfo, of: uid)
    guard case .phone(let number, let code) = session.kind else {
      throw Refusal(.invalidSessionInfo)
    }
    guard let given = verification.code else { throw Refusal(.missingCode) }
    guard given.utf8.elementsEqual(code.utf8) else { throw Refusal(.invalidCode) }
    factorSessions[verification.sessionInfo ?? ""] = nil
    return (session, number)
  }

  /// The step of a code, one before or after the current one. A step can be used once.
  private func step(
    of code: String?, _ secret: [UInt8], after last: Int64
  ) throws(Refusal) -> Int64 {
    guard let code else { throw Refusal(.missingCode) }
    let current = TOTP.step(at: now)
    let step = (current - 1...current + 1).first {
      $0 > last && TOTP.code(secret, step: $0).utf8.elementsEqual(code.utf8)
    }
    guard let step else { throw Refusal(.invalidCode) }
    return step
  }

  /// Like `k7f2-m9qd-x4tw`, but the same ones in every run.
  private mutating func newRecoveryCodes() -> [String] {
    let number = next()
    return (0..<Self.recoveryCodeCount).map { "test-\(1000 + number)-\(1000 + $0)" }
  }

  /// Upper case and spaces don't matter.
  private static func canonical(_ code: String) -> String {
    code.filter { !$0.isWhitespace }.lowercased()
  }
}

extension TestUser {
  /// A second factor, with what the server knows of it.
  struct Factor: Sendable, Hashable {
    var id: String
    var kind: Kind
    var displayName: String?
    var enrolledAt: Date
    /// The latest step of which a code was used.
    var lastStep: Int64 = 0

    enum Kind: Sendable, Hashable {
      case totp(secret: [UInt8])
      case phone(number: String)

      var name: String {
        switch self {
        case .totp: "totp"
        case .phone: "phone"
        }
      }
    }

    var secret: [UInt8]? { if case .totp(let secret) = kind { secret } else { nil } }

    var shown: SecondFactor {
      let kind: SecondFactor.Kind =
        switch kind {
        case .totp: .totp
        case .phone(let number): .phone(number: Self.hidden(number))
        }
      return SecondFactor(
        id: id, kind: kind, displayName: displayName, enrolledAt: enrolledAt)
    }

    private static func hidden(_ number: String) -> String {
      "+" + String(repeating: "*", count: max(0, number.count - 5)) + number.suffix(4)
    }

    /// As users see it: with an obfuscated number.
    func enrollment() -> MFAEnrollment {
      var enrollment = MFAEnrollment(enrollmentID: id)
      enrollment.displayName = displayName
      enrollment.enrolledAt = enrolledAt.wireText
      switch kind {
      case .totp: enrollment.isTOTP = true
      case .phone(let number): enrollment.phoneInfo = Self.hidden(number)
      }
      return enrollment
    }
  }
}

extension Date {
  /// RFC 3339 with milliseconds.
  var wireText: String {
    // The nearest number to whole milliseconds can be a little less, and the style rounds down.
    addingTimeInterval(0.0001).formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}

import Foundation
import GatehouseClient
import GatehouseProtocol

/// Codes that are sent by email.
extension ServerState {
  struct ActionCode {
    var type: ActionCodeType
    var email: String
    var newEmail: String?
    /// The account at the time of the request.
    var uid: String?
    var code: String
    /// The first part of a typed code, whose second part is the digits.
    var session: String?
    var digits: String?
    var issuedAt: Date
    var link: String

    var lifetimeSeconds: TimeInterval {
      switch type {
      case .passwordReset: 3600
      case .emailSignIn: 6 * 3600
      case .emailVerification, .emailChange, .emailRecovery: 72 * 3600
      }
    }

    static let digitsSeconds: TimeInterval = 15 * 60
  }

  mutating func send(_ request: SendOobCodeRequest) throws(Refusal) -> SendOobCodeResponse {
    guard let type = request.type, type != .emailRecovery else { throw Refusal(.invalidReqType) }
    var account: TestUser?
    var email = ""
    var newEmail: String?
    var isSent = true
    switch type {
    case .passwordReset:
      email = try Self.address(request.email)
      account = user(email: email)
      isSent = account != nil
      if !isSent, !protectsEmails { throw Refusal(.emailNotFound) }
    case .emailSignIn:
      email = try Self.address(request.email)
      account = user(email: email)
    case .emailVerification, .emailChange, .emailRecovery:
      let user = try currentUser(request.idToken)
      if type == .emailChange {
        guard let text = request.newEmail, !text.isEmpty else { throw Refusal(.missingNewEmail) }
        guard let address = EmailAddress(text) else { throw Refusal(.invalidNewEmail) }
        newEmail = address.text
        try requireRecentSignIn(user.session)
        isSent = self.user(email: newEmail) == nil
        if !isSent, !protectsEmails { throw Refusal(.emailExists) }
      }
      account = user.account
      guard let own = user.account.email else { throw Refusal(.missingEmail) }
      email = own
    }
    // Another code voids the earlier one.
    codes.removeAll { code in
      code.type == type && (type == .emailSignIn ? code.email == email : code.uid == account?.uid)
    }
    var response = SendOobCodeResponse(email: request.email ?? email)
    let code = issue(type, to: email, newEmail, account, request)
    response.sessionInfo = code.session
    if isSent { codes.append(code) }
    return response
  }

  private mutating func issue(
    _ type: ActionCodeType, to email: String, _ newEmail: String?, _ account: TestUser?,
    _ request: SendOobCodeRequest
  ) -> ActionCode {
    let number = next()
    let mode =
      switch type {
      case .passwordReset: "resetPassword"
      case .emailVerification: "verifyEmail"
      case .emailSignIn: "signIn"
      case .emailChange: "verifyAndChangeEmail"
      case .emailRecovery: "recoverEmail"
      }
    let query = PercentEncoding.form([
      ("mode", mode), ("oobCode", "code-\(number)"), ("apiKey", AuthTestServer.apiKey),
      ("continueUrl", request.continueURL), ("lang", "en"),
    ])
    return ActionCode(
      type: type, email: email, newEmail: newEmail, uid: account?.uid, code: "code-\(number)",
      session: request.withVerificationCode ? "typed-\(number)" : nil,
      digits: request.withVerificationCode ? String(100_000 + number % 900_000) : nil,
      issuedAt: now, link: "\(url.absoluteString)/__/auth/action?\(query)")
  }

  private func liveCode(_ text: String?) throws(Refusal) -> ActionCode {
    guard let text, !text.isEmpty else { throw Refusal(.missingOOBCode) }
    if let code = codes.first(where: { $0.code == text }) {
      guard now.timeIntervalSince(code.issuedAt) < code.lifetimeSeconds else {
        throw Refusal(.expiredOOBCode)
      }
      return code
    }
    guard
      let code = codes.first(where: { code in
        code.session.map { "\($0).\(code.digits ?? "")" == text } ?? false
      })
    else { throw Refusal(.invalidOOBCode) }
    guard now.timeIntervalSince(code.issuedAt) < ActionCode.digitsSeconds else {
      throw Refusal(.expiredOOBCode)
    }
    return code
  }

  /// The account for which the code was sent.
  private func account(of code: ActionCode) throws(Refusal) -> TestUser {
    guard let account = code.uid.flatMap({ user($0) }), account.email == code.email else {
      throw Refusal(.invalidOOBCode)
    }
    if account.isDisabled { throw Refusal(.userDisabled) }
    return account
  }

  mutating func resetPassword(
    _ request: ResetPasswordRequest
  ) throws(Refusal) -> ResetPasswordResponse {
    let code = try liveCode(request.code)
    var response = ResetPasswordResponse(type: code.type)
    if code.type != .emailSignIn { response.email = code.email }
    response.newEmail = code.newEmail
    guard let password = request.newPassword else { return response }
    guard code.type == .passwordReset else { throw Refusal(.invalidOOBCode) }
    var account = try account(of: code)
    try Self.checkNew(password)
    revokeEverything(of: account.uid)
    if !account.isEmailVerified { account = takenOver(account, keepingProfile: true) }
    account.isEmailVerified = true
    account.password = password
    save(account)
    return response
  }

  /// Verifies or changes an address.
  mutating func apply(_ text: String) throws(Refusal) -> UpdateResponse {
    let code = try liveCode(text)
    guard code.type == .emailVerification || code.type == .emailChange else {
      throw Refusal(.invalidOOBCode)
    }
    var account = try account(of: code)
    if let newEmail = code.newEmail {
      if user(email: newEmail) != nil { throw Refusal(.emailExists) }
      revokeEverything(of: account.uid)
      account.setEmail(newEmail)
    }
    codes.removeAll { $0.uid == account.uid && $0.type == code.type }
    account.isEmailVerified = true
    save(account)
    var response = UpdateResponse(user: account.info, tokens: nil)
    response.newEmail = code.newEmail
    return response
  }

  mutating func signIn(
    _ request: SignInWithEmailLinkRequest
  ) throws(Refusal) -> SignInWithEmailLinkResponse {
    let email = try Self.address(request.email)
    let current: CurrentUser? =
      if let token = request.idToken { try currentUser(token) } else { nil }
    let code = try liveCode(request.code)
    guard code.type == .emailSignIn else { throw Refusal(.invalidOOBCode) }
    guard code.email == email else {
      throw Refusal(
        .invalidEmail, "The email provided does not match the sign-in email address.")
    }
    codes.removeAll { $0.type == .emailSignIn && $0.email == email }
    let owner = user(email: email)
    var account: TestUser
    var authenticatedAt = now
    if let current {
      if let owner, owner.uid != current.account.uid {
        throw Refusal(.emailExists, isCommitted: true)
      }
      account = current.account
      let isOwnProof = account.email == email && account.isEmailVerified
      if account.email != email, !current.isGuest { try requireRecentSignIn(current.session) }
      if !current.isGuest, !isOwnProof { authenticatedAt = current.session.authenticatedAt }
      if account.email != nil, account.email != email { revokeEverything(of: account.uid) }
    } else if let owner {
      if owner.isDisabled { throw Refusal(.userDisabled, isCommitted: true) }
      account = owner.isEmailVerified ? owner : takenOver(owner)
    } else {
      account = newUser()
    }
    account.email = email
    account.isEmailVerified = true
    account.hasEmailLink = true
    var response = SignInWithEmailLinkResponse(
      localID: account.uid, email: email, isNewUser: user(account.uid) == nil)
    if let current {
      response.tokens = begin(
        account, by: .password, authenticatedAt: authenticatedAt,
        with: current.session.secondFactor)
    } else {
      (response.tokens, response.secondFactor) = signIn(account, by: .password)
    }
    return response
  }

  /// The account of a user who has just verified the address of `owner`, whose own user never did: without
  /// what that user may have left. If the app's back end signs that user in, it is a new account.
  mutating func takenOver(_ owner: TestUser, keepingProfile: Bool = false) -> TestUser {
    var owner = owner
    if owner.isCustom {
      let email = owner.email
      owner.setEmail(nil)
      save(owner)
      var account = newUser()
      account.email = email
      account.isEmailVerified = true
      return account
    }
    revokeEverything(of: owner.uid)
    owner.password = nil
    owner.hasEmailLink = false
    owner.identities = []
    owner.factors = []
    owner.recoveryCodes = nil
    owner.isEmailVerified = true
    if !keepingProfile {
      owner.displayName = nil
      owner.photoURL = nil
    }
    return owner
  }
}

import Foundation
import GatehouseClient
import GatehouseProtocol

/// Accounts with a password, anonymous ones, and those of the app's own back end.
extension ServerState {
  mutating func signUp(_ request: SignUpRequest) throws(Refusal) -> SignUpResponse {
    let isEmpty = { (text: String?) in text?.isEmpty ?? true }
    if request.idToken == nil, isEmpty(request.email), isEmpty(request.password) {
      if request.email != nil { throw Refusal(.invalidEmail) }
      if request.password != nil { throw Refusal(.missingEmail) }
      let tokens = begin(newUser(), by: .anonymous)
      return response(tokens)
    }
    guard !isEmpty(request.email) else { throw Refusal(.missingEmail) }
    guard let password = request.password, !password.isEmpty else {
      throw Refusal(.missingPassword)
    }
    let email = try Self.address(request.email)
    let current: CurrentUser? =
      if let token = request.idToken { try currentUser(token) } else { nil }
    if let current {
      if !current.isGuest { try requireRecentSignIn(current.session) }
      if current.account.email != nil { try permitNewEmail(email, of: current.account) }
    }
    let owner = user(email: email)
    if let owner, owner.uid != current?.account.uid { throw Refusal(.emailExists) }
    try Self.checkNew(password)
    var account = current?.account ?? newUser()
    account.setEmail(email)
    account.displayName = request.displayName ?? account.displayName
    account.password = password
    if current != nil { revokeEverything(of: account.uid) }
    let isNewProof = current?.isGuest ?? true
    let tokens = begin(
      account, by: .password,
      authenticatedAt: isNewProof ? now : current?.session.authenticatedAt,
      with: current?.session.secondFactor)
    return response(tokens)
  }

  private func response(_ tokens: SessionTokens) -> SignUpResponse {
    let account = idTokens[tokens.idToken].flatMap { user($0.uid) }
    var response = SignUpResponse(localID: account?.uid ?? "")
    response.email = account?.email
    response.displayName = account?.displayName
    response.tokens = tokens
    return response
  }

  mutating func signIn(
    _ request: SignInWithPasswordRequest
  ) throws(Refusal) -> SignInWithPasswordResponse {
    let email = try Self.address(request.email)
    guard let password = request.password else { throw Refusal(.missingPassword) }
    guard let account = user(email: email), let own = account.password,
      own.utf8.elementsEqual(password.utf8)
    else {
      if protectsEmails { throw Refusal(.invalidLoginCredentials) }
      throw Refusal(user(email: email) == nil ? .emailNotFound : .invalidPassword)
    }
    if account.isDisabled { throw Refusal(.userDisabled) }
    let (tokens, pending) = signIn(account, by: .password)
    var response = SignInWithPasswordResponse(localID: account.uid, email: email, tokens: tokens)
    response.secondFactor = pending
    response.displayName = account.displayName
    response.photoURL = account.photoURL?.absoluteString
    return response
  }

  /// Believes any token, as `gatehouse serve --dev` does.
  mutating func signIn(
    _ request: SignInWithCustomTokenRequest
  ) throws(Refusal) -> SignInWithCustomTokenResponse {
    guard let text = request.token else { throw Refusal(.missingCustomToken) }
    guard let token = try? IDToken(parsing: text), token.expiresAt > now else {
      throw Refusal(.invalidCustomToken)
    }
    guard let uid = token.claims["uid"]?.string, !uid.isEmpty else {
      throw Refusal(.missingIdentifier)
    }
    let known = user(uid)
    if known?.isDisabled == true { throw Refusal(.userDisabled) }
    var account = known ?? TestUser(uid: uid, createdAt: now)
    account.isCustom = true
    return SignInWithCustomTokenResponse(
      isNewUser: known == nil,
      tokens: begin(
        account, by: .custom, developerClaims: token.claims["claims"]?.object ?? [:]))
  }

  static func checkNew(_ password: String) throws(Refusal) {
    guard password.unicodeScalars.count >= 6 else {
      throw Refusal(.weakPassword, "Password should be at least 6 characters")
    }
  }

  /// With email enumeration protection, a new address has to be verified first.
  func permitNewEmail(_ new: String?, of account: TestUser) throws(Refusal) {
    guard account.email != new, protectsEmails else { return }
    throw Refusal(.operationNotAllowed, "Please verify the new email before changing email.")
  }

  func signInMethods(_ request: CreateAuthURIRequest) throws(Refusal) -> CreateAuthURIResponse {
    if request.providerID != nil { throw .notOffered("a sign-in in a browser") }
    let email = try Self.address(request.identifier)
    guard !protectsEmails else { return CreateAuthURIResponse(sessionID: "session") }
    let account = user(email: email)
    let identities = account?.identities.map(\.provider.rawValue) ?? []
    let hasPassword = account?.password != nil
    let hasLink = account?.hasEmailLink ?? false
    return CreateAuthURIResponse(
      sessionID: "session",
      registration: CreateAuthURIResponse.Registration(
        isRegistered: account != nil,
        providers: (hasPassword || hasLink ? ["password"] : []) + identities,
        signInMethods: (hasPassword ? ["password"] : []) + (hasLink ? ["emailLink"] : [])
          + identities))
  }
}

import Foundation
import GatehouseClient
import GatehouseProtocol

/// Passkeys of a ``TestAuthenticator``.
extension ServerState {
  struct PasskeyChallenge {
    var purpose: Purpose
    var userHandle = Data()
    var issuedAt: Date

    enum Purpose: Equatable {
      case enrollment(uid: String)
      case signUp(email: String?, displayName: String?)
      case signIn
      case reauthentication(uid: String)
      case secondFactor(uid: String)
    }

    static let lifetimeSeconds: TimeInterval = 300
  }

  static let relyingPartyID = "auth.test"
  static let passkeysMax = 10

  // MARK: Registration

  mutating func startPasskey(
    _ request: StartPasskeyEnrollmentRequest
  ) throws(Refusal) -> StartPasskeyEnrollmentResponse {
    let purpose: PasskeyChallenge.Purpose
    var handle = Data("handle-\(next())".utf8)
    var name = request.email ?? request.displayName ?? ""
    var passkeys: [Passkey] = []
    if let pending = request.pendingCredential {
      let (account, provider, _) = try holder(nil, pending)
      try permitNewPasskey(after: provider)
      passkeys = account.passkeys
      try permitNewPasskey(of: account)
      handle = passkeys.first?.userHandle ?? handle
      name = account.email ?? account.displayName ?? ""
      purpose = .enrollment(uid: account.uid)
    } else if let token = request.idToken {
      let user = try currentUser(token)
      try requireRecentIfPasskeyIsFactor(user)
      passkeys = user.account.passkeys
      try permitNewPasskey(of: user.account)
      handle = passkeys.first?.userHandle ?? handle
      name = user.account.email ?? user.account.displayName ?? ""
      purpose = .enrollment(uid: user.account.uid)
    } else {
      guard request.email != nil || request.displayName != nil else {
        throw Refusal(.missingIDToken)
      }
      let (email, displayName) = try Self.newPerson(request.email, request.displayName)
      purpose = .signUp(email: email, displayName: displayName)
    }
    var response = StartPasskeyEnrollmentResponse(
      relyingPartyID: Self.relyingPartyID, relyingPartyName: "Test", userID: Array(handle),
      userName: name.isEmpty ? "Test" : name, userDisplayName: name,
      challenge: issueChallenge(purpose, handle))
    response.excluded = passkeys.compactMap(\.descriptor)
    return response
  }

  mutating func finalizePasskey(
    _ request: FinalizePasskeyEnrollmentRequest
  ) throws(Refusal) -> FinalizePasskeyEnrollmentResponse {
    let isSignUp = request.idToken == nil && request.pendingCredential == nil
    guard let credential = request.credential else {
      throw Refusal(isSignUp ? .missingIDToken : .missingAuthenticatorResponse)
    }
    guard let id = Data(base64Encoded: credential.id), !id.isEmpty else {
      throw Refusal(.invalidCredentialID)
    }
    let (spent, _) = try spend(credential.clientDataJSON, .create)
    guard
      let (data, key) = Data(base64Encoded: credential.attestationObject)
        .flatMap({ WebAuthnBytes.attested($0) }),
      let isVerified = WebAuthnBytes.isUserVerified(data, relyingPartyID: Self.relyingPartyID)
    else { throw Refusal(.invalidAuthenticatorResponse) }
    guard owner(ofPasskey: credential.id) == nil else { throw Refusal(.credentialAlreadyInUse) }
    var passkey = Passkey(id: credential.id, name: request.name ?? "Passkey")
    passkey.userHandle = spent.userHandle
    passkey.createdAt = now
    let used = UsedFactor(name: "passkey", factorID: passkey.id)
    passkeyKeys[passkey.id] = key
    switch (spent.purpose, request.idToken) {
    case (.enrollment(let uid), nil) where request.pendingCredential != nil:
      var holder = try holder(nil, request.pendingCredential)
      guard holder.account.uid == uid else { throw Refusal(.invalidAuthenticatorResponse) }
      try permitNewPasskey(after: holder.provider)
      try permitNewPasskey(of: holder.account)
      holder.account.passkeys.append(passkey)
      pendingSignIns[request.pendingCredential ?? ""] = nil
      return response(
        begin(
          holder.account, by: holder.provider, authenticatedAt: holder.authenticatedAt, with: used),
        uid, passkey)
    case (.enrollment(let uid), let token?):
      let user = try currentUser(token)
      guard user.account.uid == uid else { throw Refusal(.invalidAuthenticatorResponse) }
      try requireRecentIfPasskeyIsFactor(user)
      try permitNewPasskey(of: user.account)
      var account = user.account
      account.passkeys.append(passkey)
      endSessions(of: uid) { $0.number == user.session.number }
      return response(
        begin(
          account, by: .passkey,
          authenticatedAt: user.isGuest ? now : user.session.authenticatedAt,
          with: user.session.secondFactor), uid, passkey)
    case (.signUp(var email, var displayName), nil):
      let given = try Self.newPerson(request.email, request.displayName)
      (email, displayName) = (email ?? given.email, displayName ?? given.displayName)
      guard user(email: email) == nil else { throw Refusal(.emailExists) }
      var account = newUser()
      account.email = email
      account.displayName = displayName
      account.passkeys = [passkey]
      var response = response(
        begin(account, by: .passkey, with: isVerified ? used : nil), account.uid, passkey)
      response.isNewUser = true
      return response
    case (.enrollment, nil): throw Refusal(.missingIDToken)
    default: throw Refusal(.invalidAuthenticatorResponse)
    }
  }

  private func response(
    _ tokens: SessionTokens, _ uid: String, _ passkey: Passkey
  ) -> FinalizePasskeyEnrollmentResponse {
    var response = FinalizePasskeyEnrollmentResponse(localID: uid, outcome: .signedIn(tokens))
    response.passkey = passkey.info
    return response
  }

  private static func newPerson(
    _ email: String?, _ displayName: String?
  ) throws(Refusal) -> (email: String?, displayName: String?) {
    let address: String? = if let email, !email.isEmpty { try Self.address(email) } else { nil }
    return (address, displayName.flatMap { $0.isEmpty ? nil : $0 })
  }

  private func permitNewPasskey(of account: TestUser) throws(Refusal) {
    guard account.passkeys.count < Self.passkeysMax else { throw Refusal(.operationNotAllowed) }
  }

  private func requireRecentIfPasskeyIsFactor(_ user: CurrentUser) throws(Refusal) {
    guard !user.isGuest, requiresSecondFactor || !user.account.factors.isEmpty else { return }
    try requireRecentSignIn(user.session)
  }

  private func permitNewPasskey(after firstFactor: Provider) throws(Refusal) {
    if firstFactor == .passkey { throw Refusal(.unsupportedFirstFactor) }
  }

  // MARK: Signing in

  mutating func startPasskey(
    _ request: StartPasskeySignInRequest
  ) throws(Refusal) -> StartPasskeySignInResponse {
    var passkeys: [Passkey] = []
    var purpose = PasskeyChallenge.Purpose.signIn
    if let token = request.idToken {
      let account = try currentUser(token).account
      (passkeys, purpose) = (account.passkeys, .reauthentication(uid: account.uid))
    } else if let pending = request.pendingCredential {
      let account = try pendingSignIn(pending).account
      (passkeys, purpose) = (account.passkeys, .secondFactor(uid: account.uid))
    }
    if purpose != .signIn, passkeys.isEmpty { throw Refusal(.passkeyEnrollmentNotFound) }
    if let email = request.email, !protectsEmails, purpose == .signIn {
      passkeys = user(email: EmailAddress(email)?.text)?.passkeys ?? []
    }
    var response = StartPasskeySignInResponse(
      relyingPartyID: Self.relyingPartyID, challenge: issueChallenge(purpose, Data()))
    response.allowed = passkeys.compactMap(\.descriptor)
    return response
  }

  mutating func finalizePasskey(
    _ request: FinalizePasskeySignInRequest
  ) throws(Refusal) -> FinalizePasskeySignInResponse {
    let (account, used, purpose) = try verify(request)
    switch purpose {
    case .signIn: break
    case .reauthentication(let uid) where uid == account.uid: break
    default: throw Refusal(.invalidAuthenticatorResponse)
    }
    if let used {
      return FinalizePasskeySignInResponse(
        localID: account.uid, outcome: .signedIn(begin(account, by: .passkey, with: used)))
    }
    let (tokens, pending) = signIn(account, by: .passkey)
    guard
      let outcome = tokens.map(FirstFactorOutcome.signedIn)
        ?? pending.map(FirstFactorOutcome.secondFactorNeeded)
    else { throw Refusal(.invalidAuthenticatorResponse) }
    return FinalizePasskeySignInResponse(localID: account.uid, outcome: outcome)
  }

  /// A passkey as the second factor of an account.
  mutating func usePasskey(
    _ body: JSONObject, of uid: String
  ) throws(Refusal) -> (account: TestUser, used: UsedFactor) {
    guard let request = try? FinalizePasskeySignInRequest(WireFields(body)) else {
      throw Refusal(.invalidArgument)
    }
    let (account, used, purpose) = try verify(request)
    guard purpose == .secondFactor(uid: uid), account.uid == uid,
      let id = request.credential?.id
    else { throw Refusal(.invalidAuthenticatorResponse) }
    return (account, used ?? UsedFactor(name: "passkey", factorID: id))
  }

  /// - Returns: `used` is nil if the authenticator didn't verify the user.
  private mutating func verify(
    _ request: FinalizePasskeySignInRequest
  ) throws(Refusal) -> (account: TestUser, used: UsedFactor?, PasskeyChallenge.Purpose) {
    guard let credential = request.credential else { throw Refusal(.missingAuthenticatorResponse) }
    let (spent, clientData) = try spend(credential.clientDataJSON, .get)
    guard var account = owner(ofPasskey: credential.id),
      let index = account.passkeys.firstIndex(where: { $0.id == credential.id })
    else { throw Refusal(.passkeyCredentialNotFound) }
    guard let data = Data(base64Encoded: credential.authenticatorData),
      let isVerified = WebAuthnBytes.isUserVerified(data, relyingPartyID: Self.relyingPartyID),
      let signature = Data(base64Encoded: credential.signature),
      let key = passkeyKeys[credential.id],
      WebAuthnBytes.isSignature(signature, of: data, clientData, by: key),
      credential.userHandle.flatMap({ Data(base64Encoded: $0) })
        == account.passkeys[index].userHandle
    else { throw Refusal(.invalidAuthenticatorResponse) }
    if account.isDisabled { throw Refusal(.userDisabled) }
    account.passkeys[index].lastUsedAt = now
    return (
      account, isVerified ? UsedFactor(name: "passkey", factorID: credential.id) : nil,
      spent.purpose
    )
  }

  func owner(ofPasskey id: String) -> TestUser? {
    users.first { $0.passkeys.contains { $0.id == id } }
  }

  // MARK: Challenges

  private mutating func issueChallenge(
    _ purpose: PasskeyChallenge.Purpose, _ handle: Data
  ) -> [UInt8] {
    let challenge = Data("challenge-\(next())".utf8)
    passkeyChallenges[challenge] = PasskeyChallenge(
      purpose: purpose, userHandle: handle, issuedAt: now)
    return Array(challenge)
  }

  /// Uses up the challenge in the client data.
  private mutating func spend(
    _ clientData: String, _ ceremony: WebAuthnBytes.Ceremony
  ) throws(Refusal) -> (PasskeyChallenge, clientData: Data) {
    guard let data = Data(base64Encoded: clientData),
      let challenge = WebAuthnBytes.challenge(data, ceremony),
      let spent = passkeyChallenges.removeValue(forKey: challenge),
      now.timeIntervalSince(spent.issuedAt) < PasskeyChallenge.lifetimeSeconds
    else { throw Refusal(.invalidAuthenticatorResponse) }
    return (spent, data)
  }
}

extension Passkey {
  fileprivate var descriptor: PasskeyDescriptor? {
    Data(base64Encoded: id).map { PasskeyDescriptor(id: Array($0), transports: ["internal"]) }
  }

  /// What `accounts:lookup` says.
  var info: PasskeyInfo {
    var info = PasskeyInfo(name: name, credentialID: id)
    info.userHandle = userHandle?.base64EncodedString()
    info.createdAt = createdAt?.wireMilliseconds
    info.lastUsedAt = lastUsedAt?.wireMilliseconds
    return info
  }
}

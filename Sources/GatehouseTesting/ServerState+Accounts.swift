import Foundation
import GatehouseClient
import GatehouseProtocol

/// What a signed-in user asks for.
extension ServerState {
  func lookUp(_ request: LookupRequest) throws(Refusal) -> LookupResponse {
    LookupResponse(users: [try currentUser(request.idToken).account.info])
  }

  mutating func update(_ request: UpdateRequest) throws(Refusal) -> UpdateResponse {
    if let code = request.oobCode, request.idToken == nil { return try apply(code) }
    let user = try currentUser(request.idToken)
    let email: String? =
      if let text = request.email { try Self.address(text) } else { user.account.email }
    let isNewEmail = email != user.account.email
    let unlinked = request.deletedProviders.map { Provider($0) }
    if request.password != nil, email == nil { throw Refusal(.missingEmail) }
    if request.email != nil { try permitNewEmail(email, of: user.account) }
    if request.email != nil || request.password != nil || !unlinked.isEmpty
      || !request.deletedPasskeys.isEmpty
    {
      try requireRecentSignIn(user.session)
    }
    if isNewEmail, self.user(email: email) != nil { throw Refusal(.emailExists) }
    var account = user.account
    if let password = request.password {
      try Self.checkNew(password)
      account.password = password
    }
    account.setEmail(email)
    try setProfile(of: &account, request)
    for provider in unlinked {
      unlink(provider, from: &account)
      endSessions(of: account.uid) {
        $0.provider == provider && $0.number != user.session.number
      }
    }
    if !request.deletedPasskeys.isEmpty {
      account.passkeys.removeAll { request.deletedPasskeys.contains($0.id) }
      if !account.hasCredential {
        throw Refusal(
          .operationNotAllowed, "The last way to sign in can't be removed from an account.")
      }
    }
    guard isNewEmail || request.password != nil else {
      save(account)
      return UpdateResponse(user: account.info, tokens: nil)
    }
    revokeEverything(of: account.uid)
    let tokens = begin(
      account, by: request.password == nil ? user.session.provider : .password,
      authenticatedAt: user.session.authenticatedAt, with: user.session.secondFactor)
    return UpdateResponse(user: account.info, tokens: tokens)
  }

  private func setProfile(
    of account: inout TestUser, _ request: UpdateRequest
  ) throws(Refusal) {
    if let name = request.displayName { account.displayName = name }
    if let photo = request.photoURL { account.photoURL = URL(string: photo) }
    for attribute in request.deletedAttributes {
      switch attribute {
      case .displayName: account.displayName = nil
      case .photoURL: account.photoURL = nil
      default: throw .notOffered("accounts:update with deleteAttribute \(attribute)")
      }
    }
  }

  /// Also removes the name and the photo that came from the provider.
  private mutating func unlink(_ provider: Provider, from account: inout TestUser) {
    if provider == .password {
      account.password = nil
      account.hasEmailLink = false
    }
    guard let identity = account.identity(provider) else { return }
    detach(identity)
    account.identities.removeAll { $0.provider == provider }
    if identity.displayName == account.displayName { account.displayName = nil }
    if identity.photoURL == account.photoURL { account.photoURL = nil }
  }

  mutating func delete(_ request: DeleteRequest) throws(Refusal) -> DeleteResponse {
    guard let idToken = request.idToken else { throw Refusal(.missingIDToken) }
    let user = try currentUser(idToken)
    if !user.isGuest,
      let session = sessions.first(where: { $0.number == user.session.number })
    {
      // Unlike other changes: as recent as the session is, not as this token.
      try requireRecentSignIn(session)
    }
    erase(user.account.uid)
    return DeleteResponse()
  }

  func list(_ request: SessionsRequest) throws(Refusal) -> SessionsResponse {
    let user = try currentUser(request.idToken)
    return SessionsResponse(
      sessions.reversed().filter { $0.uid == user.account.uid && !$0.isEnded }.map { session in
        var listed = SessionsResponse.Session(
          sessionID: session.id, isCurrent: session.number == user.session.number,
          provider: session.provider.rawValue, createdAt: session.createdAt.wireMilliseconds,
          authenticatedAt: session.authenticatedAt.wireMilliseconds,
          lastUsedAt: session.lastUsedAt.wireMilliseconds)
        listed.app = session.app
        return listed
      })
  }

  mutating func end(_ request: EndSessionRequest) throws(Refusal) -> EndSessionResponse {
    let user = try currentUser(request.idToken)
    let isMeant = { (session: Session) in
      request.sessionID.map { $0 == session.id } ?? (session.number != user.session.number)
    }
    let count = sessions.count {
      $0.uid == user.account.uid && !$0.isEnded && isMeant($0)
    }
    endSessions(of: user.account.uid, where: isMeant)
    return EndSessionResponse(ended: count)
  }
}

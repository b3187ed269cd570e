import Foundation

/// How removing a provider from the account ended.
public enum Disconnection: Sendable, Hashable {
  /// - Parameter wasRevoked: Whether the app's authorization is revoked at the provider: by this call
  ///   or by the user. False if the device can't revoke it. The server may still revoke tokens that
  ///   it keeps for the identity.
  case disconnected(wasRevoked: Bool)
  case cancelled
}

extension AccountManager {
  /// Removes `provider` from the account: revokes the app's authorization at Apple or Google,
  /// erases the profile data that came from the provider, and unlinks it.
  ///
  /// Erases the profile's name and photo if they are the provider's and no other linked provider
  /// has the same. The email address stays: it belongs to the account, and the user may sign in
  /// with it. Your back end has to erase the data that it copied from the provider.
  ///
  /// Unlinking is the last step, so a call that failed can be repeated. It needs a recent sign-in:
  /// otherwise the call throws ``ClientError/needsRecentSignIn(providers:)`` after the revocation.
  /// Apple's sheet is shown for the revocation; Google's isn't.
  ///
  /// - Throws: ``AccountError/lastProvider(_:)`` if it is the only way to sign in: delete the
  ///   account instead. ``AccountError/client(_:)`` with ``ClientError/invalidArgument(detail:)``
  ///   if the provider isn't linked.
  public func disconnect(_ provider: Provider) async throws(AccountError) -> Disconnection {
    do {
      return try await turn.take(or: .busy) { () async throws(AccountError) -> Disconnection in
        try await self.disconnectInTurn(provider)
      }
    } catch {
      if error.isCancellation { return .cancelled }
      throw error
    }
  }

  private func disconnectInTurn(_ provider: Provider) async throws(AccountError) -> Disconnection {
    guard let user = client.currentUser else { throw .client(.notSignedIn) }
    let linked = user.snapshot.providers
    guard let identity = linked.first(where: { $0.provider == provider }) else {
      throw .client(.invalidArgument(detail: "\(provider) isn't linked to the account."))
    }
    guard linked.count > 1 else { throw .lastProvider(provider) }
    let wasRevoked = try await revoke(identity, of: user)
    do {
      let change = ProfileChange(erasing: identity, from: user.snapshot)
      if change != ProfileChange() { try await user.update(profile: change) }
      try await user.unlink(provider)
    } catch {
      throw .client(error)
    }
    return .disconnected(wasRevoked: wasRevoked)
  }

  private func revoke(_ identity: LinkedProvider, of user: SignedInUser)
    async throws(AccountError) -> Bool
  {
    let state = await standing(of: identity.provider, in: [identity])
    if state == .revoked { return true }
    switch identity.provider {
    case .apple where devices.apple != nil:
      let answer = try await askApple()
      guard client.currentUser === user else { throw .client(.notSignedIn) }
      guard state == .transferred || answer.authorization.user == identity.uid else {
        throw .answer(.anotherUser)
      }
      let code = try answer.authorizationCode()
      do {
        try await user.revokeApple(authorizationCode: code)
      } catch {
        throw .client(error)
      }
      return true
    case .google where state != .notFound:
      guard let google = devices.google else { return false }
      do {
        try await google.disconnect(userID: identity.uid)
      } catch .unavailable {
        return false
      } catch {
        throw .device(error)
      }
      return true
    default: return false
    }
  }
}

extension ProfileChange {
  /// Removes the name and the photo that only `identity` has.
  init(erasing identity: LinkedProvider, from user: UserSnapshot) {
    self.init()
    let others = user.providers.filter { $0.provider != identity.provider }
    if let name = user.displayName, name == identity.displayName,
      !others.contains(where: { $0.displayName == name })
    {
      displayName = .remove
    }
    if let photo = user.photoURL, photo == identity.photoURL,
      !others.contains(where: { $0.photoURL == photo })
    {
      photoURL = .remove
    }
  }
}

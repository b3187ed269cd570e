import Foundation

/// How removing a provider from the account ended.
public enum Disconnection: Sendable, Hashable {
  /// - Parameter wasRevoked: Whether the app's authorization is revoked at the provider: by this call
  ///   or by the user. False if the device can't revoke it, or if Google failed or wasn't reached
  ///   after the identity was unlinked. Then the user can remove the app in their account at the
  ///   provider. The server may still revoke tokens that it keeps for the identity.
  case disconnected(wasRevoked: Bool)
  case cancelled
}

extension AccountManager {
  /// Removes `provider` from the account: unlinks it, and revokes the app's authorization at Apple or
  /// Google. The server erases the name and the photo that came from the provider.
  ///
  /// The email address stays: it belongs to the account, and the user may sign in with it. Your back
  /// end has to erase the data that it copied from the provider.
  ///
  /// The server requires a recent sign-in to unlink. Nothing is revoked before the sign-in is recent.
  /// Apple's sheet is shown for the revocation, and re-authenticates the user, too. Google's sheet is
  /// shown only if the server requires a recent sign-in. Apple is revoked before the identity is
  /// unlinked, because the server can't use the sheet's code afterwards. Google is revoked after it.
  /// A call that failed can be repeated.
  ///
  /// - Throws: ``AccountError/lastProvider(_:)`` if it is the only way to sign in: delete the
  ///   account instead. ``AccountError/client(_:)`` with ``ClientError/invalidArgument(detail:)``
  ///   if the provider isn't linked, and with ``ClientError/needsRecentSignIn(providers:)`` if the
  ///   sign-in isn't recent and the provider's sheet can't change that. Then nothing was revoked, except
  ///   that Apple's authorization may be if the project's limit for a recent sign-in is shorter than five
  ///   minutes.
  public func disconnect(_ provider: Provider) async throws(AccountError) -> Disconnection {
    do {
      return try await inTurn(or: .busy) { () async throws(AccountError) -> Disconnection in
        try await self.disconnectInTurn(provider)
      }
    } catch {
      if error.isCancellation { return .cancelled }
      throw error
    }
  }

  private func disconnectInTurn(_ provider: Provider) async throws(AccountError) -> Disconnection {
    guard let user = client.currentUser else { throw .client(.notSignedIn) }
    let identity = try removable(provider, of: user)
    let state = await standing(of: provider, in: [identity])
    if state != .revoked {
      if provider == .apple, devices.apple != nil {
        try await disconnectApple(from: user, isTransferred: state == .transferred)
        return .disconnected(wasRevoked: true)
      }
      if provider == .google, let google = devices.google {
        return .disconnected(
          wasRevoked: try await disconnectGoogle(identity, of: user, state, by: google))
      }
    }
    try await unlink(provider, from: user)
    return .disconnected(wasRevoked: state == .revoked)
  }

  /// The identity at `provider`, if another way to sign in remains without it.
  private func removable(_ provider: Provider, of user: SignedInUser)
    throws(AccountError) -> LinkedProvider
  {
    let profile = user.snapshot
    guard let identity = profile.provider(provider) else {
      throw .client(.invalidArgument(detail: "\(provider) isn't linked to the account."))
    }
    guard profile.providers.count > 1 else { throw .lastProvider(provider) }
    return identity
  }

  // MARK: Apple

  /// Revokes at Apple with the code of a sheet, then unlinks.
  private func disconnectApple(from user: SignedInUser, isTransferred: Bool)
    async throws(AccountError)
  {
    // Another device may have removed the account's other ways to sign in. Then the server would
    // refuse to unlink, after the revocation.
    do {
      try await user.reload()
    } catch {
      throw .client(error)
    }
    let identity = try removable(.apple, of: user)
    let answer = try await askApple()
    guard client.currentUser === user else { throw .client(.notSignedIn) }
    if !isTransferred { try requireOwn(answer.authorization.user, identity) }
    // Without a code nothing can be revoked: throw before the identity token is used.
    let code = try answer.authorizationCode()
    if !hasRecentSignIn(user) { try await reauthenticate(user, with: try answer.proof()) }
    do {
      try await user.revokeApple(authorizationCode: code)
    } catch {
      throw .client(error)
    }
    try await unlink(.apple, from: user)
  }

  // MARK: Google

  /// Unlinks, then revokes at Google, which needs no request to the server.
  ///
  /// - Parameter state: The authorization on this device; nil if it isn't known.
  /// - Returns: Whether the authorization is revoked.
  private func disconnectGoogle(
    _ identity: LinkedProvider, of user: SignedInUser, _ state: ProviderCredentialState?,
    by google: any GoogleSigningIn
  ) async throws(AccountError) -> Bool {
    var isAuthorizedHere = state != .notFound
    if try await !unlinkIfRecent(.google, from: user) {
      let (account, credential) = try await askGoogle(hint: identity.email)
      guard client.currentUser === user else { throw .client(.notSignedIn) }
      if let account { try requireOwn(account, identity) }
      try await reauthenticate(user, with: credential)
      isAuthorizedHere = true
      try await unlink(.google, from: user)
    }
    guard isAuthorizedHere else { return false }
    do {
      try await google.disconnect(userID: identity.uid)
      return true
    } catch {
      // The provider is removed from the account, so the call didn't fail.
      return false
    }
  }

  // MARK: Unlinking

  private func unlink(_ provider: Provider, from user: SignedInUser) async throws(AccountError) {
    guard try await unlinkIfRecent(provider, from: user) else {
      throw .client(.needsRecentSignIn(providers: others(than: provider, of: user)))
    }
  }

  /// - Returns: False if the server requires a more recent sign-in.
  private func unlinkIfRecent(_ provider: Provider, from user: SignedInUser)
    async throws(AccountError) -> Bool
  {
    do {
      try await user.unlink(provider)
      return true
    } catch .needsRecentSignIn {
      return false
    } catch .network(let fault) {
      // If only the response was lost, the identity is gone, and the call continues.
      do {
        try await user.reload()
      } catch {
        // The end of the session says more than the lost response.
        if case .sessionEnded = error { throw .client(error) }
      }
      if user.snapshot.provider(provider) == nil { return true }
      throw .client(.network(fault))
    } catch {
      throw .client(error)
    }
  }

  // MARK: Re-authentication

  private func requireOwn(_ account: String, _ identity: LinkedProvider) throws(AccountError) {
    if !account.utf8.elementsEqual(identity.uid.utf8) { throw .answer(.anotherUser) }
  }

  /// - Throws: ``ClientError/needsRecentSignIn(providers:)`` also if the new sign-in isn't recent: the
  ///   server doesn't count the sign-ins of an identity that was linked in an old session.
  private func reauthenticate(_ user: SignedInUser, with credential: Credential)
    async throws(AccountError)
  {
    do {
      _ = try await user.reauthenticate(with: credential)
    } catch {
      throw .client(error)
    }
    guard hasRecentSignIn(user) else {
      throw .client(.needsRecentSignIn(providers: others(than: credential.provider, of: user)))
    }
  }

  private func hasRecentSignIn(_ user: SignedInUser) -> Bool {
    let limit = DeletionOptions().recentSignIn
    return user.heldIDToken?.isRecent(within: limit, now: client.serverNow) ?? false
  }

  private func others(than provider: Provider, of user: SignedInUser) -> [Provider] {
    user.snapshot.providers.map(\.provider).filter { $0 != provider }
  }
}

/// What ``AccountManager/checkProviders()`` found.
public enum LaunchCheck: Sendable, Hashable {
  /// The store can't be read yet, or can't be written. No user was signed out.
  case notLoaded
  /// No user is signed in.
  case signedOut
  /// The user stays signed in: at least one linked provider still authorizes the app or can't be asked, or
  /// the account is anonymous.
  ///
  /// The user also stays signed in if the server can't confirm that they withdrew consent, if another of
  /// the manager's flows is in progress, and after a deletion that failed or was interrupted. In such a
  /// deletion the app may have revoked the authorization itself, and the user needs the session to repeat
  /// the deletion.
  case kept
  /// As ``kept``, but the app was transferred to another team at Apple, where the user has a new
  /// identifier. To the server, the new identifier is another identity: let the user link it before
  /// they sign out.
  case keptTransferred
  /// No linked provider authorizes the app any more, so the user was signed out.
  case gone([Provider])

  /// Decides from the states alone.
  ///
  /// - Parameter standing: The state of each linked provider; nil if it couldn't be found out.
  package init(isAnonymous: Bool, standing: [(provider: Provider, state: ProviderCredentialState?)])
  {
    let gone = standing.filter { $0.state == .revoked || $0.state == .notFound }
    if isAnonymous || gone.count < standing.count || standing.isEmpty {
      self = standing.contains { $0.state == .transferred } ? .keptTransferred : .kept
    } else {
      self = .gone(gone.map(\.provider))
    }
  }
}

extension AccountManager {
  /// Checks at launch whether the user still authorizes the app, and signs the user out if *no*
  /// linked provider does: for each, the device reports *revoked* or *not found*, or the provider
  /// reported to the server that the user withdrew consent (``LinkedProvider/consentRevokedAt``).
  ///
  /// If the state is unknown or *transferred*, or the device is offline, the user isn't signed out. A
  /// provider that neither the device nor the server knows about, such as a password, counts as
  /// authorized. Google is asked only if Apple no longer authorizes the app or isn't linked.
  ///
  /// Sends a request to the Gatehouse server in one case: before a user is signed out because of a
  /// report to the server, the account is read once more. The user may have signed in with that
  /// provider again on another device.
  public func checkProviders() async -> LaunchCheck {
    guard let user = client.currentUser else {
      return client.state == .loading ? .notLoaded : .signedOut
    }
    let signedInAt = user.heldIDToken?.authenticatedAt
    guard !user.snapshot.isAnonymous else { return .kept }
    var check = await checkProviders(of: user.snapshot)
    guard case .gone = check else { return check }
    guard await !mayHaveRevoked(for: user) else { return .kept }
    if user.snapshot.providers.contains(where: { $0.consentRevokedAt != nil }) {
      do throws(ClientError) {
        try await user.reload()
        check = await checkProviders(of: user.snapshot)
      } catch .sessionEnded {
        // The client has signed the user out already.
        guard client.currentUser == nil else { return .kept }
        await devices.google?.signOut()
        return check
      } catch {
        return .kept
      }
      guard case .gone = check else { return check }
    }
    // A user who signed in while the device was asked has another session.
    guard let now = client.currentUser, now.uid == user.uid,
      now.heldIDToken?.authenticatedAt == signedInAt, await !mayHaveRevoked(for: user)
    else { return .kept }
    do {
      try await client.core.signOut()
    } catch {
      return .notLoaded
    }
    await devices.google?.signOut()
    return check
  }

  /// Whether the app may have revoked an authorization itself, in a deletion that isn't complete.
  private func mayHaveRevoked(for user: SignedInUser) async -> Bool {
    if turn.isInProgress { return true }
    let record = await client.core.deletionRecord(for: user.uid)
    return !record.maybeRevoked(consideringSignIn: user.held.tokens.idToken).isEmpty
  }

  private func checkProviders(of snapshot: UserSnapshot) async -> LaunchCheck {
    var standing: [(provider: Provider, state: ProviderCredentialState?)] = []
    for identity in snapshot.providers.sorted(by: { $0.provider.isAskedBefore($1.provider) }) {
      // If the server knows of a withdrawal, the device isn't asked.
      let state =
        identity.consentRevokedAt != nil
        ? .revoked : await self.standing(of: identity.provider, in: snapshot.providers)
      if state == .authorized, !turn.isInProgress {
        await client.core.forgetBegunRevocation(of: identity.provider, for: snapshot.uid)
      }
      standing.append((identity.provider, state))
      if state != .revoked && state != .notFound { break }
    }
    return LaunchCheck(isAnonymous: false, standing: standing)
  }
}

extension Provider {
  /// Providers that can't be asked come first, then Apple, whose state is on the device.
  fileprivate func isAskedBefore(_ other: Provider) -> Bool { askingOrder < other.askingOrder }

  private var askingOrder: Int {
    switch self {
    case .apple: 1
    case .google: 2
    default: 0
    }
  }
}

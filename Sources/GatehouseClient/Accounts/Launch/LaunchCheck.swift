/// What ``AccountManager/checkProviders()`` found.
public enum LaunchCheck: Sendable, Hashable {
  /// The store can't be read yet. No user was signed out.
  case notLoaded
  /// No user is signed in.
  case signedOut
  /// At least one linked provider still authorizes the app, or can't be asked.
  case kept
  /// As ``kept``, but the app was transferred to another team at Apple, and Apple knows the user by
  /// the former team's identifier. To the server the new identifier is another identity: let the
  /// user link it before they sign out.
  case keptTransferred
  /// All linked providers have revoked, so the user was signed out.
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
  /// Asks the device at launch whether the user still authorizes the app, and signs the user out if
  /// *no* linked provider does: each has to answer *revoked* or *not found*.
  ///
  /// Offline, unknown and *transferred* don't sign the user out. Providers that a device can't be
  /// asked about (a password, OpenID Connect) count as authorized. Sends no request to the
  /// Gatehouse server, and asks Google only if Apple's account is revoked or not linked.
  public func checkProviders() async -> LaunchCheck {
    guard let user = client.currentUser else {
      return client.state == .loading ? .notLoaded : .signedOut
    }
    let (snapshot, signedInAt) = (user.snapshot, user.heldIDToken?.authenticatedAt)
    guard !snapshot.isAnonymous else { return .kept }
    var standing: [(provider: Provider, state: ProviderCredentialState?)] = []
    for identity in snapshot.providers.sorted(by: { $0.provider.isAskedBefore($1.provider) }) {
      let state = await self.standing(of: identity.provider, in: snapshot.providers)
      standing.append((identity.provider, state))
      if state != .revoked && state != .notFound { break }
    }
    let check = LaunchCheck(isAnonymous: false, standing: standing)
    guard case .gone = check else { return check }
    // A user who signed in while the device was asked has another session.
    guard let now = client.currentUser, now.uid == user.uid,
      now.heldIDToken?.authenticatedAt == signedInAt
    else { return .kept }
    do {
      try client.signOut()
    } catch {
      return .notLoaded
    }
    await devices.google?.signOut()
    return check
  }
}

extension Provider {
  /// Those that can't be asked first, then Apple, which answers from the device.
  fileprivate func isAskedBefore(_ other: Provider) -> Bool { askingOrder < other.askingOrder }

  private var askingOrder: Int {
    switch self {
    case .apple: 1
    case .google: 2
    default: 0
    }
  }
}

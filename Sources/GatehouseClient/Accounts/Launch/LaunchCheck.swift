/// What ``AccountManager/checkProviders()`` found.
public enum LaunchCheck: Sendable, Hashable {
  /// The store can't be read yet. Nobody was signed out.
  case notLoaded
  /// Nobody is signed in.
  case signedOut
  /// At least one way to sign in is alive, or can't be asked.
  case kept
  /// As ``kept``; but the app went to another team at Apple, and the person is known there by their
  /// former name. To the server the new one is another identity: have them link it before they sign
  /// out.
  case keptTransferred
  /// Every way to sign in is gone, so the person was signed out.
  case gone([Provider])

  /// The decision alone.
  ///
  /// - Parameter standing: What was said of each linked provider, nil where nothing could be told.
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
  /// Asks the device at launch whether the person still lets the app sign them in, and signs out
  /// if *no* linked provider does: each has to say *revoked* or *not found*.
  ///
  /// Offline, unknown and *transferred* are no reason, and providers that a device can't be asked
  /// about (a password, OpenID Connect) count as alive. Asks nothing of our server, and of Google
  /// only if Apple's account is gone or not linked.
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
    // Whoever signed in while the device was asked is another session.
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

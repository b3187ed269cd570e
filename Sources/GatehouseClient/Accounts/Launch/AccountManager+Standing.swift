extension AccountManager {
  /// What `provider` says of the person, without showing anything.
  ///
  /// - Returns: Nil where nothing can be told: not linked, no device, offline.
  func standing(of provider: Provider, in linked: [LinkedProvider]) async
    -> ProviderCredentialState?
  {
    guard let identity = linked.first(where: { $0.provider == provider }) else { return nil }
    switch provider {
    case .apple: return try? await devices.apple?.credentialState(forUserID: identity.uid)
    case .google: return try? await devices.google?.credentialState(forUserID: identity.uid)
    default: return nil
    }
  }
}

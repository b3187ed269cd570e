extension AccountManager {
  /// Asks `provider` for the state of the user's authorization, without showing anything.
  ///
  /// - Returns: Nil if the state can't be found out: the provider isn't linked, the device can't
  ///   ask it, or the device is offline.
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

extension AccountManager {
  /// Asks the device for the state of the user's authorization at `provider`. Shows nothing.
  ///
  /// - Returns: Nil if the state isn't known: the provider isn't linked, the device can't ask it,
  ///   or the device is offline.
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

public import Foundation

/// What the device and the server know about the user's authorizations at the linked providers: an
/// element of ``AccountManager/credentialStates``.
public struct CredentialStates: Sendable, Hashable {
  /// Nil if no user is signed in.
  public var uid: String?
  /// One for each way to sign in to the account, in the server's order.
  public var providers: [ProviderStanding]
  /// Why the server ended the user's session, if it did so since the iteration began. No user is
  /// signed in then.
  public var sessionEnd: SessionEnd?

  public init(
    uid: String? = nil, providers: [ProviderStanding] = [], sessionEnd: SessionEnd? = nil
  ) {
    self.uid = uid
    self.providers = providers
    self.sessionEnd = sessionEnd
  }

  /// Nil if `provider` isn't linked.
  public subscript(provider: Provider) -> ProviderStanding? {
    providers.first { $0.provider == provider }
  }
}

/// What is known about the user's authorization of the app at one provider.
public struct ProviderStanding: Sendable, Hashable {
  public var provider: Provider
  /// The state that the device reports. Nil if the device can't be asked about this provider, or
  /// didn't respond.
  public var onDevice: ProviderCredentialState?
  /// When the user withdrew consent, as the provider reported to the server:
  /// ``LinkedProvider/consentRevokedAt``.
  public var consentRevokedAt: Date?

  public init(
    _ provider: Provider, onDevice: ProviderCredentialState?, consentRevokedAt: Date? = nil
  ) {
    self.provider = provider
    self.onDevice = onDevice
    self.consentRevokedAt = consentRevokedAt
  }

  /// The state according to both the device and the server. Nil if neither knows it.
  ///
  /// A withdrawal that was reported to the server counts, whatever the device reports: the device's
  /// state may come from a cache, in Google's SDK for up to an hour.
  public var state: ProviderCredentialState? { consentRevokedAt == nil ? onDevice : .revoked }
}

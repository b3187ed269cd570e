import GatehouseModel

/// Whether the operator lets a provider's word about an address count (`trustEmail`).
struct EmailTrustRule: Sendable {
  let trust: EmailTrust

  init(_ configuration: ProviderConfiguration) { trust = configuration.trustEmail }

  /// - Parameter isAuthoritative: The provider runs the mailbox.
  func email(_ claims: StandardClaims, isAuthoritative: Bool) -> AssertedEmail? {
    guard let address = claims.email else { return nil }
    let isTrusted =
      switch trust {
      case .always: true
      case .authoritative: isAuthoritative
      case .never: false
      }
    return AssertedEmail(
      address: address, isVerified: claims.isEmailVerified, isTrusted: isTrusted)
  }
}

import GatehouseProtocol

/// Whether a provider's configuration trusts its statement about an email (`trustEmail`).
struct EmailTrustRule: Sendable {
  let trust: EmailTrust

  init(_ configuration: ProviderConfiguration) { trust = configuration.trustEmail }

  /// - Parameter isAuthoritative: Whether the provider runs the mailbox.
  func email(_ claims: StandardClaims, isAuthoritative: Bool) -> AssertedEmail? {
    claims.email.map {
      email($0, isVerified: claims.isEmailVerified, isAuthoritative: isAuthoritative)
    }
  }

  func email(_ address: EmailAddress, isVerified: Bool, isAuthoritative: Bool) -> AssertedEmail {
    let isTrusted =
      switch trust {
      case .always: true
      case .authoritative: isAuthoritative
      case .never: false
      }
    return AssertedEmail(address: address, isVerified: isVerified, isTrusted: isTrusted)
  }
}

package import GatehouseClient

/// The credential of a provider whose class isn't ``OAuthProvider``: Google, Facebook and others.
// `@unchecked`: no lock, because nothing changes after `init`.
package final class TokenCredential: AuthCredential, NSSecureCoding, @unchecked Sendable {
  package let value: IdentityProviderCredential

  package init(_ value: IdentityProviderCredential) {
    self.value = value
    super.init(provider: value.provider.rawValue, proof: .identityProvider(value))
  }

  package static let supportsSecureCoding = true

  package func encode(with coder: NSCoder) { value.encode(with: coder) }

  package init?(coder: NSCoder) {
    guard let value = IdentityProviderCredential(coder: coder) else { return nil }
    self.value = value
    super.init(provider: value.provider.rawValue, proof: .identityProvider(value))
  }
}

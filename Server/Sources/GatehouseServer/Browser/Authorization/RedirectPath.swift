package import GatehouseProtocol

/// The path, below the server's public URL, of the redirect URI that is registered at a provider.
///
/// "Clients MUST use a distinct redirect URI for each issuer they interact with" (RFC 9700
/// §4.4.2.2). Otherwise a malicious provider could redirect the browser to an honest provider with
/// its own `state`, and receive the honest provider's code from us for exchange. Each OpenID
/// Connect provider of each project has its own path. The built-in providers share Firebase's path,
/// which apps have registered already. That is safe because their issuers are pinned: only Microsoft's
/// tenant can be configured.
package struct RedirectPath: ByteExact {
  /// The path of the built-in providers.
  package static let shared = RedirectPath(text: "/__/auth/handler")

  package let text: String

  package init(of provider: ProviderID, in project: ProjectID) {
    // Neither name contains a byte that must be escaped in a path.
    text =
      provider.isOpenIDConnect
      ? "\(Self.shared)/\(project)/\(provider)" : Self.shared.text
  }

  private init(text: String) { self.text = text }

  /// The path of our public key for the provider (`jwks_uri`, OpenID Connect Registration §2).
  package static func keySet(of provider: ProviderID, in project: ProjectID) -> String {
    "/__/auth/keys/\(project)/\(provider)"
  }
}

package import GatehouseModel

/// Where a provider sends the browser back to: the path, below the server's public URL, of the
/// redirect URI that is registered with it.
///
/// "Clients MUST use a distinct redirect URI for each issuer they interact with" (RFC 9700
/// §4.4.2.2), or a provider that means harm sends the browser on to an honest one with its own
/// `state`, and is then asked to exchange the honest one's code. Each OpenID Connect provider of each
/// project has an address of its own. Those that are built in share Firebase's, which apps have
/// registered already: their issuers are pinned, and none of them is an operator's to name.
package struct RedirectPath: ByteExact {
  /// What those that are built in share.
  package static let shared = RedirectPath(text: "/__/auth/handler")

  package let text: String

  package init(of provider: ProviderID, in project: ProjectID) {
    // Neither name has a byte that a path would have to escape.
    text =
      provider.isOpenIDConnect
      ? "\(Self.shared)/\(project)/\(provider)" : Self.shared.text
  }

  private init(text: String) { self.text = text }

  /// Where the provider finds the public half of our key (`jwks_uri`, OpenID Connect Registration §2).
  package static func keySet(of provider: ProviderID, in project: ProjectID) -> String {
    "/__/auth/keys/\(project)/\(provider)"
  }
}

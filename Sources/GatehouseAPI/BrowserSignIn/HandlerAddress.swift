import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import HTTPTypes

/// Under which address a browser uses the handler: cookies stay with its name, and a provider is told
/// to send the browser back to it.
///
/// In `--dev` that is the name that the browser uses, which was checked to be this machine's. In
/// production it is the public URL; or, where an app's own site passes `/__/auth/` on, that site, so
/// that the browser meets no other. Which one it was, `Host` says, of the project's own domains, and
/// nothing that a request says makes it any other.
struct HandlerAddress: Hashable, Sendable {
  /// Without a trailing slash.
  let url: String

  /// - Parameter project: Nil where none is known yet.
  init(_ call: Call, _ project: Project?, _ configuration: APIConfiguration) {
    let publicURL = configuration.publicURL
    let scheme = publicURL.utf8.starts(with: "https:".utf8) ? "https" : "http"
    guard let authority = call.head.authority, let site = OutboundURL("\(scheme)://\(authority)")
    else {
      url = publicURL
      return
    }
    if configuration.development != nil {
      url = site.text.dropLast() + configuration.pathPrefix
    } else if site.isSecure, site.port == 443, !site.namesLoopback,
      OutboundURL(publicURL)?.host.hasSameBytes(as: site.host) == false,
      project?.authorizedDomains.containsBytes(of: site.host) == true
    {
      url = "https://\(site.host)"
    } else {
      url = publicURL
    }
  }

  /// Where `signIn` began, and has to end.
  init?(of signIn: BrowserSignIn) {
    let path = RedirectPath(of: signIn.provider, in: signIn.project).text
    guard signIn.redirectURI.utf8.count > path.utf8.count,
      signIn.redirectURI.hasSuffix(path)
    else { return nil }
    url = String(signIn.redirectURI.dropLast(path.count))
  }

  var isSecure: Bool { url.utf8.starts(with: "https:".utf8) }

  /// The path, where it has one: `/auth` of `https://example.com/auth`.
  var pathPrefix: String { APIConfiguration.path(of: url) }
}

import GatehouseProtocol
import HTTPTypes

/// The URL at which a browser uses the handler: cookies belong to its host, and the provider is
/// told to redirect the browser back to it.
///
/// In `--dev` it has the host that the browser uses, which `HostMiddleware` has accepted. In
/// production it is the public URL; or, if an app's own site forwards `/__/auth/` to this server,
/// that site, so that the browser sees no other host. `Host` selects among the project's authorized
/// domains; no other part of a request affects the URL.
struct HandlerAddress: Hashable, Sendable {
  /// Without a trailing slash.
  let url: String

  /// - Parameter project: Nil if no project is known yet.
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

  /// The URL at which `signIn` began, and has to end.
  init?(of signIn: BrowserSignIn) {
    let path = RedirectPath(of: signIn.provider, in: signIn.project).text
    guard signIn.redirectURI.utf8.count > path.utf8.count,
      signIn.redirectURI.hasSuffix(path)
    else { return nil }
    url = String(signIn.redirectURI.dropLast(path.count))
  }

  var isSecure: Bool { url.utf8.starts(with: "https:".utf8) }

  /// The path, if there is one: `/auth` of `https://example.com/auth`.
  var pathPrefix: String { APIConfiguration.path(of: url) }
}

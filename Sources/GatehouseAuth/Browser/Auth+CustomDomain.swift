internal import Foundation
internal import GatehouseClient

extension Auth {
  /// The host at which a browser opens the handler, from ``customAuthDomain``. Nil stands for the
  /// server's own URL.
  ///
  /// As in Google's SDK, the project has to authorize the domain, and an emulator ignores it. Without
  /// the first check, the browser would show an error: at another host, the server continues under
  /// its own URL, where the browser's cookie is missing.
  ///
  /// - Throws: ``AuthErrorCode/unauthorizedDomain``, and the errors of the request.
  func handlerHost() async throws(NSError) -> String? {
    let client = self.client
    let configuration = client.configuration
    guard let domain = customAuthDomain, !configuration.usesEmulator else { return nil }
    let host = Self.host(in: domain)
    if configuration.serverURL.host?.lowercased() == host { return nil }
    let authorized: [String]
    do {
      authorized = try await client.authorizedDomains()
    } catch {
      throw error.nsError(inBrowser: true)
    }
    guard authorized.contains(where: { $0.utf8.elementsEqual(host.utf8) }) else {
      throw AuthErrorCode.unauthorizedDomain.error(
        "The custom domain \(host) is not among the project's authorized domains.")
    }
    return host
  }

  /// `login.example.com` of `https://login.example.com/`.
  private static func host(in domain: String) -> String {
    var rest = Substring(domain.lowercased())
    for scheme in ["https://", "http://"] where rest.hasPrefix(scheme) {
      rest = rest.dropFirst(scheme.count)
    }
    return String(rest.prefix { $0 != "/" })
  }
}

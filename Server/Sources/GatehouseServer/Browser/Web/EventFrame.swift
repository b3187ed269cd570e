import GatehouseProtocol
import HTTPTypes

/// `/__/auth/iframe`: the frame that Google's SDK for JavaScript opens in an app's page,
/// `?apiKey&appName&v`. Through it the page gets the result of a sign-in: see `iframe.js`.
///
/// The result signs a user in, so the frame runs only in pages of the project. Browsers enforce
/// this (CSP Level 3 §6.4.2): each page up to the outermost has to be on an authorized domain.
struct EventFrame: Endpoint {
  let services: APIServices
  let configuration: APIConfiguration

  var routes: [Route] {
    Route.browser(.get, "iframe", "auth.iframe", isFramed: true, answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    guard call.query.repeated(of: ["apiKey", "appName"]) == nil, let apiKey = call.query["apiKey"],
      let project = try await services.projects.project(apiKey: apiKey)
    else {
      return Answer(
        HTMLPage(.fault(.apiKey), PageLanguage(call), below: configuration.pathPrefix))
    }
    let address = HandlerAddress(call, project, configuration)
    var answer = Answer(json: Array(Self.html(below: address.pathPrefix).utf8))
    answer.contentType = "text/html; charset=utf-8"
    answer.headers = PageHeaders.redirect
    // Has no effect in a frame. If the URL is opened as a window, the window has no opener (HTML
    // Standard §7.1.3).
    answer.headers[.openerPolicy] = "same-origin"
    // A page with this server's own gapi script needs nothing from Google.
    let isOwn = call.query["gatehouse"] != nil
    answer.headers[.contentSecurityPolicy] =
      "default-src 'none'; script-src 'self'\(isOwn ? "" : " https://apis.google.com"); "
      + "base-uri 'none'; form-action 'none'; frame-ancestors "
      + FrameAncestors(of: project, isDevelopment: configuration.development != nil).sources
    return answer
  }

  private static func html(below prefix: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="robots" content="noindex">
    <title>Sign-in</title>
    <script src="\(HTML.escaped(prefix + PageScript.iframe.path))" defer></script>
    </head>
    </html>

    """
  }
}

/// The pages that may contain the frame: those to which ``ReturnAddresses`` may send a browser.
struct FrameAncestors: Sendable {
  /// `'none'`, or what CSP Level 3 §2.3.1 calls host sources.
  let sources: String

  init(of project: Project, isDevelopment: Bool) {
    var sources: [String] = []
    // A text that doesn't have the form of a domain name could be read as more than one source.
    let domains = project.authorizedDomains.compactMap { AuthorizedDomain.normalized($0) }
    for domain in domains {
      sources.append("https://\(domain):*")
      if isDevelopment || LoopbackName.isLoopback(domain) { sources.append("http://\(domain):*") }
    }
    if domains.contains("localhost") || domains.contains("127.0.0.1") {
      let loopback = ["https://127.0.0.1:*", "http://127.0.0.1:*"]
      sources += loopback.filter { !sources.contains($0) }
    }
    self.sources = sources.isEmpty ? "'none'" : sources.joined(separator: " ")
  }
}

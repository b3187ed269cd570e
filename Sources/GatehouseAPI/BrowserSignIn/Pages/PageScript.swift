import HTTPTypes

/// The scripts of pages, in `Scripts/`: files, so that no page needs one of its own, and built into
/// the command.
enum PageScript: String, Endpoint, CaseIterable {
  /// Repeats a provider's answer in the fragment, which browsers keep to themselves, as a query.
  case handler
  /// Tells the page that opened the window how the sign-in ended.
  case popup
  /// Keeps how the sign-in ended for the page to which the browser returns.
  case redirect
  /// Passes on, in a frame of the app's page, what the two bring.
  case iframe
  /// For an app's page itself, so that it needs nothing of Google's.
  case gapi

  var routes: [Route] { Route.browser(.get, "\(rawValue).js", "auth.script", answer) }

  var path: String { "/__/auth/\(rawValue).js" }

  private var bytes: [UInt8] {
    switch self {
    case .handler: PackageResources.handler_js
    case .popup: PackageResources.popup_js
    case .redirect: PackageResources.redirect_js
    case .iframe: PackageResources.iframe_js
    case .gapi: PackageResources.gapi_js
    }
  }

  /// So that a server that was brought up to date doesn't meet its predecessor's for long.
  private static let cachedSeconds = 300

  func answer(_ call: Call) -> Answer {
    var answer = Answer(json: bytes, cachedSeconds: Self.cachedSeconds)
    answer.contentType = "text/javascript; charset=utf-8"
    // Fetch Standard §3.7: pages that isolate themselves load from elsewhere only what says so.
    answer.headers[.crossOriginResourcePolicy] = self == .gapi ? "cross-origin" : "same-origin"
    // An app may import it as a module, or pin what it holds: both read it across origins.
    if self == .gapi { answer.headers[.accessControlAllowOrigin] = "*" }
    return answer
  }
}

extension HTTPField.Name {
  static let crossOriginResourcePolicy =
    HTTPField.Name("cross-origin-resource-policy") ?? .contentSecurityPolicy
}

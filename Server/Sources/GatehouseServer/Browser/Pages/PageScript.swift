import HTTPTypes

/// The scripts of pages, in `Scripts/`. They are files, so that no page needs an inline script, and
/// are built into the command.
enum PageScript: String, Endpoint, CaseIterable {
  /// Repeats a provider's response from the fragment, which browsers don't send to servers, as a
  /// query.
  case handler
  /// Reports the result of the sign-in to the page that opened the window.
  case popup
  /// Stores the result of the sign-in for the page to which the browser returns.
  case redirect
  /// Passes the results of `popup` and `redirect` on to the app's page, in a frame of that page.
  case iframe
  /// For an app's page itself, in place of Google's script.
  case gapi
  /// Passkeys for apps' pages, as a module.
  case passkeys

  var routes: [Route] { Route.browser(.get, "\(rawValue).js", "auth.script", answer) }

  var path: String { "/__/auth/\(rawValue).js" }

  private var bytes: [UInt8] {
    switch self {
    case .handler: PackageResources.handler_js
    case .popup: PackageResources.popup_js
    case .redirect: PackageResources.redirect_js
    case .iframe: PackageResources.iframe_js
    case .gapi: PackageResources.gapi_js
    case .passkeys: PackageResources.passkeys_js
    }
  }

  /// Whether apps' pages load it.
  private var isForApps: Bool { self == .gapi || self == .passkeys }

  /// Short, so that a script of an earlier version isn't used for long after an update.
  private static let cachedSeconds = 300

  func answer(_ call: Call) -> Answer {
    var answer = Answer(json: bytes, cachedSeconds: Self.cachedSeconds)
    answer.contentType = "text/javascript; charset=utf-8"
    // Fetch Standard §3.7: isolated pages load scripts from another origin only if the response
    // allows it.
    answer.headers[.crossOriginResourcePolicy] = isForApps ? "cross-origin" : "same-origin"
    // An app may import it as a module, or pin its content with a hash: both read it across
    // origins.
    if isForApps { answer.headers[.accessControlAllowOrigin] = "*" }
    return answer
  }
}

extension HTTPField.Name {
  static let crossOriginResourcePolicy =
    HTTPField.Name("cross-origin-resource-policy") ?? .contentSecurityPolicy
}

import HTTPTypes

/// Decides whether a redirect alone opens an app.
///
/// `ASWebAuthenticationSession`, Safari and Firefox follow a 303 to the app's scheme, and so does
/// Chromium if a person started the navigation. If no person did, because the provider already knew
/// the user or submitted its form with a script, Chromium stays where it was: on an empty page, on
/// Android for example. Request headers show this beforehand: `Sec-Fetch-User` comes with a
/// navigation that a person started, through redirects as well (W3C, Fetch Metadata Request Headers
/// §2.4), and `Sec-CH-UA` with every request of a Chromium browser to a secure origin (WICG,
/// User-Agent Client Hints §3).
enum AppOpening {
  /// True if a page with a button opens the app, while a redirect may not.
  static func needsPerson(_ url: String, _ headers: HTTPFields) -> Bool {
    !isWeb(url) && headers.contains(.userAgentBrands) && headers[.fetchDestination] == "document"
      && !headers.contains(.fetchUser)
  }

  /// Whether a browser loads the URL itself.
  static func isWeb(_ url: String) -> Bool {
    let start = url.prefix(8).lowercased()
    return start.hasPrefix("http://") || start.hasPrefix("https://")
  }
}

extension HTTPField.Name {
  fileprivate static let userAgentBrands = HTTPField.Name("sec-ch-ua") ?? .userAgent
  fileprivate static let fetchUser = HTTPField.Name("sec-fetch-user") ?? .userAgent
  fileprivate static let fetchDestination = HTTPField.Name("sec-fetch-dest") ?? .userAgent
}

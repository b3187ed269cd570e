import HTTPTypes

/// Whether a redirect alone opens an app.
///
/// A 303 to the app's scheme is what `ASWebAuthenticationSession`, Safari and Firefox follow, and
/// Chromium too if a person set the browser going. If nobody touched it, because the provider knew
/// the person already or posted its form by a script, Chromium stays where it was: an empty page, on
/// Android for one. It says so beforehand: `Sec-Fetch-User` comes with a navigation that a person
/// caused, through redirects as well (W3C, Fetch Metadata Request Headers §2.4), and `Sec-CH-UA` with
/// every request of a Chromium to a secure origin (WICG, User-Agent Client Hints §3).
enum AppOpening {
  /// True where a page with a button does it, and a redirect may not.
  static func needsPerson(_ url: String, _ headers: HTTPFields) -> Bool {
    !isWeb(url) && headers.contains(.userAgentBrands) && headers[.fetchDestination] == "document"
      && !headers.contains(.fetchUser)
  }

  /// Whether a browser loads it itself.
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

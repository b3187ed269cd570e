import HTTPTypes

/// Decides whether a redirect alone opens an app.
///
/// `ASWebAuthenticationSession`, Safari and Firefox follow a 303 to the app's scheme. Chromium follows
/// it only if a person started the navigation. Otherwise, if the provider already knew the user or
/// submitted its form with a script, Chromium stays on the present page, which on Android is empty.
///
/// Request headers show this beforehand:
///
/// - `Sec-Fetch-User` is sent with a navigation that a person started, also after redirects (W3C,
///   Fetch Metadata Request Headers §2.4).
/// - `Sec-CH-UA` is sent with every request of a Chromium browser to a secure origin (WICG, User-Agent
///   Client Hints §3).
enum AppOpening {
  /// Whether the app should be opened with a button, because a redirect may not work.
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

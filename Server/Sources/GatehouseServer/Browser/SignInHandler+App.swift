import GatehouseProtocol
import HTTPTypes

/// How the user gets from the browser back to the app.
extension SignInHandler {
  /// `/__/auth/callback`: the target of an app's link, if a browser opens it and no app does.
  ///
  /// `link` and `firebaseError` are the parameters of the deep link itself. `deep_link_id` is
  /// present if the app named this URL as its `redirectUrl`, so that the device hands the URL to
  /// the app.
  func callback(_ call: Call) async throws -> Answer {
    guard ["link", "firebaseError", "deep_link_id"].contains(where: { call.query[$0] != nil })
    else { return try await get(call) }
    let link = try await appLink(call)
    return page(.backToApp(link: link?.url), of: link?.project, call)
  }

  /// Sends the browser to the app: with a redirect, or with a page if a redirect wouldn't open the
  /// app.
  func toApp(_ url: String, of project: Project?, _ call: Call) -> Answer {
    AppOpening.needsPerson(url, call.head.headerFields)
      ? page(.openApp(link: url), of: project, call) : redirect(url)
  }

  /// The URL with the app's own scheme that opens the app of this sign-in. Nil if the request
  /// contains no sealed response, or if the app no longer belongs to the project.
  ///
  /// It is created only from the sealed response, never from the rest of the request: an attacker
  /// can't make this page open a URL of their choice.
  private func appLink(_ call: Call) async throws -> (url: String, project: Project)? {
    let fields = call.query["deep_link_id"].map { FormFields(Self.query(of: $0)) } ?? call.query
    guard let link = fields["link"],
      let sealed = FormFields(Self.query(of: link))["answer"],
      let signIn = services.accounts.browserSignIn(ofSealedAnswer: sealed, now: call.now),
      let destination = signIn.destination, destination.page == nil,
      let project = try await services.projects.project(signIn.project)
    else { return nil }
    let addresses = try await ReturnAddresses.of(
      project, services, configuration)
    guard let url = Self.ownURL(destination.url, addresses) else { return nil }
    let address = address(of: signIn, call)
    let opening = Self.appURL(
      BrowserSignIn.Destination(mode: destination.mode, url: url, eventID: destination.eventID),
      .answered(
        link: "\(address.url)\(RedirectPath.shared)?answer=\(sealed)",
        sessionID: signIn.ownSessionID),
      address)
    return (opening, project)
  }

  /// An app's own URL: the destination itself; or, if the destination is this server's callback,
  /// the URL of the app that the destination's query names.
  private static func ownURL(_ url: String, _ addresses: ReturnAddresses) -> String? {
    guard AppOpening.isWeb(url) else {
      return (try? addresses.checkNative(url)) == nil ? nil : url
    }
    let path = url.prefix { $0 != "?" }
    guard path.utf8.reversed().starts(with: ReturnAddresses.unprefixedCallbackPath.utf8.reversed())
    else { return nil }
    let fields = FormFields(query(of: url))
    let scheme = try? addresses.scheme(
      bundleID: fields["ibi"] ?? "", clientID: fields["clientId"], appID: fields["appId"])
    return scheme.map { "\($0)://firebaseauth/link" }
  }

  private static func query(of url: String) -> String {
    String(decoding: url.utf8.drop { $0 != UInt8(ascii: "?") }.dropFirst(), as: UTF8.self)
  }
}

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

import GatehouseProtocol

/// The URLs to which a browser may be sent with a provider's response: the project's own domains
/// and apps, compared exactly, never as prefixes or patterns (RFC 9700 §2.1).
///
/// - `https` on an authorized domain; plain `http` on it only in `--dev`, and if its name is a loopback
///   name;
/// - `http` on loopback at any port, for apps that listen for the response (RFC 8252 §7.3), if the
///   project authorizes `localhost` or `127.0.0.1`. The name `localhost` itself requires that this
///   name is authorized;
/// - an app's own scheme: its bundle id, its app id as `app-1-…`, or its client id at Google
///   reversed.
///
/// A native app gets the response in a URL. An attacker can begin a sign-in with a link, and
/// another page of an authorized domain might pass the response on. So a native app may use only
/// the exact URLs that the project lists; this server's callback, which opens the app; loopback;
/// and `<scheme>://firebaseauth/link` with its own scheme.
///
/// In `--dev` any app is accepted, and any URL whose scheme contains a dot (RFC 8252 §7.1) or begins
/// with `app-`.
struct ReturnAddresses: Sendable {
  let domains: [String]
  /// Exact URLs, for native apps.
  let listed: [String]
  /// The path of the server's callback, below the public URL's own path.
  let callbackPath: String
  let apps: [App]
  let bundleIDs: [String]
  let googleClientIDs: [String]
  let isDevelopment: Bool

  /// The callback on an app's own domain, which forwards `/__/auth/` to this server.
  static let unprefixedCallbackPath = "/__/auth/callback"

  enum Fault: Error, Hashable, Sendable {
    /// The text isn't a URL for a browser, or browsers could read it differently than this server.
    case form
    /// The project doesn't list it.
    case notAuthorized
  }

  /// The URL to which the browser brings the response to `request`.
  ///
  /// - Throws: ``Fault``.
  func destination(
    of request: HandlerRequest
  ) throws(Fault) -> BrowserSignIn.Destination {
    switch request.requester {
    case .app(let app):
      let url: String
      if let redirectURL = app.redirectURL {
        try checkNative(redirectURL)
        url = redirectURL
      } else {
        let scheme = try scheme(
          bundleID: app.bundleID ?? "", clientID: app.clientID, appID: app.appID)
        url = "\(scheme)://firebaseauth/link"
      }
      return BrowserSignIn.Destination(mode: request.mode, url: url, eventID: app.eventID)
    case .page(let page):
      try check(page.address)
      let origin = page.address.origin
      return BrowserSignIn.Destination(
        mode: request.mode, url: request.mode.isPopup ? origin : page.address.url,
        eventID: page.eventID,
        page: BrowserSignIn.Page(origin: origin, apiKey: page.apiKey, appName: page.appName))
    }
  }

  /// Checks that a native app may receive the response at `text`.
  ///
  /// - Throws: ``Fault``.
  func checkNative(_ text: String) throws(Fault) {
    if isDevelopment { return try check(text) }
    if let url = OutboundURL(text) {
      guard !Self.hasDotSegments(url.text) else { throw .form }
      if listed.containsBytes(of: text) { return }
      try checkWeb(text)
      guard url.namesLoopback || isCallback(url) else { throw .notAuthorized }
      return
    }
    if listed.containsBytes(of: text) { return }
    try check(text)
    let scheme = Self.scheme(of: text) ?? ""
    guard text.hasSameBytes(as: "\(scheme)://firebaseauth/link") else { throw .notAuthorized }
  }

  /// Whether the URL, whose domain is authorized, is this server's callback. On such a domain
  /// `/__/auth/` belongs to this server. The callback opens the app that the system associates with
  /// the domain, or this server's page.
  private func isCallback(_ url: OutboundURL) -> Bool {
    let site = "https://\(url.host)"
    let end = url.text.firstIndex(of: "?") ?? url.text.endIndex
    return [site + Self.unprefixedCallbackPath, site + callbackPath]
      .contains { url.text[..<end].utf8.elementsEqual($0.utf8) }
  }

  /// - Throws: ``Fault``.
  func check(_ text: String) throws(Fault) {
    let scheme = Self.scheme(of: text)
    if scheme == "http" || scheme == "https" { return try checkWeb(text) }
    guard let scheme, text.utf8.count <= OutboundURL.maximumBytes,
      text.utf8.count > scheme.utf8.count + 1, text.utf8.allSatisfy(Self.isPlain)
    else { throw .form }
    guard isOwn(scheme: scheme) else { throw .notAuthorized }
  }

  /// Checks that `page` may begin a sign-in. An app's own scheme is never accepted.
  ///
  /// - Throws: ``Fault``.
  func check(_ page: PageAddress) throws(Fault) { try checkWeb(page.origin + "/") }

  /// The scheme of a native app, chosen as Google's SDK does: from `clientId`, otherwise from
  /// `appId`, otherwise the bundle id itself.
  ///
  /// - Throws: ``Fault``; ``Fault/notAuthorized`` if the bundle id, or the id from which the scheme is
  ///   made, doesn't belong to the project.
  func scheme(
    bundleID: String, clientID: String?, appID: String?
  ) throws(Fault) -> String {
    guard App.isBundleID(bundleID) else { throw .form }
    guard isDevelopment || bundleIDs.containsBytes(of: bundleID) else { throw .notAuthorized }
    if let clientID {
      let reversed = Self.reversed(clientID)
      guard Self.isScheme(reversed), reversed.utf8.contains(UInt8(ascii: ".")) else { throw .form }
      guard isDevelopment || googleClientIDs.containsBytes(of: clientID) else {
        throw .notAuthorized
      }
      return reversed
    }
    if let appID {
      let scheme = Self.scheme(ofApp: appID)
      guard Self.isScheme(scheme) else { throw .form }
      let isKnown = apps.contains {
        $0.id.hasSameBytes(as: appID) && $0.bundleID.hasSameBytes(as: bundleID)
      }
      guard isDevelopment || isKnown else { throw .notAuthorized }
      return scheme
    }
    guard Self.isScheme(bundleID) else { throw .form }
    return bundleID
  }

  private func checkWeb(_ text: String) throws(Fault) {
    // Only URLs with one possible reading: the part that names the host has no user information,
    // fragment, backslash, control character or escape.
    guard let url = OutboundURL(text), !Self.hasDotSegments(url.text) else { throw .form }
    guard url.isAuthorized(by: domains, isDevelopment: isDevelopment) else { throw .notAuthorized }
  }

  private func isOwn(scheme: String) -> Bool {
    // Schemes that an app may own (RFC 8252 §7.1), and never `javascript` or `data`.
    guard scheme.utf8.contains(UInt8(ascii: ".")) || scheme.utf8.starts(with: "app-".utf8)
    else { return false }
    let own =
      bundleIDs + googleClientIDs.map(Self.reversed) + apps.map { Self.scheme(ofApp: $0.id) }
    return isDevelopment || own.contains { $0.lowercased().hasSameBytes(as: scheme) }
  }

  /// `1:12345:ios:abc` → `app-1-12345-ios-abc`.
  private static func scheme(ofApp id: String) -> String {
    "app-" + id.split(separator: ":", omittingEmptySubsequences: false).joined(separator: "-")
  }

  /// `1-a.apps.example.com` → `com.example.apps.1-a`.
  private static func reversed(_ clientID: String) -> String {
    clientID.split(separator: ".", omittingEmptySubsequences: false).reversed()
      .joined(separator: ".")
  }

  /// In lower case, because schemes ignore case (RFC 3986 §3.1); nil if there is no scheme.
  private static func scheme(of text: String) -> String? {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
    let scheme = String(text[..<colon])
    return isScheme(scheme) ? scheme.lowercased() : nil
  }

  /// RFC 3986 §3.1.
  private static func isScheme(_ text: String) -> Bool {
    guard let first = text.utf8.first, text.utf8.count <= 255, isLetter(first) else {
      return false
    }
    return text.utf8.allSatisfy {
      isLetter($0) || (0x30...0x39).contains($0) || "+-.".utf8.contains($0)
    }
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20)
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    (0x21...0x7E).contains(byte) && !"#\"<>\\^`{|}".utf8.contains(byte)
  }

  /// Browsers remove `..`, also when written as `%2e%2e` (URL standard), and then load another
  /// path.
  static func hasDotSegments(_ url: String) -> Bool {
    let path = url.prefix { $0 != "?" && $0 != "#" }
    return path.split(separator: "/").contains { segment in
      let plain = segment.lowercased().replacing("%2e", with: ".")
      return plain == "." || plain == ".."
    }
  }
}

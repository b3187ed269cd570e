import GatehouseAccounts
import GatehouseFederation
import GatehouseModel
import GatehouseWire
import HTTPTypes

/// How the person gets from the browser to the app.
extension SignInHandler {
  /// `/__/auth/callback`: where an app's link leads, if a browser opens it and no app does.
  ///
  /// `link` and `firebaseError` are the deep link itself; `deep_link_id` comes where the app asked to be
  /// called back here, for a device to hand over to it.
  func callback(_ call: Call) async throws -> Answer {
    guard ["link", "firebaseError", "deep_link_id"].contains(where: { call.query[$0] != nil })
    else { return try await get(call) }
    return page(.backToApp(link: try await appLink(call)), call)
  }

  /// Sends the browser to the app: by a redirect, or where that wouldn't open it, with a page.
  func toApp(_ url: String, _ call: Call) -> Answer {
    AppOpening.needsPerson(url, call.head.headerFields)
      ? page(.openApp(link: url), call) : redirect(url)
  }

  /// What opens the app of the very sign-in whose sealed answer came, by a scheme of its own; nil if
  /// none did or the project names no such app any more.
  ///
  /// Made from what is sealed, and of the request nothing else: nobody can have this page open
  /// something of their choosing.
  private func appLink(_ call: Call) async throws -> String? {
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
    return Self.appURL(
      BrowserSignIn.Destination(mode: destination.mode, url: url, eventID: destination.eventID),
      .answered(
        link: "\(address.url)\(RedirectPath.shared)?answer=\(sealed)",
        sessionID: signIn.ownSessionID),
      address)
  }

  /// An app's own URL: the destination, or where that is our callback, what its query names.
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

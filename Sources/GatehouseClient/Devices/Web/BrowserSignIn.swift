package import Foundation

/// A sign-in in a browser: opens the server's page, and creates a credential from the URL at which
/// the browser returns.
///
/// The server's page leads to `<redirect
/// URL>?deep_link_id=<https://…/__/auth/callback?authType=…&eventId=…&link=…>`, or with
/// `firebaseError` in place of `link`. Nothing is trusted here: the server checks the link, and
/// that the caller has the session id. The session id doesn't leave this process before that.
package struct BrowserSignIn: Sendable {
  package var provider: Provider
  package var scopes: [String]
  package var customParameters: [String: String]
  /// See ``BrowserSignInRequest/handlerHost``.
  package var handlerHost: String?

  package init(
    provider: Provider, scopes: [String] = [], customParameters: [String: String] = [:]
  ) {
    self.provider = provider
    self.scopes = scopes
    self.customParameters = customParameters
  }

  /// - Returns: The credential to send to the server, once.
  package func credential(
    for client: AuthClient, in browser: any WebPresenting
  ) async throws(BrowserFault) -> IdentityProviderCredential {
    let (sessionID, eventID) = (Nonce().raw, Nonce().raw)
    let address: URL
    do {
      address = try await browser.present { redirectURL throws(ClientError) in
        try client.handlerURL(
          BrowserSignInRequest(
            provider: provider, scopes: scopes, customParameters: customParameters,
            sessionID: sessionID, eventID: eventID, redirectURL: redirectURL,
            handlerHost: handlerHost))
      }
    } catch .notBegun(let error) {
      throw .notBegun(error)
    } catch {
      throw .device(error)
    }
    var credential = IdentityProviderCredential(provider: provider)
    credential.redirect = RedirectAnswer(
      requestURI: try Self.link(in: address, eventID: eventID), sessionID: sessionID)
    return credential
  }

  /// The event id of the request that `address` belongs to. `address` is the page that is opened,
  /// or the URL at which the browser returned.
  package static func eventID(in address: URL) -> String? {
    let outer = parameters(of: address)
    return outer["eventId"]
      ?? outer["deep_link_id"].flatMap(URL.init(string:)).flatMap { parameters(of: $0)["eventId"] }
  }

  /// - Parameter eventID: The event id of the request. A response with another event id belongs to
  ///   another request.
  static func link(in address: URL, eventID: String) throws(BrowserFault) -> String {
    let outer = parameters(of: address)
    let inner: [String: String]
    if let link = outer["deep_link_id"] {
      guard let url = URL(string: link) else { throw .notUnderstood }
      inner = parameters(of: url)
    } else {
      inner = outer
    }
    guard let event = inner["eventId"], event.utf8.elementsEqual(eventID.utf8) else {
      throw .anotherRequest
    }
    if let page = inner["firebaseError"] { throw fault(of: page) }
    guard let link = inner["link"] else { throw .notUnderstood }
    return link
  }

  private static func parameters(of url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(
      items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { first, _ in first })
  }

  private struct PageFault: Decodable {
    var code: String?
    var message: String?
  }

  private static func fault(of text: String) -> BrowserFault {
    let page = try? JSONDecoder().decode(PageFault.self, from: Data(text.utf8))
    switch page?.code {
    case "auth/web-context-cancelled", "auth/user-cancelled": return .device(.cancelled)
    case let code?: return .page(code: code, message: page?.message)
    case nil: return .notUnderstood
    }
  }
}

/// Why a sign-in in a browser returned no credential.
package enum BrowserFault: Error, Sendable, Hashable {
  case device(DeviceFault)
  /// The URL to open couldn't be created, so nothing was opened.
  case notBegun(ClientError)
  /// An error code from the server's page, such as `auth/network-request-failed`.
  case page(code: String, message: String?)
  /// The URL is the response to another request.
  case anotherRequest
  /// The URL isn't a response of the server.
  case notUnderstood
}

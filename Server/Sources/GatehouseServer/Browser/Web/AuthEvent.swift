import GatehouseProtocol

/// The result of a sign-in in the form that Google's SDK for JavaScript expects.
///
/// ```
/// {type, eventId, urlResponse, sessionId, postBody, tenantId, error}
/// ```
struct AuthEvent: Sendable {
  let mode: BrowserSignIn.Mode
  let eventID: String?
  let result: Result

  enum Result: Sendable {
    /// `urlResponse` is sent to signInWithIdp as `requestUri`, together with the session id.
    case answered(link: String, sessionID: Secret<String>)
    case failed(AppError)
  }

  var json: JSONValue {
    var event: JSONObject = [
      "type": .string(mode.rawValue), "eventId": eventID.map { .string($0) } ?? .null,
      "urlResponse": .null, "sessionId": .null, "postBody": .null, "tenantId": .null,
      "error": .null,
    ]
    switch result {
    case .answered(let link, let sessionID):
      event["urlResponse"] = .string(link)
      event["sessionId"] = .string(sessionID.reveal())
    case .failed(let error):
      event["error"] = error.ofPage.json
    }
    return .object(event)
  }
}

/// An event on its way to the requesting page: from the handler's page, through this server's
/// script, to this server's frame in the requesting page.
struct EventDelivery: Sendable {
  let event: AuthEvent
  let page: BrowserSignIn.Page
  /// The URL to which the browser goes next. Nil for a popup: the requesting page is still open in
  /// another window.
  let returnURL: String?

  init(
    _ result: AuthEvent.Result, for destination: BrowserSignIn.Destination, page: BrowserSignIn.Page
  ) {
    event = AuthEvent(mode: destination.mode, eventID: destination.eventID, result: result)
    self.page = page
    returnURL = destination.mode.isPopup ? nil : destination.url
  }

  var script: PageScript { returnURL == nil ? .popup : .redirect }

  /// The JSON text for a data block in an HTML page.
  var json: String {
    let delivery: JSONObject = [
      "apiKey": .string(page.apiKey), "appName": .string(page.appName),
      "origin": .string(page.origin), "event": event.json,
      "returnUrl": returnURL.map { .string($0) } ?? .null,
    ]
    return DataBlock.text(JSONValue.object(delivery).text())
  }
}

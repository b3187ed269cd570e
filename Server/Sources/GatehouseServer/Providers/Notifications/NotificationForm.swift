import GatehouseProtocol

/// How a provider posts its notifications over HTTP.
package enum NotificationForm: Hashable, Sendable {
  /// `{"payload": "<JWS>"}`; a receiver responds with 200 (Apple).
  case payload
  /// The token itself (RFC 8935 §2.1); a receiver responds with 202 (§2.2).
  case token

  /// The token in a request's body, not verified.
  ///
  /// - Returns: Nil if the body doesn't have this form.
  package func jws(inBody body: [UInt8]) -> String? {
    switch self {
    case .payload: (try? JSONObject(parsing: body))?["payload"]?.string
    case .token: String(validating: body, as: UTF8.self)?.trimmingASCIIWhitespace
    }
  }

  /// - Parameter jws: In the compact serialization, as the provider sent it.
  package func content(_ jws: String) -> OutboundRequest.Content {
    switch self {
    case .payload:
      // The JWS was parsed when it arrived, so it has no character that JSON must escape.
      OutboundRequest.Content(
        type: "application/json", bytes: Secret(Array("{\"payload\":\"\(jws)\"}".utf8)))
    case .token:
      OutboundRequest.Content(
        type: "application/secevent+jwt", bytes: Secret(Array(jws.utf8)))
    }
  }

  /// The text of the error about a body of another form.
  package var expectedBody: String {
    switch self {
    case .payload: "The body must be {\"payload\": \"<JWS>\"}."
    case .token: "The body must be a JWS in the compact serialization."
    }
  }

  /// The status of a response that accepts a notification.
  package var acceptedStatus: Int {
    switch self {
    case .payload: 200
    case .token: 202
    }
  }
}

extension String {
  fileprivate var trimmingASCIIWhitespace: String {
    let isSpace = { (byte: UInt8) in byte == 0x20 || (0x09...0x0D).contains(byte) }
    let rest = utf8.drop(while: isSpace)
    let end = rest.lastIndex { !isSpace($0) }.map { rest.index(after: $0) } ?? rest.startIndex
    return String(decoding: rest[rest.startIndex..<end], as: UTF8.self)
  }
}

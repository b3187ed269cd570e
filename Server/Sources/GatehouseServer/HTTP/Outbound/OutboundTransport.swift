package import GatehouseProtocol

/// Sends one request to another host.
///
/// The server uses ``OutboundClient``, which enforces the outbound rule. A transport returns
/// responses of every status: a redirect is a response like any other, and is not followed.
package protocol OutboundTransport: Sendable {
  /// - Throws: ``OutboundError`` if there is no response within the transport's limits.
  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse
}

/// A GET, a POST of a form or of other content, or a DELETE.
package struct OutboundRequest: Sendable {
  package var url: OutboundURL
  /// The project whose call this is: each has only a share of the calls and look-ups. Nil for a call of the
  /// server itself or of the operator.
  package var project: ProjectID?
  /// The provider that is called; nil for another receiver.
  package var provider: ProviderID?
  /// `traceparent` (W3C Trace Context).
  package var traceParent: String?
  /// Parameters that follow the URL's own. They are separate because the URL may be logged, and the
  /// parameters may be secrets.
  package var query: [FormField]
  /// Fields of an `application/x-www-form-urlencoded` body. They make the request a POST,
  /// unless it is a DELETE.
  package var form: [FormField]?
  /// A body of another type. It makes the request a POST, unless it is a DELETE.
  package var content: Content?
  /// The `Authorization` header's value.
  package var authorization: Secret<String>?
  /// Makes the request a DELETE.
  package var isDeletion = false
  /// Whether the request fetches a provider's public documents. All sign-ins with the provider wait
  /// for these, so some calls are reserved for them.
  package var isForKeys = false
  /// Whether only the status and headers of the response are used: ``OutboundResponse/body`` is
  /// empty, and a response of any size counts. A webhook that accepted a message must not get it again
  /// because its response was long or slow.
  package var ignoresResponseBody = false

  package init(
    _ url: OutboundURL, query: [FormField] = [], form: [FormField]? = nil,
    authorization: Secret<String>? = nil
  ) {
    self.url = url
    self.query = query
    self.form = form
    self.authorization = authorization
  }

  /// A message to a webhook: only the status and headers of its response are used.
  package init(message content: Content, to url: OutboundURL, of project: ProjectID?) {
    self.init(url)
    self.project = project
    self.content = content
    ignoresResponseBody = true
  }

  /// A body of any type, with the headers that belong to it.
  package struct Content: Sendable {
    package var type: String
    package var bytes: Secret<[UInt8]>
    /// Names in lower case, values of visible ASCII.
    package var headers: [(name: String, value: Secret<String>)]

    package init(
      type: String, bytes: Secret<[UInt8]>, headers: [(name: String, value: Secret<String>)] = []
    ) {
      self.type = type
      self.bytes = bytes
      self.headers = headers
    }
  }

  /// Any field may be a secret (a code, a client secret), so each is treated as one.
  package struct FormField: Sendable {
    package var name: String
    package var value: Secret<String>

    package init(_ name: String, _ value: Secret<String>) {
      self.name = name
      self.value = value
    }

    package init(_ name: String, _ value: String) { self.init(name, Secret(value)) }
  }
}

/// A response with its whole body, unless ``OutboundRequest/ignoresResponseBody`` is true.
package struct OutboundResponse: Sendable {
  package var status: Int
  /// The `Cache-Control` header's value, if there was one.
  package var cacheControl: String?
  /// The `Age` header in seconds, if there was one.
  package var age: Int?
  /// The `Date` header's value, if there was one: the host's time.
  package var date: String?
  /// The `Retry-After` header in seconds, if there was one with a number.
  package var retryAfter: Int?
  /// Without a byte order mark: "implementations that parse JSON texts MAY ignore the presence of a byte
  /// order mark" (RFC 8259 §8.1), which editors and some servers write.
  package let body: [UInt8]

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  package init(
    status: Int, cacheControl: String? = nil, age: Int? = nil, date: String? = nil,
    retryAfter: Int? = nil, body: [UInt8]
  ) {
    self.status = status
    self.cacheControl = cacheControl
    self.age = age
    self.date = date
    self.retryAfter = retryAfter
    self.body = body.starts(with: Self.byteOrderMark) ? Array(body.dropFirst(3)) : body
  }
}

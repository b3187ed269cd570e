package import GatehouseModel

/// Sends one request to the outside world.
///
/// The server's is ``OutboundClient``, which enforces the outbound rule. A transport answers
/// whatever status came: a redirect is an answer like any other, and is not followed.
package protocol OutboundTransport: Sendable {
  /// - Throws: ``OutboundError`` where no answer came within the transport's bounds.
  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse
}

/// A GET, a POST of a form or of other content, or a DELETE.
package struct OutboundRequest: Sendable {
  package var url: OutboundURL
  /// Parameters that follow the URL's own. Kept apart from it: what is logged of a request is its
  /// URL, and these may be secrets.
  package var query: [FormField]
  /// Fields of an `application/x-www-form-urlencoded` body; nil makes it a GET.
  package var form: [FormField]?
  /// The body of a POST or a DELETE that isn't a form's.
  package var content: Content?
  /// The `Authorization` header's value.
  package var authorization: Secret<String>?
  /// Makes it a DELETE.
  package var isDeletion = false
  /// It fetches a provider's public documents: all sign-ins with the provider wait for these, so
  /// other calls leave room for them.
  package var isForKeys = false

  package init(
    _ url: OutboundURL, query: [FormField] = [], form: [FormField]? = nil,
    authorization: Secret<String>? = nil
  ) {
    self.url = url
    self.query = query
    self.form = form
    self.authorization = authorization
  }

  /// A body of whatever type, with the headers that say something of it.
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

/// What came back, its body whole.
package struct OutboundResponse: Sendable {
  package var status: Int
  /// The `Cache-Control` header's value, if there was one.
  package var cacheControl: String?
  /// The `Age` header in seconds, if there was one.
  package var age: Int?
  /// The `Date` header's value, if there was one: what time it is there.
  package var date: String?
  package var body: [UInt8]

  package init(
    status: Int, cacheControl: String? = nil, age: Int? = nil, date: String? = nil,
    body: [UInt8]
  ) {
    self.status = status
    self.cacheControl = cacheControl
    self.age = age
    self.date = date
    self.body = body
  }
}

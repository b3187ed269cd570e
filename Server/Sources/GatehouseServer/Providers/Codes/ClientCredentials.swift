import GatehouseProtocol

import struct Foundation.Data
import struct Foundation.Date

/// How this server authenticates as a client to a provider.
struct ClientCredentials: Sendable {
  /// The clients to which the code or token may have been issued, the likeliest first.
  var clientIDs: [String]
  var method: Method

  enum Method: Sendable {
    /// A public client: PKCE protects its codes (RFC 7636).
    case none
    /// `client_secret_post` (OpenID Connect Core §9).
    case secretInBody(Secret<String>)
    /// `client_secret_basic`.
    case secretInHeader(Secret<String>)
    /// `private_key_jwt`.
    case assertion(ClientAssertion)
    /// A secret that is created for each request.
    case minted(any ClientSecretMinting)

    /// The secret that the client shares with the provider, if it has one.
    var sharedSecret: Secret<String>? {
      switch self {
      case .secretInBody(let secret), .secretInHeader(let secret): secret
      case .none, .assertion, .minted: nil
      }
    }
  }

  init(clientIDs: [String], method: Method) {
    self.clientIDs = clientIDs
    self.method = method
  }

  /// `client_secret_post`, or a public client if there is no secret.
  init(secretInBodyOf configuration: ProviderConfiguration, clientID: String?) {
    self.init(
      clientIDs: [clientID ?? configuration.clientID],
      method: configuration.clientSecret.map { .secretInBody($0) } ?? .none)
  }

  /// Adds the form fields or the header that authenticate us as `clientID`.
  func authenticate(
    _ request: inout OutboundRequest, clientID: String, now: Date
  ) {
    var form = request.form ?? []
    switch method {
    case .none:
      form.append(.init("client_id", clientID))
    case .secretInBody(let secret):
      form.append(.init("client_id", clientID))
      form.append(.init("client_secret", secret))
    case .secretInHeader(let secret):
      // "encoded using the application/x-www-form-urlencoded encoding algorithm" (RFC 6749 §2.3.1).
      // A space becomes `%20` and not `+`: some servers decode only percent-encoding, and every
      // form decoder accepts it.
      let pair =
        FormEncoding.escaped(clientID) + ":" + FormEncoding.escaped(secret.reveal())
      request.authorization = Secret("Basic " + Data(pair.utf8).base64EncodedString())
    case .assertion(let assertion):
      // "The client_id is unnecessary", but some providers require it; it must name the same client
      // (RFC 7521 §4.2).
      form.append(.init("client_id", clientID))
      if let text = assertion.mint(clientID: clientID, for: request.url, now: now) {
        form.append(.init("client_assertion_type", ClientAssertion.type))
        form.append(.init("client_assertion", text))
      }
    case .minted(let secrets):
      form.append(.init("client_id", clientID))
      if let secret = secrets.mint(clientID: clientID, now: now) {
        form.append(.init("client_secret", secret))
      }
    }
    request.form = form
  }
}

/// Creates client secrets, for a provider that requires signed, short-lived ones.
protocol ClientSecretMinting: Sendable {
  /// - Returns: Nil if signing failed.
  func mint(clientID: String, now: Date) -> Secret<String>?
}

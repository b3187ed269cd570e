import GatehouseProtocol
import GatehouseTokens

/// What a provider publishes about itself (OpenID Connect Discovery §3), as far as the server uses
/// it.
package struct ProviderMetadata: Sendable {
  var issuer: String
  var keys: OutboundURL
  var token: OutboundURL?
  var revoke: OutboundURL?
  var userInfo: OutboundURL?
  var authorize: OutboundURL?
  /// Nil if the document doesn't name them.
  var scopes: [String]?
  var responseModes: [String]?
  /// The code challenge methods of PKCE (RFC 8414 §2).
  var challengeMethods: [String]?
  /// Whether every response of the authorization endpoint names its issuer (RFC 9207 §3).
  var namesIssuerInAnswers: Bool
  /// How clients authenticate at the token endpoint, such as `private_key_jwt`; nil if the document
  /// doesn't name the methods.
  var authenticationMethods: [String]?
  /// The algorithms with which assertions may be signed.
  var assertionAlgorithms: [String]?
  /// Whether clients can be registered for encrypted userinfo.
  var encryptsUserInfo: Bool

  /// Reads the document.
  ///
  /// - Parameters:
  ///   - issuer: The configured issuer. "The issuer value returned MUST be identical to the
  ///     Issuer URL that was used as the prefix" (§4.3), byte for byte, wherever the document is.
  ///   - allowsPlainHTTP: For development. The transport still rejects plain http except to
  ///     loopback.
  init(
    parsing bytes: [UInt8], issuer: String, allowsPlainHTTP: Bool
  ) throws(RemoteKeyFailure) {
    guard let document = try? JSONObject(parsing: bytes, limits: .document) else {
      throw .malformed(.discovery)
    }
    let received = document["issuer"]?.string ?? ""
    guard received.hasSameBytes(as: issuer) else {
      throw .otherIssuer(received: String(received.prefix(256)), expected: issuer)
    }
    self.issuer = issuer
    let endpoints = Endpoints(document: document, allowsPlainHTTP: allowsPlainHTTP)
    guard let keys = try endpoints["jwks_uri"] else { throw .malformed(.discovery) }
    self.keys = keys
    token = try endpoints["token_endpoint"]
    revoke = try endpoints["revocation_endpoint"]
    userInfo = try endpoints["userinfo_endpoint"]
    authorize = try endpoints["authorization_endpoint"]
    let list = { (name: String) in document[name]?.array?.compactMap(\.string) }
    scopes = list("scopes_supported")
    responseModes = list("response_modes_supported")
    challengeMethods = list("code_challenge_methods_supported")
    namesIssuerInAnswers =
      document["authorization_response_iss_parameter_supported"]?.bool ?? false
    authenticationMethods = list("token_endpoint_auth_methods_supported")
    assertionAlgorithms = list("token_endpoint_auth_signing_alg_values_supported")
    encryptsUserInfo = list("userinfo_encryption_alg_values_supported")?.isEmpty == false
  }

  var acceptsSecretInBody: Bool {
    authenticationMethods?.containsBytes(of: "client_secret_post") ?? false
  }

  /// "If omitted, the default is client_secret_basic."
  var acceptsSecretInHeader: Bool {
    authenticationMethods?.containsBytes(of: "client_secret_basic") ?? true
  }

  /// "If omitted, the default for Dynamic OpenID Providers is ["query", "fragment"]" (§3).
  func offers(_ mode: ResponseMode) -> Bool {
    responseModes?.containsBytes(of: mode.rawValue) ?? (mode != .formPost)
  }
}

/// The members of a document that are URLs.
private struct Endpoints {
  let document: JSONObject
  let allowsPlainHTTP: Bool

  subscript(name: String) -> OutboundURL? {
    get throws(RemoteKeyFailure) {
      guard let text = document.optional(name)?.string else { return nil }
      guard let url = OutboundURL(text), url.isSecure || allowsPlainHTTP else {
        throw .endpoint(name)
      }
      return url
    }
  }
}

extension JSONLimits {
  /// The limits of a provider's document. The transport limits its size too.
  static let document = JSONLimits(bytes: 256 * 1024, depth: 16, values: 10_000)
}

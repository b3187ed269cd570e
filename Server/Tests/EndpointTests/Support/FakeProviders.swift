import Crypto
import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Synchronization
import Testing

/// Apple, Google, Facebook and one OpenID provider in memory: their documents, their tokens, and
/// the requests that they received.
final class FakeProviders: OutboundTransport {
  static let issuer = "https://issuer.example.com"
  /// A second, malicious OpenID provider, which no configuration names by default.
  static let evilIssuer = "https://evil-issuer.example.com"

  /// The requested paths, in order, with the fields of a form.
  private let log = Mutex<
    [(url: String, form: [String: String], authorization: String?)]
  >([])
  private let codes = Mutex<[String: String]>([:])

  var requests: [(url: String, form: [String: String], authorization: String?)] {
    log.withLock { $0 }
  }

  private let silent = Mutex<String?>(nil)

  /// From now on, requests to `url` get no response; nil: all requests get one.
  func silence(_ url: String?) { silent.withLock { $0 = url } }

  /// The tokens that Google has revoked.
  private let ended = Mutex<Set<String>>([])

  private let meanwhile = Mutex<(@Sendable () async -> Void)?>(nil)

  /// Runs `action` once, before the next code is exchanged.
  func beforeExchange(_ action: @escaping @Sendable () async -> Void) {
    meanwhile.withLock { $0 = action }
  }

  /// The provider's answer to the exchange of `code` contains this ID token. Works once.
  func issue(code: String, idToken: String) { codes.withLock { $0[code] = idToken } }

  static var configurations: [ProviderConfiguration] {
    var apple = ProviderConfiguration(id: .apple, clientID: "com.example.web", trustEmail: .always)
    apple.isEnabled = true
    apple.apple = .init(
      bundleIDs: ["com.example.app"], teamID: "TEAM123456", keyID: "KEY1234567",
      privateKey: Secret(P256.Signing.PrivateKey().pemRepresentation))
    var google = ProviderConfiguration(
      id: .google, clientID: "google-client", trustEmail: .always)
    google.isEnabled = true
    google.clientSecret = Secret("a-google-secret")
    var facebook = ProviderConfiguration(
      id: .facebook, clientID: "1234567890", trustEmail: .never)
    facebook.isEnabled = true
    facebook.clientSecret = Secret("an-app-secret")
    return [apple, google, facebook]
      + [("oidc.trusted", EmailTrust.always), ("oidc.plain", .never)]
      .compactMap { name, trust in
        guard let id = ProviderID(name) else { return nil }
        var provider = ProviderConfiguration(id: id, clientID: "oidc-client", trustEmail: trust)
        provider.isEnabled = true
        provider.issuer = issuer
        if name == "oidc.trusted" { provider.clientSecret = Secret("an-oidc-secret") }
        return provider
      }
  }

  func send(_ request: OutboundRequest) async throws(OutboundError) -> OutboundResponse {
    let form = Dictionary(
      (request.form ?? []).map { ($0.name, $0.value.reveal()) }, uniquingKeysWith: { $1 })
    log.withLock { $0.append((request.url.text, form, request.authorization?.reveal())) }
    if silent.withLock({ $0 }) == request.url.text { throw .timedOut(host: request.url.host) }
    let answer: JSONValue
    switch request.url.text {
    case "\(Self.issuer)/.well-known/openid-configuration": answer = Self.metadata(Self.issuer)
    case "\(Self.evilIssuer)/.well-known/openid-configuration":
      answer = Self.metadata(Self.evilIssuer)
    case "https://appleid.apple.com/auth/token" where form["grant_type"] == "client_credentials":
      answer = ["access_token": "migration", "token_type": "Bearer", "expires_in": 3600]
    case "https://appleid.apple.com/auth/usermigrationinfo": return Self.migration(form)
    case "https://appleid.apple.com/auth/token", "https://oauth2.googleapis.com/token",
      "\(Self.issuer)/token":
      if let action = meanwhile.withLock({ exchange(&$0, with: nil) }) { await action() }
      guard let code = form["code"], let idToken = codes.withLock({ $0.removeValue(forKey: code) })
      else { return Self.response(400, ["error": "invalid_grant"]) }
      answer = [
        "access_token": "apple-access", "refresh_token": "apple-refresh", "token_type": "Bearer",
        "expires_in": 3600, "id_token": .string(idToken),
      ]
    case "https://appleid.apple.com/auth/revoke": answer = [:]
    case "https://oauth2.googleapis.com/revoke":
      // Google knows a token only until it is revoked.
      guard let token = form["token"], ended.withLock({ $0.insert(token).inserted }) else {
        return Self.response(400, ["error": "invalid_token"])
      }
      answer = [:]
    case "https://oauth2.googleapis.com/tokeninfo",
      "https://openidconnect.googleapis.com/v1/userinfo":
      return Self.google(request, token: form["access_token"])
    case "\(Self.issuer)/userinfo":
      let isMadeUp = request.authorization?.reveal() == "Bearer made-up"
      return Self.response(isMadeUp ? 401 : 404, [:])
    case let url where url.hasPrefix("https://graph.facebook.com/"):
      return Self.facebook(request)
    default:
      guard let jwk = try? SharedKeys.provider.get().publicJWK() else {
        throw .broken(host: request.url.host)
      }
      return OutboundResponse(
        status: 200, cacheControl: "max-age=3600", body: PublicJWK.keySet([jwk]))
    }
    return Self.response(200, answer)
  }

  private static func metadata(_ issuer: String) -> JSONValue {
    [
      "issuer": .string(issuer), "jwks_uri": .string("\(issuer)/jwks"),
      "authorization_endpoint": .string("\(issuer)/authorize"),
      "token_endpoint": .string("\(issuer)/token"),
      "userinfo_endpoint": .string("\(issuer)/userinfo"),
      "response_types_supported": ["code", "id_token"], "subject_types_supported": ["public"],
      "id_token_signing_alg_values_supported": ["RS256"],
      "scopes_supported": ["openid", "email", "profile"],
    ]
  }

  /// Apple's answer about a user of a team, whose subject is `old-…`, or of the next team: `new-…`.
  private static func migration(_ form: [String: String]) -> OutboundResponse {
    if let subject = form["sub"], subject.hasPrefix("old-") {
      return response(200, ["transfer_sub": .string("t-" + subject.dropFirst(4))])
    }
    if let transfer = form["transfer_sub"] {
      return response(200, ["sub": .string("new-" + transfer.dropFirst(2))])
    }
    return response(400, ["error": "invalid_request"])
  }

  /// Google's answers about the access tokens `google-good` and `other-app`; others are unknown.
  private static func google(_ request: OutboundRequest, token: String?) -> OutboundResponse {
    let bearer = request.authorization?.reveal()
    if bearer == "Bearer google-good" {
      return response(
        200,
        ["sub": "g-9", "email": "ada@gmail.com", "email_verified": true, "name": "Ada L"])
    }
    switch token {
    case "google-good": return response(200, ["aud": "google-client", "sub": "g-9"])
    case "other-app": return response(200, ["aud": "other-client", "sub": "g-9"])
    default: return response(400, ["error": "invalid_token"])
    }
  }

  /// The Graph API, for the tokens `good`, `other-app` and `revoked`; it refuses others.
  private static func facebook(_ request: OutboundRequest) -> OutboundResponse {
    if request.url.text.hasSuffix("/me") {
      return response(
        200,
        [
          "id": "1001", "name": "Ada L", "first_name": "Ada", "last_name": "L",
          "email": "ada@example.com",
          "picture": ["data": ["url": "https://example.com/p.png"]],
        ])
    }
    if request.url.text.hasSuffix("/oauth/access_token") {
      let code = request.form?.first { $0.name == "code" }?.value.reveal()
      return code == "good"
        ? response(200, ["access_token": "good", "token_type": "bearer"])
        : response(400, ["error": ["message": "Invalid verification code format.", "code": 100]])
    }
    let token = request.query.first { $0.name == "input_token" }?.value.reveal()
    switch token {
    case "good", "other-app":
      return response(
        200,
        [
          "data": [
            "app_id": token == "good" ? "1234567890" : "9", "type": "USER", "is_valid": true,
            "expires_at": 0, "scopes": ["email"], "user_id": "1001",
          ]
        ])
    case "revoked":
      return response(
        200,
        [
          "data": [
            "is_valid": false,
            "error": [
              "code": 190, "subcode": 466, "message": "The session was invalidated.",
            ],
          ]
        ])
    default:
      return response(
        400,
        [
          "error": [
            "message": "(#100) The App_id in the input_token did not match the Viewing App",
            "code": 100,
          ]
        ])
    }
  }

  private static func response(_ status: Int, _ body: JSONValue) -> OutboundResponse {
    OutboundResponse(status: status, cacheControl: "max-age=3600", body: body.serialized())
  }

  /// An ID token of the provider, issued at ``TestServer/start`` for an hour; `claims` replace
  /// defaults.
  static func token(
    _ provider: String = "oidc.trusted", _ claims: KeyValuePairs<String, JSONValue>
  ) throws -> String {
    try token(provider, claims: claims.map { ($0.key, $0.value) })
  }

  /// The same; if a name occurs twice, the last value is used.
  static func token(_ provider: String, claims: [(String, JSONValue)]) throws -> String {
    let (issuer, audience) =
      switch provider {
      case "apple.com": ("https://appleid.apple.com", "com.example.app")
      case "apple.web": ("https://appleid.apple.com", "com.example.web")
      case "google.com": ("https://accounts.google.com", "google-client")
      default: (Self.issuer, "oidc-client")
      }
    let start = Int64(TestServer.start.timeIntervalSince1970)
    var payload: JSONObject = [
      "iss": .string(issuer), "aud": .string(audience), "iat": .number(JSONNumber(start)),
      "exp": .number(JSONNumber(start + 3600)),
    ]
    for (name, value) in claims { payload[name] = value }
    let signer = RS256Signer(key: try SharedKeys.provider.get())
    return try TokenWriter(signer: signer).token(payload: payload.serialized())
  }

  /// `signInWithIdp` with a token of the provider.
  static func signIn(
    _ provider: String = "oidc.trusted", _ token: String, more: String = "",
    fields: KeyValuePairs<String, JSONValue> = [:]
  ) -> TestRequest {
    var body: JSONObject = [
      "requestUri": "http://localhost", "returnSecureToken": true,
      "postBody": .string("id_token=\(token)&providerId=\(provider)\(more)"),
    ]
    for (name, value) in fields { body[name] = value }
    return .accounts("signInWithIdp", .object(body))
  }
}

extension String {
  var sha256Hex: String {
    SHA256.hash(data: Data(utf8)).map { byte in
      let text = String(byte, radix: 16)
      return text.utf8.count == 1 ? "0\(text)" : text
    }.joined()
  }
}

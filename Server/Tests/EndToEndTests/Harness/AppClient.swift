import Foundation

/// An app as the server sees it: calls with an API key.
struct AppClient: Sendable {
  let baseURL: String
  var apiKey = "any-key"

  /// `accounts:<method>`, over the prefixed path that SDKs use with an emulator.
  func call(_ method: String, _ body: JSON, headers: [(String, String)] = []) async throws -> Reply
  {
    try await HTTP.post(
      "\(baseURL)/identitytoolkit.googleapis.com/v1/accounts:\(method)?key=\(apiKey)", body,
      headers: headers)
  }

  func signUp(_ email: String, _ password: String) async throws -> Reply {
    try await call(
      "signUp",
      ["email": .string(email), "password": .string(password), "returnSecureToken": true])
  }

  func signIn(_ email: String, _ password: String) async throws -> Reply {
    try await call(
      "signInWithPassword",
      ["email": .string(email), "password": .string(password), "returnSecureToken": true])
  }

  /// - Parameters:
  ///   - idToken: An ID token of the account to which the identity is linked.
  ///   - autoCreate: False to re-authenticate.
  func signInWithIdp(
    postBody: String, idToken: String? = nil, autoCreate: Bool? = nil,
    returnIdpCredential: Bool? = nil
  ) async throws -> Reply {
    var body: [String: JSON] = [
      "requestUri": "http://localhost", "postBody": .string(postBody), "returnSecureToken": true,
    ]
    if let idToken { body["idToken"] = .string(idToken) }
    if let autoCreate { body["autoCreate"] = .bool(autoCreate) }
    if let returnIdpCredential { body["returnIdpCredential"] = .bool(returnIdpCredential) }
    return try await call("signInWithIdp", .object(body))
  }

  func signIn(_ credential: Credential) async throws -> Reply {
    try await signInWithIdp(postBody: credential.postBody)
  }

  func refresh(_ refreshToken: String) async throws -> Reply {
    try await HTTP.post(
      "\(baseURL)/securetoken.googleapis.com/v1/token?key=\(apiKey)",
      form: ["grant_type": "refresh_token", "refresh_token": refreshToken])
  }

  func lookup(_ idToken: String) async throws -> Reply {
    try await call("lookup", ["idToken": .string(idToken)])
  }

  func revokeAppleCode(_ code: String, idToken: String) async throws -> Reply {
    try await HTTP.post(
      "\(baseURL)/identitytoolkit.googleapis.com/v2/accounts:revokeToken?key=\(apiKey)",
      [
        "providerId": "apple.com", "tokenType": "3", "token": .string(code),
        "idToken": .string(idToken),
      ])
  }
}

/// A provider's token for the app, and the raw nonce that the app kept.
struct Credential: Sendable {
  var provider: String
  var idToken: String
  var nonce: String?
  var accessToken: String?

  /// Percent-encoded, as the JavaScript SDK sends it.
  var postBody: String {
    var fields = ["providerId=\(provider)", "id_token=\(Form.escape(idToken))"]
    if let nonce { fields.append("nonce=\(Form.escape(nonce))") }
    if let accessToken { fields.append("access_token=\(Form.escape(accessToken))") }
    return fields.joined(separator: "&")
  }

  /// As the SDK for Apple platforms sends it: not encoded, with the name last.
  func rawPostBody(user: String) -> String {
    "providerId=\(provider)&id_token=\(idToken)&nonce=\(nonce ?? "")&user=\(user)"
  }
}

/// An administrator with a bearer token.
struct Administrator: Sendable {
  let baseURL: String
  var token = "owner"
  var project = "demo"

  /// - Parameter path: Below `/v1/projects/<project>`, or below another version: `accounts:lookup`.
  func call(
    _ method: HTTP.Method, _ path: String, _ body: JSON? = nil, version: String = "v1",
    headers: [(String, String)] = []
  ) async throws -> Reply {
    try await HTTP.send(
      method, "\(baseURL)/identitytoolkit.googleapis.com/\(version)/projects/\(project)/\(path)",
      headers: headers + [
        ("authorization", "Bearer \(token)"), ("content-type", "application/json"),
      ],
      body: body?.text)
  }

  /// The account with this uid; null if there is none.
  func account(_ uid: String) async throws -> JSON {
    try await call(.post, "accounts:lookup", ["localId": .array([.string(uid)])])
      .json["users"][0]
  }

  /// Creates or replaces the configuration of an OpenID Connect provider.
  func configure(_ id: String, _ fields: JSON) async throws -> Reply {
    try await call(
      .post, "oauthIdpConfigs?oauthIdpConfigId=\(id)", fields, version: "v2")
  }
}

extension GatehouseServer {
  var app: AppClient { AppClient(baseURL: baseURL) }
  var administrator: Administrator { Administrator(baseURL: baseURL) }
  var providers: SimulatedProviders { SimulatedProviders(baseURL: simulatorURL) }
}

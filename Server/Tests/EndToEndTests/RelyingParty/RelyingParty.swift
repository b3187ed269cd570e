import Foundation
import Testing

/// The server as the relying party of an OpenID provider that the simulator provides for one test,
/// with an app that signs a user in through it: from the handler over the provider to
/// signInWithIdp.
struct RelyingParty: Sendable {
  let server: GatehouseServer
  /// The issuer's name, and the part of the provider's id after `oidc.`.
  let name: String
  let person: String
  let email: String

  static let clientID = "client-1"
  static let clientSecret = "made-up-secret-of-client-1-32-bytes"

  /// The server's configuration for the provider besides issuer and client id.
  enum Setting {
    case code
    /// The response comes through the browser; no secret.
    case idToken

    var fields: [String: JSON] {
      switch self {
      case .code:
        [
          "clientSecret": .string(RelyingParty.clientSecret),
          "responseType": ["code": true, "idToken": false],
        ]
      case .idToken: ["responseType": ["idToken": true]]
      }
    }
  }

  /// - Parameters:
  ///   - faults: The issuer's faults: `PUT /simulator/issuers/{name}`.
  ///   - client: More members of the client's registration at the provider.
  ///   - configuration: More members of the provider's configuration at the server.
  static func make(
    _ setting: Setting = .code, faults: JSON = [:], client: [String: JSON] = [:],
    configuration: [String: JSON] = [:]
  ) async throws -> RelyingParty {
    let server = try suiteServer()
    let email = Unique.email()
    let party = RelyingParty(
      server: server, name: Unique.name("rp"),
      person: try await server.providers.person(email: email, givenName: "Zoë"), email: email)
    try await party.set(faults)
    var registered: [String: JSON] = [
      "provider": .string("oidc/" + party.name), "client_id": .string(clientID),
    ]
    if setting == .code { registered["client_secret"] = .string(clientSecret) }
    try await server.providers.put(
      "clients", .object(registered.merging(client) { $1 }.filter { !$0.value.isNull }))
    let fields: [String: JSON] = [
      "issuer": .string(party.issuer), "clientId": .string(clientID), "enabled": true,
    ]
    let configured = try await server.administrator.configure(
      party.providerID,
      .object(
        fields.merging(setting.fields) { $1 }.merging(configuration) { $1 }
          .filter { !$0.value.isNull }))
    guard configured.status == 200 else { throw Unexpected(configured) }
    return party
  }

  var issuer: String { "\(server.simulatorURL)/oidc/\(name)" }
  var providerID: String { "oidc." + name }

  func set(_ faults: JSON) async throws {
    try await server.providers.put("issuers/\(name)", faults)
  }

  /// Signs the person in with a new browser and a new session.
  ///
  /// - Parameters:
  ///   - parameters: Parameters for the provider.
  ///   - beforeRedemption: Runs after the browser's part and before the app's.
  /// - Returns: The outcome.
  func signIn(
    parameters: KeyValuePairs<String, String> = [:], scopes: String? = nil,
    beforeRedemption: (() async throws -> Void)? = nil
  ) async throws -> Outcome {
    var app = NativeApp(server: server)
    if let scopes { app.query.append(("scopes", scopes)) }
    let url = url(app, parameters)
    let end = try await Browser().open(url, within: [server.baseURL, server.simulatorURL])
    guard let link = end.deepLink["link"] else { return .ended(Self.verdict(of: end)) }
    try await beforeRedemption?()
    return .redeemed(try await app.redeem(link, providerID))
  }

  /// The verdict of a browser's end without a link: `page:` and its title, or the error for the
  /// app.
  static func verdict(of end: Browser.End) -> String {
    if case .page(let page) = end {
      let title = page.text.firstMatch(of: /<h1>([^<]*)<\/h1>/).map { String($0.1) }
      return "page: " + (title ?? "\(page.status) \(page.text)")
    }
    let error = JSON(reading: Data((end.deepLink["firebaseError"] ?? "").utf8))
    return "\(error["code"].string ?? "") \(error["message"].string ?? "")"
  }

  /// The parameters of the authorization request to which the browser is redirected.
  func authorizationRequest() async throws -> [String: String] {
    let begun = try await HTTP.get(url(NativeApp(server: server), [:]))
    let location = try #require(begun.header("location"))
    let items = try #require(URLComponents(string: location)?.queryItems)
    return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
  }

  /// The number of requests to an endpoint of the provider.
  func requests(_ endpoint: String) async throws -> Int {
    let counts = try await HTTP.get("\(server.simulatorURL)/simulator/requests").json["counts"]
    return Int(counts["/oidc/\(name)/\(endpoint)"].number ?? 0)
  }

  func url(
    _ app: NativeApp, _ parameters: KeyValuePairs<String, String>
  ) -> String {
    let all = [("person", person)] + parameters.map { ($0.key, $0.value) }
    let json = JSON.object(
      Dictionary(all.map { ($0.0, JSON.string($0.1)) }) { _, last in last })
    return app.url(providerID, parametersJSON: json.text)
  }

  /// The outcome of a sign-in.
  enum Outcome: Sendable {
    /// The handler shows the user a page, without an error for the app, or redirects to the app
    /// with an error.
    case ended(String)
    /// signInWithIdp's response.
    case redeemed(Reply)

    /// `200`; or the status and error message; `auth/…` and the message; `page:` and its title.
    var verdict: String {
      switch self {
      case .ended(let verdict): verdict
      case .redeemed(let reply): reply.verdict
      }
    }

    var json: JSON {
      if case .redeemed(let reply) = self { reply.json } else { .null }
    }
  }
}

/// The complete messages of the server, by fault.
enum Refusal {
  static let signature = "400 INVALID_IDP_RESPONSE : Unable to verify the ID Token signature."
  static let unparsable = "400 INVALID_IDP_RESPONSE : Unable to parse the ID Token."
  static let otherToken =
    "400 INVALID_IDP_RESPONSE : The ID Token was not issued with the access token or code in the "
    + "request."
  static let otherSubject =
    "400 INVALID_IDP_RESPONSE : The provider's user information is of another user than the token."
  static let unreachable =
    "400 INVALID_IDP_RESPONSE : Error connecting to the given credential's issuer."
}

import Foundation
import GatehouseClient
import Testing

/// A server for the stories: the one in memory, or a real one. `EndToEndTests` has this file and the stories
/// too, as symbolic links.
struct StoryServer: Sendable {
  var url: URL
  /// The simulator of the providers.
  var simulatorURL: URL
  var transport: any Transport
  var clock: any ClientClock = SystemClock()
  var addPerson: @Sendable (_ id: String, _ email: String, _ isVerified: Bool) async throws -> Void
  /// The code of the latest email of this type to an address.
  var code: @Sendable (_ requestType: String, _ email: String) async throws -> String

  func device(store: any SessionStore = MemoryStore()) throws -> StoryDevice {
    var configuration = try ClientConfiguration(serverURL: url, apiKey: "any", projectID: "demo")
    configuration.bundleID = "com.example.app"
    configuration.refreshesProactively = false
    return StoryDevice(
      server: self, store: store,
      client: AuthClient(
        configuration: configuration, store: store, transport: transport, clock: clock))
  }

  func email() -> String { "story-\(UInt64.random(in: 0 ... .max))@example.com" }

  /// A new person with an account at every provider.
  func person(email: String, isVerified: Bool = true) async throws -> String {
    let id = "person-\(UInt64.random(in: 0 ... .max))"
    try await addPerson(id, email, isVerified)
    return id
  }
}

struct StoryDevice: Sendable {
  let server: StoryServer
  let store: any SessionStore
  let client: AuthClient

  @discardableResult
  func signIn(_ credential: IdentityProviderCredential) async throws -> SignInResult {
    try await client.signIn(with: .identityProvider(credential))
  }

  func apple(_ person: String, nonce: GatehouseClient.Nonce = .init()) async throws
    -> IdentityProviderCredential
  {
    let sheet = SimulatedAppleSheet(
      simulatorURL: server.simulatorURL, bundleID: "com.example.app",
      person: SimulatedPerson(person), transport: server.transport)
    let answer = try await sheet.authorize(AppleAuthorizationRequest(nonce: nonce.sha256))
    var credential = IdentityProviderCredential(provider: .apple)
    credential.idToken = String(decoding: try #require(answer.identityToken), as: UTF8.self)
    credential.rawNonce = nonce.raw
    credential.fullName = answer.fullName
    return credential
  }

  func google(_ person: String) async throws -> IdentityProviderCredential {
    let nonce = GatehouseClient.Nonce()
    let google = SimulatedGoogleSignIn(
      simulatorURL: server.simulatorURL, clientID: "demo.apps.example.com",
      person: SimulatedPerson(person), transport: server.transport)
    let answer = try await google.signIn(GoogleSignInRequest(nonce: nonce.sha256))
    var credential = IdentityProviderCredential(provider: .google)
    credential.idToken = answer.idToken
    credential.rawNonce = nonce.raw
    return credential
  }

  func facebook(_ person: String) async throws -> IdentityProviderCredential {
    try await sdk("facebook", .facebook, clientID: "1234567890", person)
  }

  func openID(_ person: String) async throws -> IdentityProviderCredential {
    try await sdk("oidc", "oidc.simulator", clientID: "gatehouse-demo", person)
  }

  private func sdk(
    _ folder: String, _ provider: Provider, clientID: String, _ person: String
  ) async throws -> IdentityProviderCredential {
    let nonce = GatehouseClient.Nonce()
    let body = ["client_id": clientID, "person": person, "nonce": nonce.sha256]
    let response = try await server.transport.send(
      TransportRequest(
        method: .post,
        url: server.simulatorURL.appendingPathComponent("\(folder)/native-sign-in"),
        headers: ["content-type": "application/json"],
        body: try JSONSerialization.data(withJSONObject: body)))
    let json = try #require(
      try JSONSerialization.jsonObject(with: response.body) as? [String: Any])
    var credential = IdentityProviderCredential(provider: provider)
    if provider == .facebook {
      credential.accessToken = json["accessToken"] as? String
    } else {
      credential.idToken = json["idToken"] as? String
      credential.rawNonce = nonce.raw
    }
    return credential
  }
}

extension StoryServer {
  /// Sends a request without the SDK.
  ///
  /// - Returns: The texts of the response, or of its error.
  func post(_ path: String, _ body: [String: String]) async throws -> [String: String] {
    let response = try await transport.send(
      TransportRequest(
        method: .post, url: try #require(URL(string: "\(url.absoluteString)/\(path)?key=any")),
        headers: ["content-type": "application/json"],
        body: try JSONSerialization.data(withJSONObject: body)))
    let json = try JSONSerialization.jsonObject(with: response.body) as? [String: Any] ?? [:]
    return (json["error"] as? [String: Any] ?? json).compactMapValues { $0 as? String }
  }

  func refresh(_ token: String) async throws -> [String: String] {
    try await post("v1/token", ["grantType": "refresh_token", "refreshToken": token])
  }

  var linkSettings: ActionLinkSettings {
    var settings = ActionLinkSettings()
    settings.continueURL = URL(string: "http://localhost/finish")
    settings.handleCodeInApp = true
    return settings
  }
}

/// What an app sees of a server. Each story creates its own accounts, so that they can run at the same time.
struct ServerStory: Sendable, CustomTestStringConvertible {
  let testDescription: String
  let run: @Sendable (StoryServer) async throws -> Void

  init(_ name: String, _ run: @escaping @Sendable (StoryServer) async throws -> Void) {
    testDescription = name
    self.run = run
  }
}

/// Expects that the server refuses with `code`.
func expect(
  _ code: String, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> some Any
) async {
  await #expect(sourceLocation: sourceLocation) {
    _ = try await body()
  } throws: { error in
    guard case .server(let refusal) = error as? ClientError else { return false }
    return refusal.code == code
  }
}

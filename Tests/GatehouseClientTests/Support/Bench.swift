import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// A client, with everything around it controlled by a test.
struct Bench: Sendable {
  let clock: ManualClock
  let server = ScriptedTransport()
  let store: any SessionStore
  let client: AuthClient

  init(
    store: any SessionStore = MemoryStore(), clock: ManualClock = ManualClock(isImpatient: true),
    refreshesProactively: Bool = false, notifications: NotificationCenter = NotificationCenter()
  ) throws {
    self.clock = clock
    self.store = store
    client = AuthClient(
      configuration: try Self.configuration(refreshesProactively: refreshesProactively),
      store: store, transport: server, clock: clock, notifications: notifications)
    server.answerHappily(clock: clock)
  }

  static func configuration(
    refreshesProactively: Bool = false
  ) throws -> ClientConfiguration {
    var configuration = try ClientConfiguration(
      serverURL: try #require(URL(string: "https://auth.example.com")), apiKey: "key/1",
      projectID: "demo")
    configuration.bundleID = "com.example.app"
    configuration.refreshesProactively = refreshesProactively
    return configuration
  }

  /// Another process with the same store and server.
  func otherProcess() throws -> AuthClient {
    AuthClient(
      configuration: try Self.configuration(), store: store, transport: server, clock: clock)
  }

  @discardableResult
  func signedIn() async throws -> SignedInUser {
    try await client.signIn(with: .apple(idToken: "apple-token", nonce: Nonce())).user
  }
}

/// Tokens in the server's format, without a valid signature.
enum TestToken {
  private static let serial = Locked(0)

  static func make(
    uid: String = "alice", now: Date, livesSeconds: Double = 3600, provider: String = "apple.com",
    claims: [JSONObject.Member] = []
  ) -> String {
    let issued = Int64(now.timeIntervalSince1970)
    var object: JSONObject = [
      "sub": .string(uid), "iat": .number(JSONNumber(issued)),
      "exp": .number(JSONNumber(issued + Int64(livesSeconds))),
      "auth_time": .number(JSONNumber(issued)),
      "jti": .string(
        String(
          serial.withLock {
            $0 += 1; return $0
          })),
      "firebase": ["sign_in_provider": .string(provider), "identities": [:]],
    ]
    for claim in claims { object[claim.name] = claim.value }
    return "e30." + base64URL(object.serialized()) + ".c2ln"
  }

  private static func base64URL(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
  }
}

extension ScriptedTransport {
  /// Alice signs in with Apple, and her tokens can be refreshed.
  func answerHappily(clock: ManualClock) {
    on("accounts:signInWithIdp") { Answers.idp(now: clock.now) }
    on("accounts:lookup") { LookupResponse(users: [Answers.alice()]) }
    on("v1/token") { Answers.refreshed(now: clock.now) }
  }
}

enum Answers {
  private static let serial = Locked(0)

  static func tokens(
    uid: String = "alice", now: Date, provider: String = "apple.com"
  ) -> SessionTokens {
    SessionTokens(
      idToken: TestToken.make(uid: uid, now: now, provider: provider),
      refreshToken: "refresh-\(uid)-\(serial.withLock { $0 += 1; return $0 })",
      expiresInSeconds: 3600)
  }

  static func idp(uid: String = "alice", now: Date) -> SignInWithIdpResponse {
    var response = SignInWithIdpResponse(providerID: "apple.com")
    response.localID = uid
    response.tokens = tokens(uid: uid, now: now)
    response.pendingToken = "pending"
    return response
  }

  static func refreshed(uid: String = "alice", now: Date) -> TokenResponse {
    let tokens = tokens(uid: uid, now: now)
    return TokenResponse(
      idToken: tokens.idToken, refreshToken: tokens.refreshToken, expiresInSeconds: 3600,
      userID: uid, projectNumber: "12345")
  }

  static func alice(displayName: String? = "Alice") -> UserInfo {
    var user = UserInfo(localID: "alice")
    user.email = "alice@example.com"
    user.emailVerified = true
    user.displayName = displayName
    user.providers = [ProviderUserInfo(providerID: "apple.com", rawID: "001.alice")]
    user.createdAt = 1_700_000_000_000
    user.lastLoginAt = 1_800_000_000_000
    return user
  }
}

/// Waits for an effect of another task, five minutes at most.
func eventually(
  _ condition: () async throws -> Bool
) async throws -> Bool {
  let deadline = ContinuousClock.now + .seconds(300)
  while ContinuousClock.now < deadline {
    if try await condition() { return true }
    await Task.yield()
  }
  return false
}

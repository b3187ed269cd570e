public import Foundation
import GatehouseProtocol

/// A stand-in for Google's SDK: Gatehouse's simulator responds for ``person``.
///
/// Like Google's SDK, it keeps the signed-in user and their tokens, and asks the simulator only
/// when a token is about to expire: a revoked authorization is noticed within an hour. They are
/// kept in a store, where Google's SDK uses the keychain.
public final class SimulatedGoogleSignIn: GoogleSigningIn {
  private let calls: SimulatorCalls
  private let clientID: String
  private let serverClientID: String?
  private let store: any SessionStore
  private let clock: any ClientClock
  private let shown = Locked<SimulatedPerson>(SimulatedPerson(""))
  private let turn = Turn()

  private static let key = "simulated google"
  /// GoogleSignIn's own margin, in seconds: tokens that expire sooner are refreshed first.
  private static let freshFor: TimeInterval = 600

  /// - Parameters:
  ///   - simulatorURL: Such as `http://127.0.0.1:9100`.
  ///   - clientID: The app's client id at Google.
  ///   - serverClientID: The server's client id, if the ID token's audience must be the server.
  ///   - store: Where the signed-in user is kept.
  public init(
    simulatorURL: URL, clientID: String, serverClientID: String? = nil, person: SimulatedPerson,
    transport: any Transport, store: any SessionStore = MemoryStore(),
    clock: any ClientClock = SystemClock()
  ) {
    calls = SimulatorCalls(simulatorURL, transport)
    self.clientID = clientID
    self.serverClientID = serverClientID
    self.store = store
    self.clock = clock
    shown.withLock { $0 = person }
  }

  /// The person who uses the device, from the next sheet on.
  public var person: SimulatedPerson {
    get { shown.withLock { $0 } }
    set { shown.withLock { $0 = newValue } }
  }

  public func signIn(_ request: GoogleSignInRequest)
    async throws(DeviceFault) -> GoogleAuthorization
  {
    try await turn.take(or: .busy) { () async throws(DeviceFault) in
      let person = person
      try await person.decide()
      var body: JSONObject = ["client_id": .string(clientID), "person": .string(person.id)]
      if let serverClientID { body["server_client_id"] = .string(serverClientID) }
      if let nonce = request.nonce { body["nonce"] = .string(nonce) }
      let answer = try await calls.post("/google/native-sign-in", body)
      guard answer.status == 200, let idToken = answer.body["idToken"]?.string,
        let accessToken = answer.body["accessToken"]?.string,
        let refreshToken = answer.body["refreshToken"]?.string,
        let seconds = answer.body["expiresIn"]?.double,
        let user = UnverifiedPayload(idToken)?.subject
      else { throw SimulatorCalls.fault(answer) }
      try keep(
        Kept(
          user: user, accessToken: accessToken, refreshToken: refreshToken,
          expiresAt: clock.now.addingTimeInterval(seconds)))
      return GoogleAuthorization(user: user, idToken: idToken, accessToken: accessToken)
    }
  }

  public func credentialState(forUserID user: String)
    async throws(DeviceFault) -> ProviderCredentialState
  {
    guard let kept = try kept(), kept.isOf(user) else { return .notFound }
    if kept.expiresAt.timeIntervalSince(clock.now) >= Self.freshFor { return .authorized }
    let answer = try await calls.post(
      "/google/token",
      form: [
        "grant_type": "refresh_token", "refresh_token": kept.refreshToken, "client_id": clientID,
      ])
    if answer.body["error"]?.string == "invalid_grant" {
      try keep(nil)
      return .revoked
    }
    guard answer.status == 200, let accessToken = answer.body["access_token"]?.string,
      let seconds = answer.body["expires_in"]?.double
    else { throw SimulatorCalls.fault(answer) }
    var fresh = kept
    fresh.accessToken = accessToken
    fresh.refreshToken = answer.body["refresh_token"]?.string ?? kept.refreshToken
    fresh.expiresAt = clock.now.addingTimeInterval(seconds)
    try keep(fresh)
    return .authorized
  }

  public func disconnect(userID user: String) async throws(DeviceFault) {
    guard let kept = try kept() else {
      throw .unavailable(detail: "No Google account is signed in on the device")
    }
    guard kept.isOf(user) else {
      throw .unavailable(detail: "The device has another Google account")
    }
    let answer = try await calls.post("/google/revoke", form: ["token": kept.refreshToken])
    // Google returns 400 for a token that has expired or was revoked.
    guard answer.status == 200 || answer.status == 400 else { throw SimulatorCalls.fault(answer) }
    try keep(nil)
  }

  public func signOut() async { try? store.remove(Self.key) }

  // MARK: What is kept

  private struct Kept: Codable {
    var user: String
    var accessToken: String
    var refreshToken: String
    var expiresAt: Date

    func isOf(_ user: String) -> Bool { self.user.utf8.elementsEqual(user.utf8) }
  }

  private func kept() throws(DeviceFault) -> Kept? {
    do {
      return try store.read(Self.key).flatMap { try? JSONDecoder().decode(Kept.self, from: $0) }
    } catch {
      throw .failed(detail: "The stored Google sign-in: \(error.kind.rawValue)")
    }
  }

  private func keep(_ kept: Kept?) throws(DeviceFault) {
    do {
      if let kept, let data = try? JSONEncoder().encode(kept) {
        try store.write(data, for: Self.key)
      } else {
        try store.remove(Self.key)
      }
    } catch {
      throw .failed(detail: "The stored Google sign-in: \(error.kind.rawValue)")
    }
  }
}

import Foundation
import GatehouseClient
import Synchronization
import Testing

/// The simulator as a device's sheets.
@Suite(.developmentServer)
struct SimulatedSheetTests {
  private final class LaterClock: ClientClock {
    private let ahead = Mutex<TimeInterval>(0)
    var now: Date { ahead.withLock { Date().addingTimeInterval($0) } }
    func advance(seconds: TimeInterval) { ahead.withLock { $0 += seconds } }
    func sleep(for duration: TimeInterval) async throws {}
  }

  /// Counts the requests.
  private final class CountingTransport: Transport {
    private let inner = URLSessionTransport()
    private let sent = Mutex(0)
    var count: Int { sent.withLock { $0 } }
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
      sent.withLock { $0 += 1 }
      return try await inner.send(request)
    }
  }

  private struct Offline: Transport {
    func send(_ request: TransportRequest) async throws(TransportFault) -> TransportResponse {
      throw .network(NetworkFault(.offline, detail: "made up"))
    }
  }

  private func simulator() throws -> URL {
    try #require(URL(string: try suiteServer().simulatorURL))
  }

  private func apple(_ person: SimulatedPerson, _ transport: any Transport = URLSessionTransport())
    throws -> SimulatedAppleSheet
  {
    SimulatedAppleSheet(
      simulatorURL: try simulator(), bundleID: SimulatedProviders.bundleID, person: person,
      transport: transport)
  }

  private func withdraw(_ provider: String, _ client: String, _ person: String) async throws {
    let reply = try await HTTP.post(
      "\(try suiteServer().simulatorURL)/simulator/persons/\(person)/withdraw-consent",
      ["provider": .string(provider), "client_id": .string(client)])
    try #require(reply.status == 200)
  }

  @Test func `Apple's sheet returns the name once, and the credential's state`() async throws {
    let person = try await suiteServer().providers.person(givenName: "Ada")
    let sheet = try apple(SimulatedPerson(person, hidesEmail: true))
    let request = AppleAuthorizationRequest(nonce: GatehouseClient.Nonce().sha256, state: "s")
    let first = try await sheet.authorize(request)
    #expect(first.fullName?.givenName == "Ada")
    #expect(first.email?.hasSuffix("@privaterelay.appleid.com") == true)
    #expect(first.state == "s")
    #expect(first.realUserStatus == .likelyReal)
    #expect(first.identityToken != nil && first.authorizationCode != nil)
    let second = try await sheet.authorize(request)
    #expect(second.user == first.user)
    #expect(second.fullName == nil)
    #expect(second.email == nil)

    #expect(try await sheet.credentialState(forUserID: first.user) == .authorized)
    try await withdraw("apple", SimulatedProviders.bundleID, person)
    #expect(try await sheet.credentialState(forUserID: first.user) == .revoked)
    #expect(try await sheet.credentialState(forUserID: "nobody") == .notFound)
  }

  @Test func `a person who closes the sheet, and a device that is offline`() async throws {
    let request = AppleAuthorizationRequest(nonce: "n")
    let closing = try apple(SimulatedPerson("alice", decision: .cancels))
    await #expect(throws: DeviceFault.cancelled) { try await closing.authorize(request) }
    let offline = try apple(SimulatedPerson("alice"), Offline())
    await #expect(throws: DeviceFault.offline(detail: "made up")) {
      try await offline.authorize(request)
    }
    await #expect(throws: DeviceFault.offline(detail: "made up")) {
      try await offline.credentialState(forUserID: "u")
    }
  }

  @Test func `a saved password is offered beside Apple's account`() async throws {
    var person = SimulatedPerson(try await suiteServer().providers.person())
    let sheet = try apple(person)
    await #expect(throws: DeviceFault.unavailable(detail: "The device has no saved password")) {
      try await sheet.offer(nil)
    }
    person.savedPassword = .init(user: "ada@example.com", password: "made-up")
    sheet.person = person
    #expect(
      try await sheet.offer(nil) == .password(user: "ada@example.com", password: "made-up"))
    let request = AppleAuthorizationRequest(nonce: "n")
    guard case .apple = try await sheet.offer(request) else {
      Issue.record("Apple's account was preferred")
      return
    }
  }

  @Test func `Google's tokens are checked only when they nearly expire`() async throws {
    let person = try await suiteServer().providers.person()
    let (clock, transport, store) = (LaterClock(), CountingTransport(), MemoryStore())
    func google() throws -> SimulatedGoogleSignIn {
      SimulatedGoogleSignIn(
        simulatorURL: try simulator(), clientID: SimulatedProviders.googleClientID,
        person: SimulatedPerson(person), transport: transport, store: store, clock: clock)
    }
    let user = try #require(
      try await google().signIn(GoogleSignInRequest(nonce: "n")).user)
    #expect(transport.count == 1)
    try await withdraw("google", SimulatedProviders.googleClientID, person)
    clock.advance(seconds: 2900)
    // After a restart the stored state is used until ten minutes before the token expires, whatever
    // the state at Google is.
    #expect(try await google().credentialState(forUserID: user) == .authorized)
    #expect(try await google().credentialState(forUserID: "another") == .notFound)
    #expect(transport.count == 1)
    clock.advance(seconds: 200)
    #expect(try await google().credentialState(forUserID: user) == .revoked)
    #expect(transport.count == 2)
    #expect(try await google().credentialState(forUserID: user) == .notFound)
  }

  @Test func `Google is disconnected only for the device's own person`()
    async throws
  {
    let google = SimulatedGoogleSignIn(
      simulatorURL: try simulator(), clientID: SimulatedProviders.googleClientID,
      person: SimulatedPerson(try await suiteServer().providers.person()),
      transport: URLSessionTransport())
    await #expect(
      throws: DeviceFault.unavailable(detail: "No Google account is signed in on the device")
    ) { try await google.disconnect(userID: "u") }
    let user = try #require(try await google.signIn(GoogleSignInRequest()).user)
    await #expect(throws: DeviceFault.unavailable(detail: "The device has another Google account"))
    { try await google.disconnect(userID: "u") }
    try await google.disconnect(userID: user)
    #expect(try await google.credentialState(forUserID: user) == .notFound)
  }
}

import Foundation
import GatehouseClient
import Testing

/// Two devices of one user. Each notices at once the changes by the other and by an administrator.
@Suite(.developmentServer, .timeLimit(.minutes(10)))
struct ListeningTests {
  /// A device that listens for changes, with the changes that its observer received.
  private final class Device: Sendable {
    let client: AuthClient
    let user: SignedInUser
    private let listening: SessionObservation
    private let news: AsyncStream<SessionChange>

    init(_ person: String) async throws {
      let device = try ClientDevice()
      client = device.client
      user = try await client.signIn(with: try await device.google(person)).user
      let (news, writer) = AsyncStream.makeStream(of: SessionChange.self)
      self.news = news
      let observation = client.observe { writer.yield($0) }
      writer.onTermination = { _ in observation.cancel() }
      listening = client.listenForChanges()
    }

    /// Waits until the user is signed out, and returns why.
    func signOutCause() async -> ClientError? {
      for await change in news where change.state == .signedOut { return change.cause }
      return nil
    }
  }

  /// Two devices that have started to listen. Their streams may not have begun.
  private func devices() async throws -> (Device, Device) {
    let server = try suiteServer()
    let person = try await SimulatedProviders(baseURL: server.simulatorURL).person()
    let devices = (try await Device(person), try await Device(person))
    return devices
  }

  private func administer(_ path: String, _ body: JSON) async throws {
    let reply = try await suiteServer().administrator.call(.post, path, body)
    #expect(reply.status == 200, "\(reply.text)")
  }

  /// Changes the name repeatedly, because a new stream doesn't send earlier changes. Returns whether all
  /// devices received one.
  private func learnsNames(_ devices: [Device]) async throws -> Bool {
    var number = 0
    return try await Deadline.wait {
      number += 1
      try await administer(
        "accounts:update",
        ["localId": .string(devices[0].user.uid), "displayName": .string("Bea \(number)")])
      return devices.allSatisfy { $0.user.snapshot.displayName?.hasPrefix("Bea") == true }
    }
  }

  @Test func `an account deleted on one device signs the other out`() async throws {
    let (phone, tablet) = try await devices()
    _ = try await phone.user.delete()
    #expect(await tablet.signOutCause() == .sessionEnded(.deleted))
    // The device that deleted the account signs out after its own request, without a cause.
    #expect(await phone.signOutCause() == nil)
  }

  @Test func `an account that an administrator disables is signed out everywhere`() async throws {
    let (phone, tablet) = try await devices()
    try await administer(
      "accounts:update", ["localId": .string(phone.user.uid), "disableUser": true])
    #expect(await phone.signOutCause() == .sessionEnded(.disabled))
    #expect(await tablet.signOutCause() == .sessionEnded(.disabled))
  }

  @Test func `revoked tokens sign out every device`() async throws {
    let (phone, tablet) = try await devices()
    try await administer(
      "accounts:update",
      [
        "localId": .string(phone.user.uid),
        "validSince": .string(String(Int(Date().timeIntervalSince1970) + 1)),
      ])
    #expect(await phone.signOutCause() == .sessionEnded(.revoked))
    #expect(await tablet.signOutCause() == .sessionEnded(.revoked))
  }

  @Test func `one ended session signs out its device alone`() async throws {
    let (phone, tablet) = try await devices()
    let other = try #require(try await phone.user.deviceSessions().first { !$0.isCurrent })
    try await phone.user.end(other)
    #expect(await tablet.signOutCause() == .sessionEnded(.revoked))
    #expect(phone.client.currentUser === phone.user)
    // Its stream goes on.
    #expect(try await learnsNames([phone]))
  }

  @Test func `a changed profile and changed claims are read`() async throws {
    let (phone, tablet) = try await devices()
    #expect(try await learnsNames([phone, tablet]))
    let token = phone.user.heldIDToken
    try await administer(
      "accounts:update",
      ["localId": .string(phone.user.uid), "customAttributes": #"{"role":"admin"}"#])
    #expect(try await Deadline.wait { phone.user.heldIDToken != token })
  }
}

import Foundation
import Testing

@testable import GatehouseClient

/// `loading → signedOut | signedIn`, without a store or a server.
@Suite struct SessionMachineTests {
  private static func session(_ uid: String, name: String? = nil) throws -> HeldSession {
    var snapshot = UserSnapshot(uid: uid)
    snapshot.displayName = name
    let token = try IDToken(
      parsing: TestToken.make(uid: uid, now: Date(timeIntervalSince1970: 1_800_000_000)))
    return HeldSession(
      tokens: HeldTokens(idToken: token, refreshToken: "refresh-\(uid)"), snapshot: snapshot)
  }

  @Test func `it begins in the state loading`() {
    let machine = SessionMachine()
    #expect(machine.state == .loading)
    #expect(machine.session == nil)
  }

  @Test func `a store without a session means signed out`() {
    var machine = SessionMachine()
    let event = machine.loaded(nil)
    #expect(event?.state == .signedOut)
    #expect(event?.kinds == [.session, .idToken, .profile])
  }

  @Test func `a store is read once`() throws {
    var machine = SessionMachine()
    _ = machine.loaded(try Self.session("alice"))
    #expect(machine.loaded(nil) == nil)
    #expect(machine.state.user?.uid == "alice")
  }

  @Test func `another token changes only the token`() throws {
    var machine = SessionMachine()
    let first = try Self.session("alice")
    _ = machine.signedIn(first)
    let event = machine.updated(try Self.session("alice"), of: machine.generation)
    #expect(event?.kinds == .idToken)
  }

  @Test func `another name changes only the profile`() throws {
    var machine = SessionMachine()
    var session = try Self.session("alice")
    _ = machine.signedIn(session)
    session.snapshot.displayName = "Alice"
    let event = machine.updated(session, of: machine.generation)
    #expect(event?.kinds == .profile)
    #expect(event?.state == .signedIn(session.snapshot))
  }

  @Test func `an equal session is no change`() throws {
    var machine = SessionMachine()
    let session = try Self.session("alice")
    _ = machine.signedIn(session)
    #expect(machine.updated(session, of: machine.generation) == nil)
  }

  @Test func `an earlier session's answer changes nothing`() throws {
    var machine = SessionMachine()
    _ = machine.signedIn(try Self.session("alice"))
    let generation = machine.generation
    _ = machine.signedIn(try Self.session("bob"))
    #expect(machine.updated(try Self.session("alice"), of: generation) == nil)
    #expect(machine.state.user?.uid == "bob")
    #expect(!machine.isCurrent(generation))
  }

  @Test func `an answer after signing out changes nothing`() throws {
    var machine = SessionMachine()
    _ = machine.signedIn(try Self.session("alice"))
    let generation = machine.generation
    #expect(machine.signedOut()?.state == .signedOut)
    #expect(machine.updated(try Self.session("alice"), of: generation) == nil)
    #expect(machine.state == .signedOut)
  }

  @Test func `signing out twice is one change, and still discards pending sign-ins`() {
    var machine = SessionMachine()
    _ = machine.loaded(nil)
    let sessionRequests = machine.sessionRequests
    #expect(machine.signedOut() == nil)
    #expect(machine.sessionRequests != sessionRequests)
  }

  @Test func `a session that ends by itself has a cause, and discards no pending sign-in`() throws {
    var machine = SessionMachine()
    _ = machine.signedIn(try Self.session("alice"))
    let sessionRequests = machine.sessionRequests
    let event = machine.ended(cause: .sessionEnded(.revoked))
    #expect(event?.cause == .sessionEnded(.revoked))
    #expect(event?.state == .signedOut)
    #expect(machine.sessionRequests == sessionRequests)
  }
}

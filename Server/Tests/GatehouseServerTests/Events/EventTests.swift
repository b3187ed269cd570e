import Foundation
import GatehouseProtocol
import Testing

@testable import GatehouseServer

@Suite struct EventTests {
  private func event(_ kind: EventKind, _ details: [String: String] = [:]) throws -> Event? {
    Event(
      project: ProjectID("demo"), kind: kind, uid: UID("ann"),
      at: Date(timeIntervalSince1970: 1_800_000_000), actor: .user, details: details)
  }

  @Test func `a user's events are all of the account's if no other user had it`() throws {
    let events = [
      try event(.tokensRevoked, ["reason": "password"]), try event(.linked),
      try event(.accountCreated),
    ]
    #expect(events.ofPresentUser == events)
  }

  @Test func `a user's events begin with the takeover`() throws {
    let own = [try event(.linked), try event(.tokensRevoked, Event.takeover)]
    #expect((own + [try event(.accountCreated)]).ofPresentUser == own)
  }

  @Test func `a user's events begin after the deletion of an account with the same id`() throws {
    let own = [try event(.linked), try event(.accountCreated)]
    #expect((own + [try event(.deleted), try event(.linked)]).ofPresentUser == own)
  }

  @Test func `a user's events begin after one that can't be read`() throws {
    let own = [try event(.linked)]
    #expect((own + [nil, try event(.accountCreated)]).ofPresentUser == own)
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// What each use case records. The same cases on every database: `GATEHOUSE_TEST_DATABASE`.
@Suite struct EventsTests {
  private static let phone = EventSource(
    address: "192.0.2.0/24", userAgent: "Example/1.0 iPhone16,1", app: "com.example.app",
    request: "r1")

  @Test func `a sign-up, a change of the name and a deletion by the user`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.update(ann.tokens.idToken) { $0.displayName = .set("Ann") }
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      let events = try await world.events()
      #expect(
        events.map(\.kind) == [.accountCreated, .profileChanged, .deleted])
      #expect(events.map(\.uid) == Array(repeating: ann.account.uid, count: 3))
      #expect(events[0].details == ["provider": "password"])
      #expect(events.allSatisfy { $0.at == world.now.addingTimeInterval(0) })
    }
  }

  @Test func `linking and unlinking name the provider`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(identity(), linkingTo: ann.tokens.idToken).signedIn()
      _ = try await world.update(linked.tokens.idToken) { $0.unlinkedProviders = [.google] }
      let events = try await world.events().filter { [.linked, .unlinked].contains($0.kind) }
      #expect(events.map(\.kind) == [.linked, .unlinked])
      #expect(events.allSatisfy { $0.details == ["provider": "google.com"] })
    }
  }

  @Test func `a new password revokes the tokens, in the same second too`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another")) }
      let kinds = try await world.events().map(\.kind)
      #expect(kinds.contains(.tokensRevoked))
      #expect(kinds.contains(.passwordChanged))
    }
  }

  @Test(arguments: [
    ("Example/1.0 iPhone16,1", EventKind.reauthenticated), ("curl/8.5", .signedInOnNewDevice),
  ])
  func `the device that sets a new password is a new one only if the session began elsewhere`(
    userAgent: String, expected: EventKind
  ) async throws {
    try await withWorld { world in
      let ann = try await EventOrigin.$current.withValue(EventOrigin(.user, source: Self.phone)) {
        try await world.signUp("ann@example.com")
      }
      world.advance(1)
      var source = Self.phone
      source.userAgent = userAgent
      try await EventOrigin.$current.withValue(EventOrigin(.user, source: source)) {
        _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another")) }
      }
      let kinds = try await world.events().map(\.kind)
      #expect(kinds.last { [.reauthenticated, .signedInOnNewDevice].contains($0) } == expected)
    }
  }

  @Test func `an administrator's changes have the administrator's name`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let origin = EventOrigin(.administrator("support@example.com"))
      try await EventOrigin.$current.withValue(origin) {
        _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
        _ = try await world.administer(ann.account.uid) { $0.isDisabled = false }
        _ = try await world.administer(ann.account.uid) {
          $0.profile.email = .set(try email("ann@example.org"))
        }
      }
      let events = try await world.events().dropFirst().filter { $0.kind != .tokensRevoked }
      #expect(events.map(\.kind) == [.disabled, .enabled, .emailChanged])
      #expect(events.allSatisfy { $0.actor == .administrator("support@example.com") })
    }
  }

  @Test func `only a sign-in on another device is one on a new device`() async throws {
    try await withWorld { world in
      let tablet = EventSource(userAgent: "Example/1.0 iPad14,2", app: "com.example.app")
      var updated = Self.phone
      updated.userAgent = "Example/2.3.1 iPhone16,1"
      updated.address = "198.51.100.0/24"
      for source in [Self.phone, updated, tablet] {
        try await EventOrigin.$current.withValue(EventOrigin(.user, source: source)) {
          _ = try await world.signIn(identity()).signedIn()
        }
        world.advance(1)
      }
      let kinds = try await world.events().map(\.kind)
      #expect(kinds == [.accountCreated, .reauthenticated, .signedInOnNewDevice])
    }
  }

  @Test func `a refused change leaves no event`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let bob = try await world.signUp("bob@example.com")
      let before = try await world.events().count
      await #expect(throws: AccountsError.emailExists) {
        try await world.administer(bob.account.uid) {
          $0.profile.email = .set(try email("ann@example.com"))
        }
      }
      #expect(try await world.events().count == before)
    }
  }

  @Test func `a refresh leaves no event, and reuse of a refresh token does`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let second = try await world.refresh(ann.tokens.refreshToken)
      _ = try await world.refresh(second.tokens.refreshToken)
      #expect(try await world.events().map(\.kind) == [.accountCreated])
      world.advance(3600)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      let last = try #require(try await world.events().last)
      #expect(last.kind == .sessionEnded)
      #expect(last.details == ["reason": "reuse"])
    }
  }

  @Test func `the user's export has the events, and from where they came`() async throws {
    try await withWorld { world in
      try await EventOrigin.$current.withValue(EventOrigin(.user, source: Self.phone)) {
        let ann = try await world.signIn(identity()).signedIn()
        _ = try await world.signIn(identity(.google, "bob")).signedIn()
        _ = try await world.link()
        let export = try await world.accounts.export(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
        #expect(export.events.map(\.kind) == [.accountCreated])
        #expect(export.events.map(\.source) == [Self.phone])
        #expect(export.sessions.first?.device?.address == Self.phone.address)
      }
    }
  }

  @Test func `a user's export shows that administrators acted, but not who and from where`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      try await EventOrigin.$current.withValue(
        EventOrigin(.administrator("support@example.com"), source: Self.phone)
      ) {
        try await world.administer(ann.account.uid) { $0.profile.displayName = .set("Ann") }
      }
      _ = try await world.link()
      let own = try await world.accounts.export(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      let event = try #require(own.events.first)
      #expect(event.kind == .profileChanged)
      #expect(own.isForUser)
      #expect(event.actor.role == "administrator")
      let administrators = try await world.accounts.exportAccount(
        ann.account.uid, in: world.project, now: world.now)
      #expect(!administrators.isForUser)
    }
  }

  @Test func `an account that loses its address isn't told from where the other user came`()
    async throws
  {
    try await withWorld { world in
      _ = try await ServiceAccounts(store: world.store).create(
        robot, in: world.project.id, roles: [.customTokens], key: try publicKey(), now: world.now)
      let attacker = try await world.signIn(
        customToken: try customToken("attacker", at: world.now))
      let renewed = try await world.update(attacker.tokens.idToken) {
        $0.email = .set(try email("victim@example.com"))
      }
      try await EventOrigin.$current.withValue(EventOrigin(.user, source: Self.phone)) {
        _ = try await world.signIn(identity(.google, email: "victim@example.com")).signedIn()
      }
      _ = try await world.link()
      let tokens = try #require(renewed.tokens)
      let export = try await world.accounts.export(
        idToken: tokens.idToken, in: world.project, now: world.now)
      let event = try #require(export.events.first)
      #expect(event.kind == .emailChanged)
      #expect(event.actor == .server)
      #expect(event.source.isEmpty)
    }
  }

  @Test(arguments: [true, false])
  func `after a takeover the user's export begins with it, and the administrator's does not`(
    isTakeoverLinked: Bool
  ) async throws {
    try await withWorld { world in
      try await EventOrigin.$current.withValue(EventOrigin(.user, source: Self.phone)) {
        _ = try await world.signUp("victim@example.com")
      }
      _ = try await world.link()
      world.advance(60)
      let victim = try await world.signIn(identity(.google, email: "victim@example.com")).signedIn()
      if isTakeoverLinked { _ = try await world.link() }
      let own = try await world.accounts.export(
        idToken: victim.tokens.idToken, in: world.project, now: world.now)
      let first = try #require(own.events.last)
      #expect(first.kind == .tokensRevoked)
      #expect(first.details == ["reason": "takeover"])
      #expect(own.events.contains { $0.kind == .linked })
      let administrators = try await world.accounts.exportAccount(
        victim.account.uid, in: world.project, now: world.now)
      #expect(administrators.events.last?.kind == .accountCreated)
      #expect(administrators.events.last?.source == Self.phone)
    }
  }

  @Test(arguments: [true, false])
  func `the export of an account whose id was used before has only its own events`(
    isDeletionLinked: Bool
  ) async throws {
    try await withWorld { world in
      let id = try uid("editor-7")
      _ = try await world.create(id) { $0.profile.displayName = .set("Ann") }
      _ = try await world.link()
      try await world.accounts.deleteAccount(id, in: world.project, now: world.now)
      world.advance(60)
      _ = try await world.create(id) {
        $0.profile.email = .set(try email("bob@example.com"))
        $0.profile.password = .set(Secret("password"))
      }
      let bob = try await world.signIn("bob@example.com", password: "password")
      if isDeletionLinked { _ = try await world.link() }
      let own = try await world.accounts.export(
        idToken: bob.tokens.idToken, in: world.project, now: world.now)
      #expect(own.events.map(\.kind).last == .accountCreated)
      #expect(!own.events.contains { $0.kind == .deleted })
      let administrators = try await world.accounts.exportAccount(
        id, in: world.project, now: world.now)
      #expect(administrators.events.contains { $0.kind == .deleted })
    }
  }

  @Test func `without a recent sign-in a user's sessions don't show addresses`() async throws {
    try await withWorld { world in
      try await EventOrigin.$current.withValue(EventOrigin(.user, source: Self.phone)) {
        let ann = try await world.signIn(identity()).signedIn()
        let fresh = try await world.accounts.sessions(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
        #expect(fresh.sessions.map(\.device?.address) == [Self.phone.address])
        world.advance(600)
        let old = try await world.accounts.sessions(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
        #expect(old.sessions.map(\.device?.address) == [nil])
        #expect(old.sessions.map(\.device?.app) == [Self.phone.app])
      }
    }
  }

  @Test func `an account's erasure erases from where its user came, and the chain holds`()
    async throws
  {
    try await withWorld { world in
      try await EventOrigin.$current.withValue(EventOrigin(.user, source: Self.phone)) {
        let ann = try await world.signIn(identity()).signedIn()
        _ = try await world.signIn(identity(.google, "bob")).signedIn()
        _ = try await world.link()
        _ = try await world.accounts.delete(
          idToken: ann.tokens.idToken, in: world.project, now: world.now)
        _ = try await world.link()
        let links = try await world.links()
        #expect(links.map(\.event.kind) == [.accountCreated, .accountCreated, .deleted])
        #expect(links.map(\.event.source.isEmpty) == [true, false, true])
        #expect(links.map(\.isSourceKept) == [false, true, true])
        let report = try await EventLog(store: world.store).verify(
          world.project.id, keys: SharedKey.keys().keySet)
        #expect(report.report.faults.isEmpty)
        #expect(report.next == nil)
      }
    }
  }
}

extension World {
  /// The project's events about accounts, in the order in which they were recorded, linked or not.
  func events() async throws -> [Event] {
    let (id, links) = (project.id, try await links())
    let waiting = try await store.read { try $0.waitingEvents(after: nil, limit: 10_000) }
      .compactMap(\.event)
    return links.map(\.event) + waiting.filter { $0.project == id && $0.kind.isAboutAccount }
  }

  func links() async throws -> [EventLink] {
    let id = project.id
    return try await store.read { try $0.eventLinks(of: id, after: 0, limit: 10_000) }
      .filter { $0.event.kind.isAboutAccount }
  }

  func link() async throws -> Int { try await EventLinker(store: store).run() }
}

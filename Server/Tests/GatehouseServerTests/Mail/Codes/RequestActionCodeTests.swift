import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct RequestActionCodeTests {
  @Test func `without protection a reset for an unknown address is refused`() async throws {
    try await withWorld { world in
      let request = ActionCodeRequest.passwordReset(try email("nobody@example.com"))
      await #expect(throws: AccountsError.emailNotFound) { try await world.ask(request) }
    }
  }

  @Test func `with protection a reset for an unknown address looks the same but sends nothing`()
    async throws
  {
    try await withWorld({ $0.protectsEmails = true }) { world in
      let request = ActionCodeRequest.passwordReset(try email("nobody@example.com"))
      let issued = try await world.ask(request, .reveal)
      #expect(issued == nil)
      try await world.ask(request)
      #expect(world.mailbox.count == 0)
    }
  }

  @Test(arguments: [false, true])
  func `requests have a limit for each address, with or without an account`(
    _ hasAccount: Bool
  ) async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      if hasAccount { _ = try await world.signUp("ann@example.com") }
      let request = ActionCodeRequest.passwordReset(try email("ann@example.com"))
      for _ in 0..<ActionCode.maximumLive { try await world.ask(request) }
      await #expect(throws: AccountsError.tooManyActionCodes) { try await world.ask(request) }
      // Another purpose isn't affected, and expired codes don't count.
      try await world.ask(.emailSignIn(try email("ann@example.com")))
      world.advance(ActionCode.Purpose.passwordReset.lifetimeSeconds)
      try await world.ask(request)
    }
  }

  @Test func `a client that requests many codes is refused, administrators aren't`() async throws {
    try await withWorld({
      $0.protectsEmails = true
      $0.rateLimits.codesPerAddress = 3
    }) { world in
      for number in 0..<3 {
        try await world.ask(.passwordReset(try email("person-\(number)@example.com")))
      }
      let next = ActionCodeRequest.passwordReset(try email("next@example.com"))
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.ask(next) }
      _ = try await world.ask(next, .reveal)
      world.advance(3600)
      try await world.ask(next)
    }
  }

  @Test func `a project sends so many codes, whoever asks, and then refuses all addresses alike`()
    async throws
  {
    try await withWorld({
      $0.protectsEmails = true
      $0.rateLimits.codesPerProject = 3
    }) { world in
      for name in ["ann", "bob", "eve", "joe"] { _ = try await world.signUp("\(name)@example.com") }
      let next = ActionCodeRequest.passwordReset(try email("ann@example.com"))
      for (number, name) in ["bob", "eve", "joe"].enumerated() {
        try await world.ask(
          .passwordReset(try email("\(name)@example.com")),
          from: try client("192.0.2.\(number)"))
      }
      for request in [next, .passwordReset(try email("nobody@example.com"))] {
        await #expect(throws: AccountsError.tooManyAttempts) {
          try await world.ask(request, from: try client("192.0.2.9"))
        }
      }
      _ = try await world.ask(next, .reveal)
      world.advance(3600)
      try await world.ask(next, from: try client("192.0.2.9"))
    }
  }

  @Test func `requests that send no mail leave the project's mails to its users`() async throws {
    try await withWorld({
      $0.protectsEmails = true
      $0.refusesSignUp = true
      $0.rateLimits.codesPerProject = 1
    }) { world in
      let ann = try await world.create { $0.profile.email = .set(try email("ann@example.com")) }
      for number in 0..<50 {
        let madeUp = try email("nobody-\(number)@example.com")
        let client = try client("192.0.2.\(number)")
        try await world.ask(.passwordReset(madeUp), from: client)
        try await world.ask(.emailSignIn(madeUp), from: client)
      }
      #expect(world.mailbox.count == 0)
      try await world.ask(.passwordReset(try #require(ann.email)))
      #expect(world.mailbox.mails(to: "ann@example.com").count == 1)
    }
  }

  enum Replaced: CaseIterable { case reset, signIn, verification, change }

  private func request(
    _ what: Replaced, _ number: Int, _ ann: SignedIn
  ) throws -> ActionCodeRequest {
    switch what {
    case .reset: .passwordReset(try email("ann@example.com"))
    case .signIn: .emailSignIn(try email("ann@example.com"))
    case .verification: .emailVerification(of: .idToken(ann.tokens.idToken))
    case .change:
      .emailChange(of: .idToken(ann.tokens.idToken), to: try email("ann\(number)@example.org"))
    }
  }

  /// A newer code makes the earlier one void. So an email that waits for the earlier code is never sent.
  @Test(arguments: Replaced.allCases)
  func `an email that a newer one replaces before it is sent is counted once`(
    _ what: Replaced
  ) async throws {
    try await withWorld({ $0.rateLimits.codesPerProject = 2 }) { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signUp("bob@example.com")
      for number in 0..<5 { try await world.ask(try request(what, number, ann)) }
      #expect(try await world.emails().count == 1)
      let last = try #require(try await world.emails().last?.code)
      #expect(last.link.reveal() == world.mailbox.last?.link.reveal())
      try await world.ask(.passwordReset(try email("bob@example.com")))
      #expect(try await world.emails().map(\.recipient.text).last == "bob@example.com")
    }
  }

  @Test(arguments: Replaced.allCases)
  func `an email that a newer one replaces after an attempt to send it counts`(
    _ what: Replaced
  ) async throws {
    try await withWorld({ $0.rateLimits.codesPerProject = 2 }) { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signUp("bob@example.com")
      try await world.ask(try request(what, 0, ann))
      let now = world.now
      let claimed = try await world.store.write { transaction in
        try transaction.claimOutboxEntries(
          .all, now: now, leases: OutboxLeases(), limit: 10)
      }
      #expect(claimed.count == 1)
      try await world.ask(try request(what, 1, ann))
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.ask(.passwordReset(try email("bob@example.com")))
      }
      // The newer email doesn't wait for the earlier one.
      let next = try await world.store.write { transaction in
        try transaction.claimOutboxEntries(
          .all, now: now, leases: OutboxLeases(), limit: 10)
      }
      #expect(next.count == 1)
    }
  }

  @Test func `an email that replaces one that would not be sent counts`() async throws {
    try await withWorld({
      $0.protectsEmails = true
      $0.refusesSignUp = true
      $0.rateLimits.codesPerProject = 1
    }) { world in
      try await world.ask(.emailSignIn(try email("ann@example.com")))
      _ = try await world.create { $0.profile.email = .set(try email("ann@example.com")) }
      _ = try await world.create { $0.profile.email = .set(try email("bob@example.com")) }
      try await world.ask(.emailSignIn(try email("ann@example.com")))
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.ask(.emailSignIn(try email("bob@example.com")))
      }
    }
  }

  private func client(_ address: String) throws -> ClientAddress {
    ClientAddress(try #require(IPAddress(address)))
  }

  @Test func `an administrator isn't limited by the requests of others`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let request = ActionCodeRequest.passwordReset(try email("ann@example.com"))
      for _ in 0..<ActionCode.maximumLive { try await world.ask(request) }
      let issued = try #require(try await world.ask(request, .reveal))
      _ = try await world.resetPassword(issued.code.reveal())
    }
  }

  @Test func `codes of an account that gave up the address don't count for its next user`()
    async throws
  {
    try await withWorld { world in
      let mallory = try await world.signUp("ann@example.com")
      let verification = ActionCodeRequest.emailVerification(of: .idToken(mallory.tokens.idToken))
      for _ in 0..<ActionCode.maximumLive { try await world.ask(verification) }
      await #expect(throws: AccountsError.tooManyActionCodes) { try await world.ask(verification) }
      _ = try await world.update(mallory.tokens.idToken) {
        $0.email = .set(try email("mallory@example.com"))
      }
      let ann = try await world.signUp("ann@example.com")
      let code = try await world.sent(
        .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com")
      #expect(try await world.apply(code).uid == ann.account.uid)
    }
  }

  @Test func `an account can't send to many addresses or find out which are taken`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.signUp("taken@example.com")
      let holder = ActionCodeRequest.Holder.idToken(ann.tokens.idToken)
      try await world.ask(.emailChange(of: holder, to: try email("taken@example.com")))
      for number in 1..<ActionCode.maximumLive {
        try await world.ask(.emailChange(of: holder, to: try email("free-\(number)@example.com")))
      }
      await #expect(throws: AccountsError.tooManyActionCodes) {
        try await world.ask(.emailChange(of: holder, to: try email("free@example.com")))
      }
      #expect(world.mailbox.mails(to: "taken@example.com").isEmpty)
    }
  }

  @Test func `without protection a change to an address in use is refused`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signUp("taken@example.com")
      await #expect(throws: AccountsError.emailExists) {
        try await world.ask(
          .emailChange(of: .idToken(ann.tokens.idToken), to: try email("taken@example.com")))
      }
    }
  }

  @Test func `a change of the address needs a recent sign-in`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let request = ActionCodeRequest.emailChange(
        of: .idToken(ann.tokens.idToken), to: try email("new@example.com"))
      try await world.ask(request)
      world.advance(600)
      await #expect(throws: AccountsError.credentialTooOld) { try await world.ask(request) }
    }
  }

  @Test func `an account without an address can't verify one`() async throws {
    try await withWorld { world in
      let anonymous = try await world.signUpAnonymously()
      await #expect(throws: AccountsError.missingEmail) {
        try await world.ask(.emailVerification(of: .idToken(anonymous.tokens.idToken)))
      }
    }
  }

  @Test func `a server without delivery gives the same error for every address`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      _ = try await world.signUp("ann@example.com")
      let mute = try World.service(
        store: world.store, master: world.master, passwords: try World.hasher())
      for address in ["ann@example.com", "nobody@example.com"] {
        await #expect(throws: AccountsError.deliveryMissing) {
          try await mute.requestActionCode(
            .passwordReset(try email(address)), handling: .deliver, from: .unknown,
            link: World.link, in: world.project, now: world.now)
        }
      }
      let revealed = try await mute.requestActionCode(
        .passwordReset(try email("ann@example.com")), handling: .reveal, from: .unknown,
        link: World.link, in: world.project, now: world.now)
      #expect(revealed.issued?.link.reveal().contains("code=") == true)
    }
  }

  @Test func `no email link is sent if the project doesn't allow them`() async throws {
    try await withWorld({ $0.allowsEmailLinks = false }) { world in
      await #expect(throws: AccountsError.emailLinksDisabled) {
        try await world.ask(.emailSignIn(try email("ann@example.com")))
      }
    }
  }

  @Test(arguments: [false, true])
  func `while sign-up is refused, no link for a sign-in is sent to an unknown address`(
    _ protectsEmails: Bool
  ) async throws {
    try await withWorld({ $0.protectsEmails = protectsEmails }) { world in
      _ = try await world.signUp("ann@example.com")
      let sent = world.mailbox.count
      let closed = world.project { $0.refusesSignUp = true }
      let unknown = ActionCodeRequest.emailSignIn(try email("nobody@example.com"))
      if protectsEmails {
        try await world.ask(unknown, in: closed)
      } else {
        await #expect(throws: AccountsError.adminOnlyOperation) {
          try await world.ask(unknown, in: closed)
        }
      }
      #expect(world.mailbox.count == sent)
      try await world.ask(.emailSignIn(try email("ann@example.com")), in: closed)
      #expect(world.mailbox.count == sent + 1)
    }
  }

  @Test func `the database contains no code`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let code = try await world.sent(
        .passwordReset(try email("ann@example.com")), to: "ann@example.com")
      let project = world.project.id
      let stored = try await world.store.read { try $0.actionCodes(limit: 10, in: project) }
      #expect(stored.count == 1)
      #expect(stored.first?.link == nil)
      #expect(code.utf8.count == 43)
      #expect(!"\(stored)".contains(code))
    }
  }
}

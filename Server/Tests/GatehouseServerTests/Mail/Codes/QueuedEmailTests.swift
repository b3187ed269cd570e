import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct QueuedEmailTests {
  @Test func `a code's email is stored with it`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let code = try await world.sent(
        .passwordReset(try email("ann@example.com")), to: "ann@example.com")
      let task = try #require(try await world.emails().last)
      #expect(task.kind == .resetPassword)
      #expect(task.recipient.text == "ann@example.com")
      #expect(task.uid == ann.account.uid)
      #expect(task.code?.link.reveal().hasSuffix(code) == true)
      #expect(!task.isVoid)
      #expect(task.expiresAt == world.now.addingTimeInterval(3600))
    }
  }

  @Test func `a change of the address is told to the new one, and undone from the old one`()
    async throws
  {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      let code = try await world.sent(
        .emailChange(of: .idToken(ann.tokens.idToken), to: try email("new@example.com")),
        to: "new@example.com")
      let change = try #require(try await world.emails().last)
      #expect(change.kind == .verifyAndChangeEmail)
      #expect(change.recipient.text == "new@example.com")
      #expect(change.email.text == "ann@example.com")
      #expect(change.newEmail?.text == "new@example.com")
      _ = try await world.apply(code)
      let recovery = try #require(try await world.emails().last)
      #expect(recovery.kind == .recoverEmail)
      #expect(recovery.recipient.text == "ann@example.com")
      #expect(recovery.email.text == "ann@example.com")
      #expect(recovery.newEmail?.text == "new@example.com")
    }
  }

  @Test func `an unknown address costs an entry too, and gets no email`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      try await world.ask(.passwordReset(try email("nobody@example.com")))
      let task = try #require(try await world.emails().last)
      #expect(task.isVoid)
      #expect(task.uid == nil)
    }
  }

  @Test func `an email names the request's language, and after it the account's`() async throws {
    try await withWorld { world in
      let ann = try await world.accounts.signUp(
        email: try email("ann@example.com"), password: Secret("notasecret"), displayName: nil,
        from: .unknown, language: "de", in: world.project, now: world.now
      ).signedIn()
      try await world.ask(.passwordReset(try email("ann@example.com")))
      #expect(try await world.emails().last?.languages == ["de"])
      let vietnamese = CodeLink(language: "vi") { _, code, _ in code }
      _ = try await world.accounts.requestActionCode(
        .emailVerification(of: .idToken(ann.tokens.idToken)), handling: .deliver, from: .unknown,
        link: vietnamese, in: world.project, now: world.now)
      #expect(try await world.emails().last?.languages == ["vi", "de"])
    }
  }

  @Test func `a code that an administrator gets is not sent`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      try await world.ask(.passwordReset(try email("ann@example.com")), .reveal)
      #expect(try await world.emails().isEmpty)
    }
  }

  @Test func `a request that is refused leaves no email`() async throws {
    try await withWorld { world in
      let request = ActionCodeRequest.passwordReset(try email("nobody@example.com"))
      await #expect(throws: AccountsError.emailNotFound) { try await world.ask(request) }
      #expect(try await world.emails().isEmpty)
    }
  }
}

@Suite struct AccountNoticeTests {
  @Test func `a new password is told to a verified address`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another-one")) }
      let task = try #require(try await world.emails().last)
      #expect(task.kind == .passwordChanged)
      #expect(task.recipient.text == "ann@example.com")
      #expect(task.code == nil)
    }
  }

  @Test(arguments: ["ann@example.com", "thief@example.com"])
  func `a password that is added to an account is told to its verified address`(
    _ address: String
  ) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      _ = try await world.upgrade(ann.tokens.idToken, address)
      let notices = try await world.emails().filter { $0.kind == .passwordChanged }
      #expect(notices.map(\.recipient.text) == ["ann@example.com"])
      #expect(notices.map(\.uid) == [ann.account.uid])
    }
  }

  @Test func `an anonymous account that gets its first password gets no notice`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      _ = try await world.upgrade(guest.tokens.idToken, "ann@example.com")
      #expect(try await world.emails().isEmpty)
    }
  }

  @Test func `a linked provider is named`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.signIn(identity(.google, "ann"), linkingTo: ann.tokens.idToken).signedIn()
      let task = try #require(try await world.emails().last)
      #expect(task.kind == .providerLinked)
      #expect(task.provider == .google)
    }
  }

  @Test func `a deletion is told although the account is gone`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, language: "de", in: world.project, now: world.now)
      let task = try #require(try await world.emails().last)
      #expect(task.kind == .accountDeleted)
      #expect(task.recipient.text == "ann@example.com")
      #expect(task.languages == ["de"])
    }
  }

  @Test func `a notice is in the account's language if the request names none`() async throws {
    try await withWorld { world in
      let ann = try await world.accounts.signUp(
        email: try email("ann@example.com"), password: Secret("notasecret"), displayName: nil,
        from: .unknown, language: "de", in: world.project, now: world.now
      ).signedIn()
      try await world.apply(
        try await world.sent(
          .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com"))
      _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another-one")) }
      #expect(try await world.emails().last?.languages == ["de"])
    }
  }

  /// The server may have no text in the request's language.
  @Test func `a notice names the request's language, and after it the account's`() async throws {
    try await withWorld { world in
      let ann = try await world.accounts.signUp(
        email: try email("ann@example.com"), password: Secret("notasecret"), displayName: nil,
        from: .unknown, language: "de", in: world.project, now: world.now
      ).signedIn()
      try await world.apply(
        try await world.sent(
          .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com"))
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, language: "fr", in: world.project, now: world.now)
      let task = try #require(try await world.emails().last)
      #expect(task.kind == .accountDeleted)
      #expect(task.languages == ["fr", "de"])
    }
  }

  @Test func `a grace period is told at its beginning and at its end`() async throws {
    try await withWorld({ $0.deletionGraceDays = 30 }) { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      let end = world.now.addingTimeInterval(30 * 86_400)
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, language: "de", in: world.project, now: world.now)
      let scheduled = try #require(try await world.emails().last)
      #expect(scheduled.kind == .deletionScheduled)
      #expect(scheduled.languages == ["de"])
      #expect(scheduled.expiresAt == end)
      _ = try await AccountsService.eraseScheduledAccounts(
        in: world.store, limit: 10, sendsMail: true, now: end)
      #expect(try await world.emails().last?.kind == .accountDeleted)
    }
  }

  @Test func `an address that isn't verified gets no notice`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another-one")) }
      #expect(try await world.emails().isEmpty)
    }
  }

  @Test func `a project can turn notices off`() async throws {
    try await withWorld({ $0.sendsNotices = false }) { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      let before = try await world.emails().count
      _ = try await world.update(ann.tokens.idToken) { $0.password = .set(Secret("another-one")) }
      #expect(try await world.emails().count == before)
    }
  }
}

extension World {
  /// The queued emails, oldest first.
  func emails() async throws -> [MailTask] {
    try await store.read { try $0.outboxEntries(OutboxFilter(), limit: 100) }.compactMap { entry in
      guard case .sendMail(let task) = entry.task else { return nil }
      return task
    }
  }
}

import GatehouseServer
import GatehouseProtocol
import Testing

/// An address that a code verifies is joined with an anonymized identity only with consent.
@Suite struct ConsentByCodeTests {
  private let joins = [AccountPart.identity(.apple), .email]

  @Test func `an email link needs consent, and stays valid without it`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.privateAccount()
      let code = try await world.sent(
        .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
      await #expect(throws: AccountsError.consentRequired(joins)) {
        try await world.signIn(code: code, "ann@example.com", linkingTo: ann.tokens.idToken)
      }
      let linked = try await world.accounts.signIn(
        withEmailLinkCode: code, email: try email("ann@example.com"),
        linkingIDToken: ann.tokens.idToken, consent: GivenConsent(version: "v1", joins: joins),
        from: .unknown, link: World.link, in: world.project, now: world.now)
      #expect(linked.account.uid == ann.account.uid)
      #expect(linked.account.email?.text == "ann@example.com")
    }
  }

  @Test func `a change of the relay address needs consent; its code stays valid`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.privateAccount()
      let code = try await world.sent(
        .emailChange(of: .idToken(ann.tokens.idToken), to: try email("ann@example.com")),
        to: "ann@example.com")
      await #expect(throws: AccountsError.consentRequired(joins)) { try await world.apply(code) }
      #expect(try await world.stored(ann.account.uid).email?.text == "relay@example.com")
      let (account, _) = try await world.accounts.applyActionCode(
        code, consent: GivenConsent(version: "v1", joins: joins), from: .unknown,
        link: World.link, in: world.project, now: world.now)
      #expect(account.email?.text == "ann@example.com")
      let kept = try await world.accounts.consents(of: [account.uid], in: world.project)
      #expect(kept[account.uid]?.map(\.joins) == [joins])
    }
  }

  @Test func `a takeover by an email link deletes an earlier consent`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let squatter = try await world.signUp("ann@example.com")
      let both = [AccountPart.identity(.facebook), .email]
      _ = try await world.signIn(
        identity(.facebook, "f"), linkingTo: squatter.tokens.idToken,
        consent: GivenConsent(version: "v1", joins: both)
      ).signedIn()
      let code = try await world.sent(
        .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
      let owner = try await world.signIn(code: code, "ann@example.com")
      #expect(owner.account.uid == squatter.account.uid)
      let kept = try await world.accounts.consents(of: [owner.account.uid], in: world.project)
      #expect(kept.isEmpty)
    }
  }

  @Test func `a takeover by a password reset deletes an earlier consent`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let squatter = try await world.signUp("ann@example.com")
      try await world.linkFacebook(to: squatter)
      _ = try await world.resetPassword(
        try await world.sent(.passwordReset(try email("ann@example.com")), to: "ann@example.com"))
      let uid = squatter.account.uid
      #expect(try await world.stored(uid).isEmailVerified)
      #expect(try await world.accounts.consents(of: [uid], in: world.project).isEmpty)
    }
  }

  @Test func `a password reset by the user of a verified address keeps a consent`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      try await world.linkFacebook(to: ann)
      _ = try await world.resetPassword(
        try await world.sent(.passwordReset(try email("ann@example.com")), to: "ann@example.com"))
      let uid = ann.account.uid
      #expect(try await world.accounts.consents(of: [uid], in: world.project)[uid]?.count == 1)
    }
  }

  @Test func `a recovery deletes the consents since the address was last verified`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let ann = try await world.signUp("ann@example.com")
      try await world.linkFacebook(to: ann)
      world.advance(1)
      try await world.apply(
        try await world.sent(
          .emailVerification(of: .idToken(ann.tokens.idToken)), to: "ann@example.com"))
      let uid = ann.account.uid
      let own = try await world.accounts.consents(of: [uid], in: world.project)[uid]
      #expect(own?.count == 1)
      world.advance(1)
      let code = try await world.sent(
        .emailChange(of: .idToken(ann.tokens.idToken), to: try email("thief@example.com")),
        to: "thief@example.com")
      let joins = [AccountPart.identity(.facebook), .email]
      _ = try await world.accounts.applyActionCode(
        code, consent: GivenConsent(version: "v1", joins: joins), from: .unknown,
        link: World.link, in: world.project, now: world.now)
      #expect(try await world.accounts.consents(of: [uid], in: world.project)[uid]?.count == 2)
      let mails = world.mailbox.mails(to: "ann@example.com")
      let recovery = try #require(mails.last { $0.purpose == .emailRecovery })
      try await world.apply(recovery.code)
      #expect(try await world.accounts.consents(of: [uid], in: world.project)[uid] == own)
    }
  }
}

extension World {
  /// Links an identity of Facebook, with the consent of the user.
  fileprivate func linkFacebook(to user: SignedIn) async throws {
    let joins = [AccountPart.identity(.facebook), .email]
    _ = try await signIn(
      identity(.facebook, "f"), linkingTo: user.tokens.idToken,
      consent: GivenConsent(version: "v1", joins: joins)
    ).signedIn()
  }

  /// Signed in with an identity behind a relay address.
  fileprivate func privateAccount() async throws -> SignedIn {
    var apple = try identity(.apple, "apple-ann", email: "relay@example.com")
    apple.isPrivateEmail = true
    return try await signIn(apple).signedIn()
  }
}

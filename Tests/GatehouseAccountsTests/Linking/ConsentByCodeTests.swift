import GatehouseAccounts
import GatehouseModel
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
}

extension World {
  /// Signed in with an identity behind a relay address.
  fileprivate func privateAccount() async throws -> SignedIn {
    var apple = try identity(.apple, "apple-ann", email: "relay@example.com")
    apple.isPrivateEmail = true
    return try await signIn(apple).signedIn()
  }
}

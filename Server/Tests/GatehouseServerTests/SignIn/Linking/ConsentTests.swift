import GatehouseServer
import GatehouseProtocol
import Testing

/// What is joined in an account only with the user's consent.
@Suite struct ConsentTests {
  // MARK: Anonymized

  @Test func `a social identity isn't linked to an anonymized one without consent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      await #expect(throws: AccountsError.consentRequired(parts("apple.com", "google.com"))) {
        try await world.signIn(
          identity(email: "ann@example.com").once(), linkingTo: ann.tokens.idToken)
      }
      // Nothing was changed or used up: the same token works with the consent.
      #expect(try await world.stored(ann.account.uid).identities.count == 1)
      let linked = try await world.signIn(
        identity(email: "ann@example.com").once(), linkingTo: ann.tokens.idToken,
        consent: consent("apple.com", "google.com")
      ).signedIn()
      #expect(linked.account.identities.map(\.provider) == [.apple, .google])
    }
  }

  @Test func `an anonymized identity isn't linked to identifying data without consent`()
    async throws
  {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      _ = try await world.administer(ann.account.uid) { changes in
        changes.profile.email = .set(try email("other@example.com"))
        changes.phoneNumber = .set("+15550100")
      }
      let again = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      let joins = ["google.com", "apple.com", "email", "phone"]
      await #expect(throws: AccountsError.consentRequired(parts(joins))) {
        try await world.signIn(relay(), linkingTo: again.tokens.idToken)
      }
      _ = try await world.signIn(
        relay(), linkingTo: again.tokens.idToken, consent: consent(joins)
      ).signedIn()
    }
  }

  @Test func `each further part needs its own consent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let linked = try await world.signIn(
        identity(email: "ann@example.com"), linkingTo: ann.tokens.idToken,
        consent: consent("apple.com", "google.com")
      ).signedIn()
      await #expect(throws: AccountsError.consentRequired(parts("apple.com", "facebook.com"))) {
        try await world.signIn(
          identity(.facebook), linkingTo: linked.tokens.idToken,
          consent: consent("apple.com", "google.com"))
      }
    }
  }

  @Test func `an address isn't added to an anonymized account without consent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let required = AccountsError.consentRequired(parts("apple.com", "email"))
      await #expect(throws: required) {
        try await world.update(ann.tokens.idToken) { $0.email = .set(try email("a@example.com")) }
      }
      await #expect(throws: required) {
        try await world.upgrade(ann.tokens.idToken, "a@example.com")
      }
      let (account, _) = try await world.update(
        ann.tokens.idToken, consent: consent("apple.com", "email")
      ) { $0.email = .set(try email("a@example.com")) }
      #expect(account.email?.text == "a@example.com")
      #expect(try await world.consents(account.uid).map(\.joins) == [parts("apple.com", "email")])
    }
  }

  @Test func `a password for the relay address needs no consent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let upgraded = try await world.upgrade(ann.tokens.idToken, "relay@example.com")
      #expect(upgraded.account.password != nil)
      #expect(try await world.consents(ann.account.uid).isEmpty)
    }
  }

  @Test func `joining by a verified address needs consent too`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      _ = try await world.administer(ann.account.uid) { changes in
        changes.profile.email = .set(try email("ann@example.com"))
        changes.isEmailVerified = true
      }
      let google = try identity(email: "ann@example.com").once()
      let joins = parts("apple.com", "google.com")
      await #expect(throws: AccountsError.consentRequired(joins)) { try await world.signIn(google) }
      let asked = try await world.signIn(google, takesPendingToken: true).consentRequired()
      #expect(asked.joins == ["apple.com", "google.com"])
      #expect(try await world.stored(ann.account.uid).identities.map(\.provider) == [.apple])
      let joined = try await world.repeatSignIn(
        asked.pendingToken, consent: consent("apple.com", "google.com")
      ).signedIn()
      #expect(joined.account.uid == ann.account.uid)
    }
  }

  @Test func `two identifying identities join without consent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      var open = try identity(.apple, "apple-ann", email: "ann@example.com")
      open.isPrivateEmail = false
      let joined = try await world.signIn(open).signedIn()
      #expect(joined.account.uid == ann.account.uid)
      _ = try await world.signIn(identity(.facebook), linkingTo: ann.tokens.idToken).signedIn()
      #expect(try await world.consents(ann.account.uid).isEmpty)
    }
  }

  @Test func `a first identity needs no consent`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let guest = try await world.signUpAnonymously()
      let linked = try await world.signIn(relay(), linkingTo: guest.tokens.idToken).signedIn()
      #expect(linked.account.uid == guest.account.uid)
      _ = try await world.signIn(identity(email: "new@example.com")).signedIn()
    }
  }

  // MARK: Always and off

  @Test func `always needs consent for every join`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let ann = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.consentRequired(parts("google.com", "email"))) {
        try await world.signIn(
          identity(email: "ann@example.com"), linkingTo: ann.tokens.idToken)
      }
      // Replacing the account's only part joins nothing.
      let (account, _) = try await world.update(ann.tokens.idToken) {
        $0.email = .set(try email("new@example.com"))
      }
      #expect(account.email?.text == "new@example.com")
    }
  }

  @Test func `off needs no consent and stores none`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(relay()).signedIn()
      _ = try await world.signIn(
        identity(), linkingTo: ann.tokens.idToken, consent: consent("apple.com", "google.com")
      ).signedIn()
      #expect(try await world.consents(ann.account.uid).isEmpty)
    }
  }

  // MARK: The token

  @Test func `a client that accepts a pending token gets one; its token is spent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let google = try identity().once()
      let asked = try await world.signIn(
        google, linkingTo: ann.tokens.idToken, takesPendingToken: true
      ).consentRequired()
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(google, linkingTo: ann.tokens.idToken)
      }
      await #expect(throws: AccountsError.consentRequired(parts("apple.com", "google.com"))) {
        try await world.repeatSignIn(asked.pendingToken, linkingTo: ann.tokens.idToken)
      }
      let linked = try await world.repeatSignIn(
        asked.pendingToken, linkingTo: ann.tokens.idToken,
        consent: consent("google.com", "apple.com")
      ).signedIn()
      #expect(linked.account.identities.count == 2)
    }
  }

  @Test func `a server's nonce stays valid if the consent is missing`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let idToken = ann.tokens.idToken
      let nonce = try await world.accounts.issueNonce(
        forIDToken: idToken, in: world.project, now: world.now
      ).text
      await #expect(throws: AccountsError.consentRequired(parts("apple.com", "google.com"))) {
        try await world.signIn(identity(), linkingTo: idToken, nonce: nonce)
      }
      _ = try await world.signIn(
        identity(), linkingTo: idToken, nonce: nonce, consent: consent("apple.com", "google.com")
      ).signedIn()
    }
  }

  // MARK: What is stored

  @Test func `the joined parts, the time and the text's version are stored`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      world.advance(5)
      _ = try await world.signIn(
        identity(), linkingTo: ann.tokens.idToken,
        consent: consent("apple.com", "google.com", "phone")
      )
      // Only the parts that were joined, even if the user agreed to more.
      let kept = Consent(
        version: "v1", joins: parts("apple.com", "google.com"), givenAt: world.now)
      #expect(try await world.consents(ann.account.uid) == [kept])
    }
  }

  @Test func `a takeover deletes a consent`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let ann = try await world.signUp("ann@example.com")
      let linked = try await world.signIn(
        identity(.facebook, "f"), linkingTo: ann.tokens.idToken,
        consent: consent("facebook.com", "email")
      ).signedIn()
      #expect(try await world.consents(ann.account.uid).count == 1)
      let owner = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      #expect(owner.account.uid == linked.account.uid)
      #expect(try await world.consents(ann.account.uid).isEmpty)
    }
  }

  @Test func `an administrator's changes need no consent`() async throws {
    try await withWorld({ $0.linkConsent = .always }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let account = try await world.administer(ann.account.uid) { changes in
        changes.phoneNumber = .set("+15550100")
        changes.link = AssignedIdentity(provider: .google, subject: try subject("g"))
      }
      #expect(account.identities.count == 2)
      #expect(try await world.consents(account.uid).isEmpty)
    }
  }

  @Test(arguments: [
    ("", ["apple.com"]), (String(repeating: "v", count: 129), ["apple.com"]), ("v\n", ["email"]),
    ("v1", []), ("v1", Array(repeating: "email", count: 33)),
  ])
  func `a consent has bounds`(_ version: String, _ names: [String]) {
    #expect(GivenConsent(version: version, joins: parts(names)) == nil)
  }

  // MARK: Parts

  private func consent(_ names: String...) throws -> GivenConsent { try consent(names) }

  private func consent(_ names: [String]) throws -> GivenConsent {
    try #require(GivenConsent(version: "v1", joins: parts(names)))
  }

  private func parts(_ names: String...) -> [AccountPart] { parts(names) }

  private func parts(_ names: [String]) -> [AccountPart] {
    names.compactMap { AccountPart(name: $0) }
  }
}

extension World {
  fileprivate func consents(_ uid: UID) async throws -> [Consent] {
    try await accounts.consents(of: [uid], in: project)[uid, default: []]
  }
}

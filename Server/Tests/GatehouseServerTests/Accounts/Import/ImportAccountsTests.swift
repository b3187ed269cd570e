import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

@Suite struct ImportAccountsTests {
  private static func assigned(_ provider: ProviderID, _ name: String) throws -> AssignedIdentity {
    AssignedIdentity(provider: provider, subject: try subject(name))
  }

  @Test func `an account is imported with every value`() async throws {
    try await withImportWorld { world in
      let created = Date(timeIntervalSince1970: 1_600_000_000.25)
      let account = try imported("ann") {
        $0.isEmailVerified = true
        $0.displayName = "Ann"
        $0.photoURL = "https://example.com/ann"
        $0.phoneNumber = "+15555550100"
        $0.customClaims = try CustomClaims(jsonText: #"{"role":"admin"}"#)
        $0.isDisabled = true
        $0.createdAt = created
        $0.lastLoginAt = created.addingTimeInterval(60)
        $0.identities = [try Self.assigned(.google, "g"), try Self.assigned(.apple, "a")]
      }
      #expect(try await world.importAccounts([account]).imported == 1)
      let stored = try await world.world.stored(account.uid)
      #expect(stored.email == account.email && stored.isEmailVerified && stored.isDisabled)
      #expect(stored.displayName == "Ann" && stored.photoURL == "https://example.com/ann")
      #expect(stored.phoneNumber == "+15555550100" && stored.password == nil)
      #expect(stored.customClaims?.jsonText == #"{"role":"admin"}"#)
      #expect(stored.createdAt == created)
      #expect(stored.lastLoginAt == created.addingTimeInterval(60))
      #expect(stored.identities.map(\.provider) == [.google, .apple])
      #expect(stored.identities.map(\.subject.text) == ["g", "a"])
    }
  }

  @Test func `a replaced account's revoked tokens stay revoked, whatever the file says`()
    async throws
  {
    try await withImportWorld { world in
      let ann = try await world.world.signUp("ann@example.com")
      let row = try imported(ann.account.uid.text) {
        $0.email = nil
        $0.validSince = World.start.addingTimeInterval(-86_400)
      }
      #expect(try await world.importAccounts([row], existing: .replace).imported == 1)
      let validSince = try await world.world.stored(ann.account.uid).validSince
      #expect(validSince == Date(timeIntervalSince1970: 1_800_000_000))
    }
  }

  @Test func `a replaced account's unconfirmed credentials stay unconfirmed`() async throws {
    try await withImportWorld { imports in
      let world = imports.world
      let ann = try await world.signIn(identity(.apple, "a")).signedIn()
      world.advance(361)
      _ = try await world.signIn(identity(.google, "g"), linkingTo: ann.tokens.idToken).signedIn()
      _ = try await world.signInByPhone(idToken: ann.tokens.idToken)
      let row = try imported(ann.account.uid.text) {
        $0.email = nil
        $0.phoneNumber = World.ann
        $0.identities = [try Self.assigned(.google, "g"), try Self.assigned(.apple, "a")]
      }
      #expect(try await imports.importAccounts([row], existing: .replace).imported == 1)
      let stored = try await world.stored(ann.account.uid)
      #expect(stored.identity(of: .google)?.unconfirmedSince == World.start)
      #expect(stored.phoneUnconfirmedSince == World.start)
      #expect(stored.identity(of: .apple)?.unconfirmedSince == nil)
      world.advance(60)
      let thief = try await world.signIn(identity(.google, "g")).signedIn()
      #expect(thief.session.authenticatedAt == World.start)
    }
  }

  @Test func `each conflicting row is rejected, and the others are imported`() async throws {
    try await withImportWorld { world in
      let owner = try imported("owner") {
        $0.phoneNumber = "+15555550100"
        $0.identities = [try Self.assigned(.google, "g")]
      }
      _ = try await world.importAccounts([owner])
      let rows = [
        try imported("owner"), try imported("b") { $0.email = owner.email },
        try imported("c") { $0.phoneNumber = owner.phoneNumber },
        try imported("d") { $0.identities = owner.identities },
        try imported("e") { row in
          row.identities = [
            try Self.assigned(.google, "one"), try Self.assigned(.google, "two"),
          ]
        },
        try imported("f") { $0.createdAt = world.world.now.addingTimeInterval(1) },
        try imported("g") { $0.password = ImportedPassword(digest: [1], salt: []) },
        try imported("h"), try imported("i") { $0.email = try email("h@example.com") },
      ]
      let outcome = try await world.importAccounts(rows)
      #expect(
        outcome.refusals.map(\.refusal) == [
          .uidExists, .emailExists, .phoneNumberExists, .identityExists, .twoIdentities,
          .createdInFuture, .noScheme, .emailExists,
        ])
      #expect(outcome.refusals.map(\.index) == [0, 1, 2, 3, 4, 5, 6, 8])
      #expect(outcome.imported == 1)
      #expect(try await world.world.count() == 2)
    }
  }

  @Test func `rows keep their indices over several transactions`() async throws {
    try await withImportWorld { world in
      _ = try await world.importAccounts([try imported("n250")])
      let outcome = try await world.importAccounts((0..<301).map { try imported("n\($0)") })
      #expect(outcome.imported == 300)
      #expect(outcome.refusals.map(\.index) == [250])
      #expect(try await world.accounts.countAccounts(in: world.world.project) == 301)
    }
  }

  @Test func `with keep an existing account stays unchanged`() async throws {
    try await withImportWorld { world in
      _ = try await world.importAccounts([try imported("ann") { $0.displayName = "Ann" }])
      let outcome = try await world.importAccounts(
        [try imported("ann") { $0.displayName = "Other" }, try imported("bob")], existing: .keep)
      #expect(outcome.kept == 1 && outcome.imported == 1 && outcome.refusals.isEmpty)
      #expect(try await world.world.stored(try uid("ann")).displayName == "Ann")
    }
  }

  @Test func `with replace the account's values are removed and its sessions end`() async throws {
    try await withImportWorld { world in
      let signedIn = try await world.world.signUp("ann@example.com", name: "Ann")
      world.world.advance(10)
      let row = try imported(signedIn.account.uid.text) { $0.email = try email("new@example.com") }
      #expect(try await world.importAccounts([row], existing: .replace).imported == 1)
      let stored = try await world.world.stored(signedIn.account.uid)
      #expect(stored.email?.text == "new@example.com" && stored.displayName == nil)
      #expect(stored.password == nil)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.world.currentUser(signedIn.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.world.refresh(signedIn.tokens.refreshToken)
      }
    }
  }

  @Test func `with replace an account of custom tokens is still not taken over`() async throws {
    try await withImportWorld { importing in
      let world = importing.world
      _ = try await ServiceAccounts(store: world.store).create(
        robot, in: world.project.id, roles: [.customTokens], key: try publicKey(), now: world.now)
      let token = try customToken("ann", at: world.now)
      _ = try await world.signIn(customToken: token)
      // Another account of the same import, whose user never signed in with a custom token.
      let outcome = try await importing.importAccounts(
        [try imported("ann"), try imported("bob")], existing: .replace)
      #expect(outcome.imported == 2)
      #expect(try await world.stored(uid("ann")).isCustom)
      for (name, isTakenOver) in [("ann", false), ("bob", true)] {
        let owner = try await world.signIn(
          identity(.google, "owner of \(name)", email: "\(name)@example.com")
        ).signedIn()
        #expect((owner.account.uid.text == name) == isTakenOver)
      }
      #expect(try await world.signIn(customToken: token).account.email == nil)
    }
  }

  @Test func `with replace only the tokens of identities that stay are kept`() async throws {
    try await withImportWorld { world in
      let ann = try await world.world.signIn(identity(.apple, "a", email: "ann@example.com"))
        .signedIn()
      _ = try await world.world.signIn(identity(.google, "g", email: "ann@example.com"))
      _ = try await world.world.signIn(identity(.facebook, "1"), linkingTo: ann.tokens.idToken)
      let uid = ann.account.uid
      for (provider, name) in [(ProviderID.apple, "a"), (.google, "g"), (.facebook, "1")] {
        try await world.keepToken(of: uid, provider, name)
      }
      let row = try imported(uid.text) {
        $0.email = try email("ann@example.com")
        // Facebook's identity is left out, and Google's is another one.
        $0.identities = [try Self.assigned(.apple, "a"), try Self.assigned(.google, "other")]
      }
      #expect(try await world.importAccounts([row], existing: .replace).imported == 1)
      let project = world.world.project.id
      let kept = try await world.world.store.read { try $0.providerTokens(of: uid, in: project) }
      #expect(kept.map(\.provider) == [.apple])
    }
  }

  @Test func `with replace the record of a consent stays`() async throws {
    try await withImportWorld { world in
      let ann = try await world.world.signUp("ann@example.com")
      let (uid, project) = (ann.account.uid, world.world.project.id)
      let consent = Consent(version: "v1", joins: [.email], givenAt: world.world.now)
      try await world.world.store.write { try $0.record(consent, of: uid, in: project) }
      let row = try imported(uid.text) { $0.email = try email("ann@example.com") }
      #expect(try await world.importAccounts([row], existing: .replace).imported == 1)
      let kept = try await world.world.store.read { try $0.consents(of: uid, in: project) }
      #expect(kept == [consent])
    }
  }

  @Test func `a recovery of a former address can't restore a replaced account`() async throws {
    try await withImportWorld { world in
      let thief = try await world.world.accountVerifiedByCode("thief@example.com")
      _ = try await world.world.update(thief.tokens.idToken) {
        $0.email = .set(try email("other@example.com"))
      }
      let code = try #require(world.world.mailbox.mails(to: "thief@example.com").last)
      #expect(code.purpose == .emailRecovery)
      let row = try imported(thief.account.uid.text) { $0.email = try email("ann@example.com") }
      #expect(try await world.importAccounts([row], existing: .replace).imported == 1)
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.world.apply(code.code)
      }
    }
  }

  @Test func `a project keeps at most 64 keys, and each only once`() async throws {
    try await withImportWorld { world in
      func scheme(_ byte: UInt8) throws -> HashScheme {
        try HashScheme(.hmac(.sha256, .saltFirst), key: Secret([byte]))
      }
      for byte in UInt8(0)..<64 {
        _ = try await world.importAccounts([try imported("n\(byte)")], try scheme(byte))
      }
      #expect(try await world.importAccounts([try imported("again")], try scheme(5)).imported == 1)
      await #expect(throws: AccountsError.tooManyPasswordKeys) {
        try await world.importAccounts([try imported("more")], try scheme(64))
      }
    }
  }

  @Test func `accounts are counted by project when they are created and deleted`() async throws {
    try await withImportWorld { world in
      let other = try await world.world.otherProject()
      func counts() async throws -> [Int] {
        [
          try await world.accounts.countAccounts(in: world.world.project),
          try await world.accounts.countAccounts(in: other),
        ]
      }
      #expect(try await counts() == [0, 0])
      _ = try await world.importAccounts([try imported("ann"), try imported("bob")])
      _ = try await world.world.signUp("cid@example.com", in: other)
      // Saving again doesn't add an account.
      _ = try await world.world.administer(try uid("ann")) { $0.isDisabled = true }
      #expect(try await counts() == [2, 1])
      try await world.accounts.deleteAccount(
        try uid("ann"), in: world.world.project, now: world.world.now)
      #expect(try await counts() == [1, 1])
    }
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// What an administrator may do with any account.
@Suite struct AdministerTests {
  @Test func `an account is created with the given values`() async throws {
    try await withWorld { world in
      let made = try await world.create(uid("ann-1")) {
        $0.profile.email = .set(try email("Ann@example.com"))
        $0.profile.displayName = .set("Ann")
        $0.profile.password = .set(Secret("notasecret"))
        $0.isEmailVerified = true
        $0.phoneNumber = .set("+15550100")
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"role":"editor"}"#))
      }
      #expect(made.uid.text == "ann-1")
      let stored = try await world.stored(made.uid)
      #expect(stored.email?.text == "ann@example.com")
      #expect(stored.isEmailVerified)
      #expect(stored.displayName == "Ann")
      #expect(stored.phoneNumber == "+15550100")
      #expect(stored.customClaims?.jsonText == #"{"role":"editor"}"#)
      #expect(stored.lastLoginAt == nil)
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test func `an account may be created without values, with a random id`() async throws {
    try await withWorld { world in
      let first = try await world.create()
      let second = try await world.create()
      #expect(first.uid != second.uid)
      #expect(first.isAnonymous)
    }
  }

  @Test func `a policy that keeps the last credential doesn't forbid that`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      _ = try await world.create { $0.profile.displayName = .set("Ann") }
    }
  }

  @Test func `an id that is taken is rejected`() async throws {
    try await withWorld { world in
      _ = try await world.create(uid("ann-1"))
      await #expect(throws: AccountsError.duplicateLocalID) {
        try await world.create(uid("ann-1"))
      }
    }
  }

  @Test func `what is taken is reported before a weak password`() async throws {
    try await withWorld { world in
      _ = try await world.create(uid("ann-1")) {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.phoneNumber = .set("+15550100")
      }
      let bob = try await world.create(uid("bob-1")) {
        $0.profile.email = .set(try email("bob@example.com"))
      }
      let rows: [(String, String, String, AccountsError)] = [
        ("ann-1", "ann@example.com", "+15550100", .duplicateLocalID),
        ("new-1", "ann@example.com", "+15550100", .emailExists),
        ("new-1", "new@example.com", "+15550100", .phoneNumberExists),
        ("new-1", "new@example.com", "+15550101", .weakPassword),
      ]
      for (id, address, number, error) in rows {
        await #expect(throws: error, "\(id) \(address) \(number)") {
          try await world.create(uid(id)) {
            $0.profile.email = .set(try email(address))
            $0.phoneNumber = .set(number)
            $0.profile.password = .set(Secret("12345"))
          }
        }
      }
      for (address, error) in [
        ("ann@example.com", AccountsError.emailExists), ("bob@example.com", .weakPassword),
      ] {
        await #expect(throws: error, "\(address)") {
          try await world.administer(bob.uid) {
            $0.profile.email = .set(try email(address))
            $0.profile.password = .set(Secret("12345"))
          }
        }
      }
    }
  }

  @Test func `ids that are equal after normalization are two accounts`() async throws {
    try await withWorld { world in
      _ = try await world.create(uid("caf\u{E9}"))
      _ = try await world.create(uid("cafe\u{301}"))
      let count = try await world.count()
      #expect(count == 2)
    }
  }

  @Test func `an address that is taken is rejected, at creation and change`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let bob = try await world.signUp("bob@example.com")
      await #expect(throws: AccountsError.emailExists) {
        try await world.create { $0.profile.email = .set(try email("ann@example.com")) }
      }
      await #expect(throws: AccountsError.emailExists) {
        try await world.administer(bob.account.uid) {
          $0.profile.email = .set(try email("ann@example.com"))
        }
      }
    }
  }

  @Test func `a phone number that is taken is rejected, at creation and change`() async throws {
    try await withWorld { world in
      let ann = try await world.create { $0.phoneNumber = .set("+15550100") }
      let bob = try await world.create()
      await #expect(throws: AccountsError.phoneNumberExists) {
        try await world.create { $0.phoneNumber = .set("+15550100") }
      }
      await #expect(throws: AccountsError.phoneNumberExists) {
        try await world.administer(bob.uid) { $0.phoneNumber = .set("+15550100") }
      }
      // The account's own number is no conflict, and a removed number is free.
      _ = try await world.administer(ann.uid) { $0.phoneNumber = .set("+15550100") }
      _ = try await world.administer(ann.uid) { $0.phoneNumber = .remove }
      _ = try await world.administer(bob.uid) { $0.phoneNumber = .set("+15550100") }
    }
  }

  @Test func `a weak password is refused`() async throws {
    try await withWorld { world in
      await #expect(throws: AccountsError.weakPassword) {
        try await world.create { $0.profile.password = .set(Secret("12345")) }
      }
      let count = try await world.count()
      #expect(count == 0)
    }
  }

  @Test func `an unknown account isn't found`() async throws {
    try await withWorld { world in
      await #expect(throws: AccountsError.userNotFound) {
        try await world.administer(uid("nobody")) { $0.isDisabled = true }
      }
    }
  }

  @Test func `an account of another project isn't found`() async throws {
    try await withWorld { world in
      let ann = try await world.create()
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.userNotFound) {
        try await world.administer(ann.uid, in: other) { $0.isDisabled = true }
      }
    }
  }

  @Test func `a new address is unverified unless the administrator verifies it`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      let changed = try await world.administer(ann.account.uid) {
        $0.profile.email = .set(try email("new@example.com"))
      }
      #expect(!changed.isEmailVerified)
      let vouched = try await world.administer(ann.account.uid) {
        $0.profile.email = .set(try email("newer@example.com"))
        $0.isEmailVerified = true
      }
      #expect(vouched.isEmailVerified)
    }
  }

  @Test func `a new password or address ends every session`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.administer(ann.account.uid) {
        $0.profile.password = .set(Secret("another"))
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
      let again = try await world.signIn("ann@example.com", password: "another")
      _ = try await world.administer(ann.account.uid) {
        $0.profile.email = .set(try email("new@example.com"))
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(again.tokens.refreshToken)
      }
    }
  }

  @Test func `a name, claims or a phone number end no session`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.administer(ann.account.uid) {
        $0.profile.displayName = .set("Ann")
        $0.phoneNumber = .set("+15550100")
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"role":"editor"}"#))
        $0.isEmailVerified = true
      }
      _ = try await world.currentUser(ann.tokens.idToken)
      let token = try await world.refresh(ann.tokens.refreshToken).tokens.idToken
      #expect(try claims(of: token)["role"]?.string == "editor")
    }
  }

  @Test func `claims are replaced as a whole, and removed`() async throws {
    try await withWorld { world in
      let ann = try await world.create {
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"a":1,"b":2}"#))
      }
      let replaced = try await world.administer(ann.uid) {
        $0.customClaims = .set(try CustomClaims(jsonText: #"{"c":3}"#))
      }
      #expect(replaced.customClaims?.jsonText == #"{"c":3}"#)
      #expect(try await world.administer(ann.uid) { $0.customClaims = .remove }.customClaims == nil)
    }
  }

  @Test func `validSince rejects earlier tokens and no later ones`() async throws {
    try await withWorld { world in
      let before = try await world.signIn(identity()).signedIn()
      world.advance(10)
      let after = try await world.signIn(identity()).signedIn()
      let changed = try await world.administer(before.account.uid) {
        $0.validSince = World.start.addingTimeInterval(5)
      }
      #expect(changed.validSince == Date(timeIntervalSince1970: 1_800_000_005))
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(before.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(before.tokens.refreshToken)
      }
      _ = try await world.currentUser(after.tokens.idToken)
      _ = try await world.refresh(after.tokens.refreshToken)
    }
  }

  @Test func `an earlier validSince doesn't make revoked tokens valid`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) { $0.validSince = world.now }
      _ = try await world.administer(ann.account.uid) {
        $0.validSince = Date(timeIntervalSince1970: 0)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(ann.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(ann.tokens.refreshToken)
      }
    }
  }

  @Test func `a validSince in the future can be corrected, but not to before now`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let future = try await world.administer(ann.account.uid) {
        $0.validSince = World.start.addingTimeInterval(3600)
      }
      #expect(future.validSince == Date(timeIntervalSince1970: 1_800_003_600))
      let corrected = try await world.administer(ann.account.uid) {
        $0.validSince = Date(timeIntervalSince1970: 0)
      }
      #expect(corrected.validSince == Date(timeIntervalSince1970: 1_800_000_000))
      world.advance(1)
      let again = try await world.signIn(identity()).signedIn()
      _ = try await world.currentUser(again.tokens.idToken)
    }
  }

  @Test(arguments: [-1e300, 1e300, 9.3e15])
  func `a validSince out of range doesn't crash`(seconds: Double) async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      _ = try await world.administer(ann.account.uid) {
        $0.validSince = Date(timeIntervalSince1970: seconds)
      }
      _ = try await world.stored(ann.account.uid)
    }
  }

  @Test func `an identity is linked, and signs in`() async throws {
    try await withWorld { world in
      let ann = try await world.create()
      let linked = try await world.administer(ann.uid) {
        $0.link = AssignedIdentity(provider: .google, subject: try subject("ann"))
      }
      #expect(linked.identities.map(\.subject.text) == ["ann"])
      #expect(try await world.signIn(identity()).signedIn().account.uid == ann.uid)
    }
  }

  @Test func `another account's identity isn't linked`() async throws {
    try await withWorld { world in
      _ = try await world.signIn(identity())
      let bob = try await world.create()
      await #expect(throws: AccountsError.identityLinkedElsewhere) {
        try await world.administer(bob.uid) {
          $0.link = AssignedIdentity(provider: .google, subject: try subject("ann"))
        }
      }
      await #expect(throws: AccountsError.identityLinkedElsewhere) {
        try await world.create {
          $0.link = AssignedIdentity(provider: .google, subject: try subject("ann"))
        }
      }
    }
  }

  @Test func `a linked identity replaces its provider's, whose pending tokens end`() async throws {
    try await withWorld { world in
      let old = try await world.signIn(identity(.google, "old")).signedInWithPending()
      world.advance(1)
      let changed = try await world.administer(old.0.account.uid) {
        $0.link = AssignedIdentity(provider: .google, subject: try subject("new"))
      }
      #expect(changed.identities.map(\.subject.text) == ["new"])
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(old.pendingToken)
      }
    }
  }

  @Test func `the last credential stays if the project requires it`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      let ann = try await world.signIn(identity()).signedIn()
      await #expect(throws: AccountsError.lastCredential) {
        try await world.administer(ann.account.uid) { $0.profile.unlinkedProviders = [.google] }
      }
    }
  }
}

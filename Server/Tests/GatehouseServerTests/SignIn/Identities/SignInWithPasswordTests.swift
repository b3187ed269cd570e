import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct SignInWithPasswordTests {
  @Test func `the right password signs in`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(10)
      let again = try await world.signIn("ann@example.com")
      #expect(again.account.uid == ann.account.uid)
      #expect(!again.isNewUser)
      #expect(try await world.stored(ann.account.uid).lastLoginAt == world.now)
    }
  }

  @Test func `a sign-in at the instant of the sign-up isn't a new user`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      #expect(try await !world.signIn("ann@example.com").isNewUser)
    }
  }

  @Test func `without protection a wrong password and an unknown address differ`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", password: "notasecreT")
      }
      await #expect(throws: AccountsError.emailNotFound) {
        try await world.signIn("bob@example.com")
      }
    }
  }

  @Test func `with protection a wrong password and an unknown address are alike`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      _ = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.invalidLoginCredentials) {
        try await world.signIn("ann@example.com", password: "notasecreT")
      }
      await #expect(throws: AccountsError.invalidLoginCredentials) {
        try await world.signIn("bob@example.com")
      }
    }
  }

  @Test func `with protection an account without a password has the same error`() async throws {
    try await withWorld({ $0.protectsEmails = true }) { world in
      _ = try await world.signIn(identity(.google, email: "ann@example.com"))
      await #expect(throws: AccountsError.invalidLoginCredentials) {
        try await world.signIn("ann@example.com")
      }
    }
  }

  @Test func `an address equal to another only after case folding is rejected`() {
    #expect(EmailAddress("\u{212A}ate@example.com") == nil)
  }

  @Test func `a disabled account is revealed only with the right password`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.signIn("ann@example.com")
      }
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", password: "notasecreT")
      }
    }
  }

  @Test func `a project without passwords rejects the right one`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.passwordLoginDisabled) {
        try await world.signIn(
          "ann@example.com", in: world.project { $0.allowsPasswords = false })
      }
    }
  }

  @Test func `an account of another project isn't found`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.emailNotFound) {
        try await world.signIn("ann@example.com", in: other)
      }
    }
  }

  @Test func `an old hash is replaced at the next sign-in`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let before = try await world.stored(ann.account.uid)
      let stronger = try World(
        store: world.store, project: world.project, master: world.master, logCost: 11)
      stronger.advance(10)
      await #expect(throws: AccountsError.invalidPassword) {
        try await stronger.signIn("ann@example.com", password: "notasecreT")
      }
      #expect(try await world.stored(ann.account.uid).password == before.password)
      _ = try await stronger.signIn("ann@example.com")
      let after = try await world.stored(ann.account.uid)
      #expect(before.password?.parameters == "scrypt$ln=10,r=1,p=1")
      #expect(after.password?.parameters == "scrypt$ln=11,r=1,p=1")
      #expect(after.password?.salt != before.password?.salt)
      #expect(after.passwordUpdatedAt == before.passwordUpdatedAt)
      _ = try await stronger.signIn("ann@example.com")
      // No user is signed out by it.
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }

  @Test func `concurrent sign-ins that renew the hash all succeed`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let stronger = try World(
        store: world.store, project: world.project, master: world.master, logCost: 11)
      let results = await atOnce(8) { _ in try await stronger.signIn("ann@example.com").isNewUser }
      #expect(results.successes() == Array(repeating: false, count: 8))
    }
  }

  @Test func `a sign-in is rejected if the password changed meanwhile`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let hasher = InterruptedHasher(hasher: try World.hasher()) {
        world.advance(1)
        _ = try await world.administer(ann.account.uid) {
          $0.profile.password = .set(Secret("another"))
        }
      }
      let accounts = try World.service(
        store: world.store, master: world.master, passwords: hasher)
      await #expect(throws: AccountsError.invalidPassword) {
        try await accounts.signIn(
          email: try email("ann@example.com"), password: Secret("notasecret"), from: .unknown,
          in: world.project, now: world.now)
      }
    }
  }

  /// Runs an action between checking a password and signing in with it.
  private struct InterruptedHasher: PasswordHashing {
    let hasher: ScryptHasher
    let interrupt: @Sendable () async throws -> Void

    func hash(_ password: Secret<String>) async throws -> PasswordHash {
      try await hasher.hash(password)
    }

    func verify(_ password: Secret<String>, against hash: PasswordHash?) async throws -> Bool {
      let isRight = try await hasher.verify(password, against: hash)
      try await interrupt()
      return isRight
    }

    func isOutdated(_ hash: PasswordHash) -> Bool { hasher.isOutdated(hash) }
  }
}

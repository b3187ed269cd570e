import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct SignUpTests {
  @Test func `an anonymous account has no address, and its token says anonymous`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      #expect(guest.isNewUser)
      #expect(try await world.stored(guest.account.uid).isAnonymous)
      let claims = try claims(of: guest.tokens.idToken)
      #expect(claims["provider_id"]?.string == "anonymous")
      #expect(claims["firebase"]?["sign_in_provider"]?.string == "anonymous")
      #expect(claims["email"] == nil)
    }
  }

  @Test func `a project without anonymous accounts creates none`() async throws {
    try await withWorld({ $0.allowsAnonymous = false }) { world in
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signUpAnonymously()
      }
    }
  }

  @Test func `an address and a password create an account`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("Ann@Example.com", name: "Ann")
      #expect(ann.isNewUser)
      #expect(ann.account.email?.text == "ann@example.com")
      #expect(!ann.account.isEmailVerified)
      #expect(ann.account.displayName == "Ann")
      #expect(try await world.signIn("ANN@example.com").account.uid == ann.account.uid)
    }
  }

  @Test(arguments: [true, false])
  func `an address that is taken is rejected`(protectsEmails: Bool) async throws {
    try await withWorld({ $0.protectsEmails = protectsEmails }) { world in
      _ = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.emailExists) {
        try await world.signUp("ANN@example.com")
      }
      let count = try await world.count()
      #expect(count == 1)
    }
  }

  @Test func `ten concurrent sign-ups with one address create one account`() async throws {
    try await withWorld { world in
      let results = await atOnce(10) { _ in try await world.signUp("ann@example.com").isNewUser }
      #expect(results.successes() == [true])
      #expect(results.refusals() == Array(repeating: .emailExists, count: 9))
    }
  }

  @Test func `a password may have 6 characters and no fewer`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com", password: "123456")
      await #expect(throws: AccountsError.weakPassword) {
        try await world.signUp("bob@example.com", password: "12345")
      }
      await #expect(throws: AccountsError.weakPassword) {
        try await world.signUp("bob@example.com", password: "")
      }
    }
  }

  @Test func `a password's length is counted in UTF-16 units, as clients do`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com", password: "😀😀😀")
      await #expect(throws: AccountsError.weakPassword) {
        try await world.signUp("bob@example.com", password: "😀😀")
      }
    }
  }

  @Test func `a password may have 4096 characters and no more`() async throws {
    try await withWorld { world in
      let longest = String(repeating: "p", count: 4096)
      _ = try await world.signUp("ann@example.com", password: longest)
      _ = try await world.signIn("ann@example.com", password: longest)
      await #expect(throws: AccountsError.passwordTooLong) {
        try await world.signUp("bob@example.com", password: longest + "p")
      }
    }
  }

  @Test func `a project without passwords rejects one`() async throws {
    try await withWorld({ $0.allowsPasswords = false }) { world in
      await #expect(throws: AccountsError.passwordsDisabled) {
        try await world.signUp("ann@example.com")
      }
    }
  }

  @Test func `a project that refuses sign-up creates no account`() async throws {
    try await withWorld({ $0.refusesSignUp = true }) { world in
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signUp("ann@example.com")
      }
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signUpAnonymously()
      }
      let count = try await world.count()
      #expect(count == 0)
    }
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct SignInWithEmailLinkTests {
  private func code(_ world: World, _ address: String = "ann@example.com") async throws -> String {
    try await world.sent(.emailSignIn(try email(address)), to: address)
  }

  @Test func `a code creates an account, and the next one signs in to it`() async throws {
    try await withWorld { world in
      let first = try await world.signIn(code: try await code(world), "ann@example.com")
      #expect(first.isNewUser)
      #expect(first.account.isEmailVerified)
      #expect(first.session.provider == .password)
      let again = try await world.signIn(code: try await code(world), "ann@example.com")
      #expect(!again.isNewUser)
      #expect(again.account.uid == first.account.uid)
      let methods = try await world.accounts.signInMethods(
        of: try email("ann@example.com"), in: world.project)
      #expect(methods == SignInMethods(password: false, emailLink: true, providers: []))
    }
  }

  @Test func `a code works once, and ends the others of its address`() async throws {
    try await withWorld { world in
      let (earlier, code) = (try await code(world), try await code(world))
      _ = try await world.signIn(code: code, "ann@example.com")
      for used in [code, earlier] {
        await #expect(throws: AccountsError.invalidActionCode) {
          try await world.signIn(code: used, "ann@example.com")
        }
      }
    }
  }

  @Test func `another address than the code's is rejected, and the code stays valid`() async throws
  {
    try await withWorld { world in
      let code = try await code(world)
      await #expect(throws: AccountsError.emailMismatch) {
        try await world.signIn(code: code, "other@example.com")
      }
      _ = try await world.signIn(code: code, "Ann@Example.com")
    }
  }

  @Test func `an attacker with a link can't try many addresses`() async throws {
    try await withWorld({ $0.rateLimits.failuresPerAddress = 3 }) { world in
      let code = try await code(world)
      for number in 0..<3 {
        await #expect(throws: AccountsError.emailMismatch) {
          try await world.signIn(code: code, "guess-\(number)@example.com")
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn(code: code, "ann@example.com")
      }
      world.advance(600)
      _ = try await world.signIn(code: code, "ann@example.com")
    }
  }

  @Test func `an account with an unverified address is taken over`() async throws {
    try await withWorld { world in
      let squatter = try await world.signUp("ann@example.com", name: "Call 555-0100")
      _ = try await world.signIn(
        identity(.facebook, "squatter"), linkingTo: squatter.tokens.idToken
      ).signedIn()
      let ann = try await world.signIn(code: try await code(world), "ann@example.com")
      #expect(ann.account.uid == squatter.account.uid)
      let stored = try await world.stored(ann.account.uid)
      #expect(stored.password == nil)
      #expect(stored.identities.isEmpty)
      #expect(stored.displayName == nil)
      #expect(stored.hasEmailLink)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(squatter.tokens.refreshToken)
      }
    }
  }

  @Test func `an account with a verified address keeps its credentials`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.signIn(code: try await code(world), "ann@example.com")
      _ = try await world.signIn("ann@example.com")
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }

  @Test func `a disabled account is rejected, and the code is used up`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      let code = try await code(world)
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.signIn(code: code, "ann@example.com")
      }
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = false }
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.signIn(code: code, "ann@example.com")
      }
    }
  }

  @Test func `a code of another purpose can't sign in`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      let code = try await world.sent(
        .passwordReset(try email("ann@example.com")), to: "ann@example.com")
      await #expect(throws: AccountsError.invalidActionCode) {
        try await world.signIn(code: code, "ann@example.com")
      }
    }
  }

  @Test func `a new address is rejected if the project refuses sign-up`() async throws {
    try await withWorld { world in
      // The code was sent before the project closed.
      let code = try await code(world)
      let closed = world.project { $0.refusesSignUp = true }
      await #expect(throws: AccountsError.adminOnlyOperation) {
        try await world.signIn(code: code, "ann@example.com", in: closed)
      }
    }
  }

  @Test func `a link that replaces the address keeps the first one`() async throws {
    try await withWorld { world in
      let bob = try await world.signUp("bob@example.com")
      let linked = try await world.signIn(
        code: try await code(world), "ann@example.com", linkingTo: bob.tokens.idToken)
      #expect(linked.account.email?.text == "ann@example.com")
      #expect(linked.account.isEmailVerified)
      #expect(linked.account.initialEmail?.text == "bob@example.com")
    }
  }

  @Test func `linking gives an anonymous account an address`() async throws {
    try await withWorld { world in
      let anonymous = try await world.signUpAnonymously()
      let linked = try await world.signIn(
        code: try await code(world), "ann@example.com", linkingTo: anonymous.tokens.idToken)
      #expect(linked.account.uid == anonymous.account.uid)
      #expect(linked.account.email?.text == "ann@example.com")
      #expect(!linked.account.isAnonymous)
    }
  }

  @Test func `an address is joined to a hidden one only with the user's consent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      var hidden = try identity(.apple, "ann")
      hidden.isPrivateEmail = true
      let person = try await world.signIn(hidden).signedIn()
      let code = try await code(world)
      await #expect(throws: AccountsError.consentRequired([.identity(.apple), .email])) {
        try await world.signIn(
          code: code, "ann@example.com", linkingTo: person.tokens.idToken)
      }
      let consent = GivenConsent(version: "1", joins: [.identity(.apple), .email])
      let linked = try await world.accounts.signIn(
        withEmailLinkCode: code, email: try email("ann@example.com"),
        linkingIDToken: person.tokens.idToken, consent: consent, from: .unknown,
        link: World.link, in: world.project, now: world.now)
      #expect(linked.account.uid == person.account.uid)
    }
  }

  @Test func `linking another account's address is rejected`() async throws {
    try await withWorld { world in
      let anonymous = try await world.signUpAnonymously()
      _ = try await world.signUp("ann@example.com")
      let code = try await code(world)
      await #expect(throws: AccountsError.emailExists) {
        try await world.signIn(
          code: code, "ann@example.com", linkingTo: anonymous.tokens.idToken)
      }
    }
  }

  @Test func `replacing an address needs a recent sign-in, and ends the other sessions`()
    async throws
  {
    try await withWorld { world in
      let bob = try await world.signUp("bob@example.com")
      world.advance(600)
      let code = try await code(world)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.signIn(code: code, "ann@example.com", linkingTo: bob.tokens.idToken)
      }
      let recent = try await world.signIn("bob@example.com")
      let linked = try await world.signIn(
        code: code, "ann@example.com", linkingTo: recent.tokens.idToken)
      #expect(linked.account.email?.text == "ann@example.com")
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(bob.tokens.refreshToken)
      }
    }
  }

  @Test func `linking an address needs a recent sign-in, and is none itself`() async throws {
    try await withWorld { world in
      let person = try await world.signIn(identity(.apple, "ann")).signedIn()
      world.advance(300)
      let code = try await code(world)
      let linked = try await world.signIn(
        code: code, "ann@example.com", linkingTo: person.tokens.idToken)
      #expect(linked.session.authenticatedAt == World.start)
      world.advance(1)
      await #expect(throws: AccountsError.credentialTooOld) {
        _ = try await world.accounts.delete(
          idToken: linked.tokens.idToken, in: world.project, now: world.now)
      }
    }
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Testing

/// Pre-hijacking: an attacker creates an account with a victim's address before the victim does.
@Suite struct TakeOverTests {
  @Test func `the attacker's password is removed`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      world.advance(60)
      let victim = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      #expect(victim.account.uid == attacker.account.uid)
      #expect(victim.account.isEmailVerified)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("victim@example.com")
      }
    }
  }

  @Test func `the attacker's other identity is removed`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      _ = try await world.signIn(
        identity(.facebook, "attacker"), linkingTo: attacker.tokens.idToken
      ).signedIn()
      world.advance(60)
      let victim = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      #expect(victim.account.identities.map(\.provider) == [.apple])
      let back = try await world.signIn(identity(.facebook, "attacker")).signedIn()
      #expect(back.account.uid != victim.account.uid)
    }
  }

  @Test func `the attacker's tokens end, even within the same second`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      _ = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.currentUser(attacker.tokens.idToken)
      }
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(attacker.tokens.refreshToken)
      }
    }
  }

  @Test func `the attacker's pending token is rejected`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp("victim@example.com")
      let linked = try await world.signIn(
        identity(.facebook, "attacker"), linkingTo: attacker.tokens.idToken
      ).signedInWithPending()
      world.advance(60)
      _ = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(linked.pendingToken)
      }
    }
  }

  @Test func `the attacker's profile values are removed`() async throws {
    try await withWorld { world in
      let attacker = try await world.signUp(
        "victim@example.com", name: "Call 555-0100", photo: "https://evil.example/pixel")
      world.advance(60)
      _ = try await world.signIn(identity(.apple, email: "victim@example.com")).signedIn()
      let stored = try await world.stored(attacker.account.uid)
      #expect(stored.password == nil)
      #expect(stored.passwordUpdatedAt == nil)
      #expect(stored.displayName == nil)
      #expect(stored.photoURL == nil)
    }
  }

  enum Arrival: CaseIterable { case identity, emailLink, passwordReset }

  private func arrive(_ arrival: Arrival, at address: String, _ world: World) async throws
    -> Account
  {
    let address = try email(address)
    switch arrival {
    case .identity:
      return try await world.signIn(identity(.google, email: address.text)).signedIn().account
    case .emailLink:
      let code = try await world.sent(.emailSignIn(address), to: address.text)
      return try await world.signIn(code: code, address.text).account
    case .passwordReset:
      _ = try await world.resetPassword(
        try await world.sent(.passwordReset(address), to: address.text))
      return try await world.signIn(address.text, password: "freshpass").account
    }
  }

  @Test(arguments: Arrival.allCases)
  func `an invited user gets the account with the administrator's values`(
    _ arrival: Arrival
  ) async throws {
    try await withWorld { world in
      let claims = try CustomClaims(jsonText: #"{"role":"editor"}"#)
      let invited = try await world.create(uid("editor-7")) {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.profile.displayName = .set("Ann Editor")
        $0.profile.photoURL = .set("https://example.com/ann.png")
        $0.profile.password = .set(Secret("initial-one"))
        $0.phoneNumber = .set("+15550100")
        $0.customClaims = .set(claims)
      }
      world.advance(60)
      let account = try await arrive(arrival, at: "ann@example.com", world)
      #expect(account.uid == invited.uid)
      #expect(account.isEmailVerified)
      #expect(account.customClaims == claims)
      #expect(account.displayName == "Ann Editor")
      #expect(account.photoURL == "https://example.com/ann.png")
      // The number signs in, and may belong to another user than the invited one.
      #expect(account.phoneNumber == nil)
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn("ann@example.com", password: "initial-one")
      }
    }
  }

  @Test(arguments: Arrival.allCases)
  func `an account of custom tokens is not taken over, and loses the address`(
    _ arrival: Arrival
  ) async throws {
    try await withWorld { world in
      _ = try await ServiceAccounts(store: world.store).create(
        robot, in: world.project.id, roles: [.customTokens], key: try publicKey(), now: world.now)
      let token = try customToken("attacker", at: world.now)
      let attacker = try await world.signIn(customToken: token)
      _ = try await world.update(attacker.tokens.idToken) {
        $0.email = .set(try email("victim@example.com"))
      }
      world.advance(60)
      let victim = try await arrive(arrival, at: "victim@example.com", world)
      #expect(victim.uid != attacker.account.uid)
      #expect(victim.email?.text == "victim@example.com")
      #expect(victim.isEmailVerified)
      // The back end goes on signing the attacker in to the attacker's own id.
      let again = try await world.signIn(customToken: token)
      #expect(again.account.uid == attacker.account.uid)
      #expect(again.account.email == nil)
    }
  }

  @Test(arguments: Arrival.allCases)
  func `a disabled invitation stays disabled`(_ arrival: Arrival) async throws {
    try await withWorld { world in
      _ = try await world.create {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.isDisabled = true
      }
      await #expect(throws: AccountsError.userDisabled) {
        try await arrive(arrival, at: "ann@example.com", world)
      }
    }
  }

  @Test func `an attacker's changes to an invited account end, the rest stays`() async throws {
    try await withWorld { world in
      let claims = try CustomClaims(jsonText: #"{"role":"editor"}"#)
      let invited = try await world.create {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.profile.displayName = .set("Ann Editor")
        $0.profile.photoURL = .set("https://example.com/ann.png")
        $0.profile.password = .set(Secret("initial-one"))
        $0.customClaims = .set(claims)
      }
      let stranger = try await world.signIn("ann@example.com", password: "initial-one")
      _ = try await world.update(stranger.tokens.idToken) { $0.displayName = .set("Mallory") }
      world.advance(60)
      let ann = try await world.signIn(identity(.google, email: "ann@example.com")).signedIn()
      #expect(ann.account.uid == invited.uid)
      #expect(ann.account.displayName == nil)
      #expect(ann.account.photoURL == "https://example.com/ann.png")
      #expect(ann.account.customClaims == claims)
    }
  }

  @Test func `an attacker with an untrusted provider loses access`() async throws {
    try await withWorld { world in
      let attacker = try await world.signIn(
        identity(.facebook, "attacker", email: "victim@example.com", .untrusted)
      ).signedIn()
      world.advance(60)
      let victim = try await world.signIn(identity(.google, email: "victim@example.com")).signedIn()
      #expect(victim.account.identities.map(\.provider) == [.google])
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(attacker.tokens.refreshToken)
      }
    }
  }

  @Test func `an unverified address takes nothing over`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      _ = try await world.signIn(identity(.facebook, email: "ann@example.com", .untrusted))
        .confirmation()
      _ = try await world.signIn("ann@example.com")
      _ = try await world.refresh(ann.tokens.refreshToken)
    }
  }
}

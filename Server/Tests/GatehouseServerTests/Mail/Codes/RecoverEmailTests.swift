import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// The recovery of an account's address after it was changed.
@Suite struct RecoverEmailTests {
  private func change(_ world: World, _ idToken: String, to address: String) async throws {
    try await world.apply(
      try await world.sent(
        .emailChange(of: .idToken(idToken), to: try email(address)), to: address))
  }

  private func recovery(_ world: World, _ address: String) throws -> String {
    let mails = world.mailbox.mails(to: address).filter { $0.purpose == .emailRecovery }
    return try #require(mails.last).code
  }

  @Test func `a recovery restores the address, and removes what was added since`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      world.advance(1)
      try await change(world, ann.tokens.idToken, to: "thief@example.com")
      world.advance(1)
      let thief = try await world.signIn("thief@example.com")
      _ = try await world.signIn(
        identity(.facebook, "thief"), linkingTo: thief.tokens.idToken
      ).signedIn()
      try await world.enroll(Authenticator(), thief.tokens.idToken)
      let renewed = try await world.update(thief.tokens.idToken) {
        $0.password = .set(Secret("thiefs-own"))
      }
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.uid == ann.account.uid)
      #expect(account.email?.text == "ann@example.com")
      #expect(account.isEmailVerified)
      #expect(account.identities.isEmpty)
      #expect(account.password == nil)
      #expect(account.passkeys.all == 0)
      #expect(try await world.passkeys(of: account.uid).isEmpty)
      let tokens = try #require(renewed.tokens)
      await #expect(throws: AccountsError.tokenExpired) {
        try await world.refresh(tokens.refreshToken)
      }
    }
  }

  @Test func `a recovery keeps what was there before the change`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.signIn(identity(.google, "ann"), linkingTo: ann.tokens.idToken).signedIn()
      world.advance(1)
      try await change(world, ann.tokens.idToken, to: "new@example.com")
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.identities.map(\.provider) == [.google])
      _ = try await world.signIn("ann@example.com")
    }
  }

  @Test(arguments: [true, false])
  func `a recovery removes a second factor that the thief could enroll, and no older one`(
    isThiefs: Bool
  ) async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      world.advance(1)
      let (authenticator, enrolled) = try await world.enrollTOTP(
        .session(idToken: ann.tokens.idToken))
      var session = enrolled.signedIn
      if !isThiefs {
        world.advance(4 * 86_400)
        session = try await world.finish(
          try await world.demand().pendingCredential, authenticator)
      }
      try await change(world, session.tokens.idToken, to: "thief@example.com")
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      let factors = try #require(account.secondFactors)
      #expect(factors.factors.isEmpty == isThiefs)
      #expect(factors.recoveryCodes.isEmpty)
    }
  }

  @Test func `an attacker's own recovery doesn't end the owner's`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      world.advance(1)
      try await change(world, ann.tokens.idToken, to: "one@example.com")
      world.advance(1)
      let thief = try await world.signIn("one@example.com")
      try await change(world, thief.tokens.idToken, to: "two@example.com")
      try await world.apply(try recovery(world, "one@example.com"))
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.email?.text == "ann@example.com")
    }
  }

  @Test func `the owner's recovery ends the attacker's`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      world.advance(1)
      try await change(world, ann.tokens.idToken, to: "one@example.com")
      world.advance(1)
      let thief = try await world.signIn("one@example.com")
      try await change(world, thief.tokens.idToken, to: "two@example.com")
      try await world.apply(try recovery(world, "ann@example.com"))
      let thiefs = try recovery(world, "one@example.com")
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(thiefs) }
    }
  }

  @Test func `no recovery is sent to an address that was never verified`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("mistyped@example.com")
      _ = try await world.update(ann.tokens.idToken) {
        $0.email = .set(try email("ann@example.com"))
      }
      #expect(world.mailbox.count == 0)
    }
  }

  enum Change: CaseIterable { case update, upgrade, removal, link }

  @Test(arguments: Change.allCases)
  func `every change of a verified address by its user sends a recovery, which names the new one`(
    _ way: Change
  ) async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      switch way {
      case .update:
        _ = try await world.update(ann.tokens.idToken) {
          $0.email = .set(try email("new@example.com"))
        }
      case .upgrade: _ = try await world.upgrade(ann.tokens.idToken, "new@example.com")
      case .removal: _ = try await world.update(ann.tokens.idToken) { $0.email = .remove }
      case .link:
        let code = try await world.sent(
          .emailSignIn(try email("new@example.com")), to: "new@example.com")
        _ = try await world.signIn(
          code: code, "new@example.com", linkingTo: ann.tokens.idToken)
      }
      let emails = try await world.emails()
      let task = try #require(emails.last { $0.kind == .recoverEmail })
      #expect(task.recipient.text == "ann@example.com")
      #expect(task.newEmail?.text == (way == .removal ? nil : "new@example.com"))
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.email?.text == "ann@example.com")
    }
  }

  @Test func `an administrator's change sends no recovery`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      let before = world.mailbox.count
      _ = try await world.administer(ann.account.uid) {
        $0.profile.email = .set(try email("new@example.com"))
      }
      #expect(world.mailbox.count == before)
    }
  }

  enum Proof: CaseIterable { case identity, emailLink, passwordReset }

  /// Verifies an account's address while a recovery can still restore another, verified one.
  private func prove(
    _ address: String, by proof: Proof, _ world: World
  ) async throws -> SignedIn {
    let address = try email(address)
    switch proof {
    case .identity:
      return try await world.signIn(identity(.apple, "new", email: address.text)).signedIn()
    case .emailLink:
      let code = try await world.sent(.emailSignIn(address), to: address.text)
      return try await world.signIn(code: code, address.text)
    case .passwordReset:
      _ = try await world.resetPassword(
        try await world.sent(.passwordReset(address), to: address.text))
      return try await world.signIn(address.text, password: "freshpass")
    }
  }

  @Test(arguments: Proof.allCases)
  func `a squatter and a victim never get each other's account`(
    _ proof: Proof
  ) async throws {
    try await withWorld { world in
      let squatter = try await world.accountVerifiedByCode("squatter@example.com")
      _ = try await world.update(squatter.tokens.idToken) {
        $0.email = .set(try email("victim@example.com"))
      }
      let code = try recovery(world, "squatter@example.com")
      world.advance(1)
      let victim = try await prove("victim@example.com", by: proof, world)
      #expect(victim.account.uid != squatter.account.uid)
      #expect(victim.account.email?.text == "victim@example.com")
      #expect(victim.account.isEmailVerified)
      #expect(try await world.apply(code).uid == squatter.account.uid)
      #expect(
        try await world.stored(victim.account.uid).email?.text == "victim@example.com")
    }
  }

  @Test(arguments: Proof.allCases)
  func `verifying a newer, unverified address doesn't end the owner's recovery`(
    _ proof: Proof
  ) async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      world.advance(1)
      _ = try await world.update(ann.tokens.idToken) {
        $0.email = .set(try email("thief@example.com"))
      }
      world.advance(1)
      _ = try await prove("thief@example.com", by: proof, world)
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.uid == ann.account.uid)
      #expect(account.email?.text == "ann@example.com")
      #expect(account.identities.isEmpty)
      let back = try await world.signIn("ann@example.com")
      #expect(back.account.uid == ann.account.uid)
    }
  }

  @Test(arguments: Proof.allCases)
  func `without a recovery, the user who verifies the address takes the account over`(
    _ proof: Proof
  ) async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.update(ann.tokens.idToken) {
        $0.email = .set(try email("new@example.com"))
      }
      world.advance(72 * 3600)
      let holder = try await prove("new@example.com", by: proof, world)
      #expect(holder.account.uid == ann.account.uid)
    }
  }

  @Test func `a recovery removes what was added after the last verification`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.signIn(identity(.apple, "ann"), linkingTo: ann.tokens.idToken).signedIn()
      world.advance(60)
      _ = try await world.signIn(
        identity(.google, "thief"), linkingTo: ann.tokens.idToken
      ).signedIn()
      let thief = try await world.update(ann.tokens.idToken) {
        $0.password = .set(Secret("thiefs-own"))
      }
      let tokens = try #require(thief.tokens)
      world.advance(60)
      _ = try await world.update(tokens.idToken) {
        $0.email = .set(try email("thief@example.com"))
      }
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.identities.map(\.provider) == [.apple])
      #expect(account.password == nil)
    }
  }

  enum Shown: CaseIterable { case emailLink, passwordReset, identity }

  @Test(arguments: Shown.allCases)
  func `a recovery keeps what was linked before the last verification`(
    _ shown: Shown
  ) async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      _ = try await world.signIn(
        identity(.google, "ann", email: "ann@example.com"), linkingTo: ann.tokens.idToken
      ).signedIn()
      world.advance(60)
      _ = try await world.signIn(identity(.facebook, "ann"), linkingTo: ann.tokens.idToken)
        .signedIn()
      world.advance(86_400)
      let address = try email("ann@example.com")
      let session: SignedIn
      switch shown {
      case .emailLink:
        session = try await world.signIn(
          code: try await world.sent(.emailSignIn(address), to: address.text), address.text)
      case .passwordReset:
        _ = try await world.resetPassword(
          try await world.sent(.passwordReset(address), to: address.text))
        session = try await world.signIn(address.text, password: "freshpass")
      case .identity:
        session = try await world.signIn(
          identity(.google, "ann", email: "ann@example.com")
        ).signedIn()
      }
      world.advance(1)
      try await change(world, session.tokens.idToken, to: "thief@example.com")
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.identities.map(\.provider) == [.google, .facebook])
    }
  }

  @Test func `a password reset at a verified address keeps recoveries`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      try await change(world, ann.tokens.idToken, to: "thief@example.com")
      _ = try await world.resetPassword(
        try await world.sent(
          .passwordReset(try email("thief@example.com")), to: "thief@example.com"))
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.email?.text == "ann@example.com")
    }
  }

  @Test func `an administrator's change of the address ends recoveries`() async throws {
    try await withWorld { world in
      let thief = try await world.accountVerifiedByCode("thief@example.com")
      try await change(world, thief.tokens.idToken, to: "other@example.com")
      let code = try recovery(world, "thief@example.com")
      _ = try await world.administer(thief.account.uid) {
        $0.profile.email = .set(try email("ann@example.com"))
      }
      await #expect(throws: AccountsError.invalidActionCode) { try await world.apply(code) }
    }
  }

  @Test func `an administrator's other changes keep recoveries`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      try await change(world, ann.tokens.idToken, to: "thief@example.com")
      _ = try await world.administer(ann.account.uid) {
        $0.profile.password = .set(Secret("by-support"))
      }
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.email?.text == "ann@example.com")
    }
  }

  enum Squatting: CaseIterable { case signUp, untrustedProvider, changeOfAddress }

  @Test(arguments: Squatting.allCases)
  func `a thief who gives another account the former address doesn't prevent the recovery`(
    _ way: Squatting
  ) async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      try await change(world, ann.tokens.idToken, to: "thief@example.com")
      let squatter: SignedIn
      switch way {
      case .signUp: squatter = try await world.signUp("ann@example.com")
      case .untrustedProvider:
        squatter = try await world.signIn(
          identity(.facebook, "thief", email: "ann@example.com", .untrusted)
        ).signedIn()
      case .changeOfAddress:
        squatter = try await world.accountVerifiedByCode("other@example.com")
        _ = try await world.update(squatter.tokens.idToken) {
          $0.email = .set(try email("ann@example.com"))
        }
      }
      #expect(try await world.stored(squatter.account.uid).email?.text == "ann@example.com")
      let account = try await world.apply(try recovery(world, "ann@example.com"))
      #expect(account.uid == ann.account.uid)
      #expect(account.email?.text == "ann@example.com")
      #expect(account.isEmailVerified)
      #expect(try await world.stored(squatter.account.uid).email == nil)
      #expect(try await world.signIn("ann@example.com").account.uid == ann.account.uid)
    }
  }

  @Test func `an address that another account has verified by now is rejected`() async throws {
    try await withWorld { world in
      let ann = try await world.accountVerifiedByCode("ann@example.com")
      try await change(world, ann.tokens.idToken, to: "new@example.com")
      _ = try await world.accountVerifiedByCode("ann@example.com")
      let code = try recovery(world, "ann@example.com")
      await #expect(throws: AccountsError.emailExists) { try await world.apply(code) }
    }
  }
}

import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Linking a number, unlinking it, and numbers of other accounts.
@Suite struct PhoneLinkTests {
  @Test func `an anonymous account becomes permanent by a number`() async throws {
    try await withWorld { world in
      let guest = try await world.signUpAnonymously()
      world.advance(1000)
      let linked = try await world.signInByPhone(idToken: guest.tokens.idToken)
      #expect(linked.account.uid == guest.account.uid)
      #expect(!linked.isNewUser)
      #expect(!linked.account.isAnonymous)
      #expect(linked.session.authenticatedAt == world.now)
      #expect(try await world.stored(guest.account.uid).phoneUnconfirmedSince == nil)
    }
  }

  @Test func `linking doesn't change the authentication time`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      let began = ann.session.authenticatedAt
      world.advance(100)
      let linked = try await world.signInByPhone(idToken: ann.tokens.idToken)
      #expect(linked.session.authenticatedAt == began)
      #expect(try await world.stored(ann.account.uid).phoneUnconfirmedSince == nil)
      #expect(try await world.signInByPhone().session.authenticatedAt == world.now)
    }
  }

  @Test func `a number linked by an old session signs in, but not recently`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(361)
      _ = try await world.signInByPhone(idToken: ann.tokens.idToken)
      let thief = try await world.signInByPhone()
      #expect(thief.account.uid == ann.account.uid)
      #expect(thief.session.authenticatedAt == ann.session.authenticatedAt)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.update(thief.tokens.idToken) { $0.password = .set(Secret("another")) }
      }
      let again = try await world.signInByPhone(idToken: thief.tokens.idToken)
      #expect(again.session.authenticatedAt == ann.session.authenticatedAt)
    }
  }

  @Test func `a sign-in with an earlier credential confirms the number`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(361)
      _ = try await world.signInByPhone(idToken: ann.tokens.idToken)
      _ = try await world.signIn("ann@example.com")
      #expect(try await world.signInByPhone().session.authenticatedAt == world.now)
    }
  }

  @Test func `a confirmed number confirms what else an old session linked`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      world.advance(361)
      _ = try await world.signIn(identity(), linkingTo: ann.tokens.idToken).signedIn()
      _ = try await world.signInByPhone()
      let google = try await world.signIn(identity()).signedIn()
      #expect(google.session.authenticatedAt == world.now)
    }
  }

  @Test func `a password reset removes an unconfirmed number`() async throws {
    try await withWorld { world in
      let ann = try await world.verifiedAccount("ann@example.com")
      world.advance(361)
      let fresh = try await world.signIn("ann@example.com")
      world.advance(361)
      _ = try await world.signInByPhone(idToken: fresh.tokens.idToken)
      let code = try await world.sent(
        .passwordReset(try email("ann@example.com")), to: "ann@example.com")
      _ = try await world.resetPassword(code)
      #expect(try await world.stored(ann.account.uid).phoneNumber == nil)
    }
  }

  @Test func `if linking needs a recent sign-in, an old session's code stays valid`() async throws {
    try await withWorld({ $0.linksNeedRecentSignIn = true }) { world in
      let ann = try await world.signUp("ann@example.com")
      world.advance(361)
      let sent = try await world.sent()
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.present(sent.sessionInfo, sent.code, idToken: ann.tokens.idToken)
      }
      let fresh = try await world.signIn("ann@example.com")
      _ = try await world.present(
        sent.sessionInfo, sent.code, idToken: fresh.tokens.idToken
      ).signedIn()
    }
  }

  @Test func `a recent sign-in replaces a number, an old one doesn't`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      world.advance(361)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.signInByPhone(World.bob, idToken: ann.tokens.idToken)
      }
      let fresh = try await world.signInByPhone()
      let updated = try await world.signInByPhone(World.bob, idToken: fresh.tokens.idToken)
      #expect(updated.account.phoneNumber == World.bob)
      #expect(try await world.signInByPhone(World.ann).isNewUser)
    }
  }

  @Test func `the link operation doesn't replace a number`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      await #expect(throws: AccountsError.providerAlreadyLinked) {
        try await world.signInByPhone(World.bob, .link, idToken: ann.tokens.idToken)
      }
      #expect(try await world.stored(ann.account.uid).phoneNumber == World.ann)
    }
  }

  @Test func `the account's own number re-authenticates its user`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      world.advance(1000)
      let again = try await world.signInByPhone(idToken: ann.tokens.idToken)
      #expect(again.account.uid == ann.account.uid)
      #expect(again.session.authenticatedAt == world.now)
    }
  }

  @Test func `unlinking needs a recent sign-in`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      world.advance(361)
      await #expect(throws: AccountsError.credentialTooOld) {
        try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.phone] }
      }
      let fresh = try await world.signInByPhone()
      let updated = try await world.update(fresh.tokens.idToken) {
        $0.unlinkedProviders = [.phone]
      }
      #expect(updated.account.phoneNumber == nil)
      #expect(updated.account.phoneLinkedAt == nil)
    }
  }

  @Test func `the last credential stays if the project requires it`() async throws {
    try await withWorld({ $0.allowsUnlinkingLast = false }) { world in
      let ann = try await world.signInByPhone()
      await #expect(throws: AccountsError.lastCredential) {
        try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.phone] }
      }
    }
  }

  @Test func `another account's number gives a proof that signs in to that account`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      let guest = try await world.signUpAnonymously()
      let proof = try await world.temporaryProof(idToken: guest.tokens.idToken)
      await #expect(throws: AccountsError.phoneNumberExists) {
        try await world.present(proof: proof, idToken: guest.tokens.idToken)
      }
      let signedIn = try await world.present(proof: proof).signedIn()
      #expect(signedIn.account.uid == ann.account.uid)
      #expect(try await world.stored(guest.account.uid).phoneNumber == nil)
    }
  }

  @Test func `a proof is valid for its number and project, for ten minutes`() async throws {
    try await withWorld { world in
      _ = try await world.signInByPhone()
      let guest = try await world.signUpAnonymously()
      let proof = try await world.temporaryProof(idToken: guest.tokens.idToken)
      let other = try await world.otherProject()
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: proof, of: World.bob)
      }
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: proof, in: other)
      }
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: proof + "A")
      }
      world.advance(599)
      _ = try await world.present(proof: proof).signedIn()
      world.advance(2)
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: proof)
      }
    }
  }

  @Test func `a proof ends when the number is unlinked`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      let guest = try await world.signUpAnonymously()
      let proof = try await world.temporaryProof(idToken: guest.tokens.idToken)
      world.advance(1)
      _ = try await world.update(ann.tokens.idToken) { $0.unlinkedProviders = [.phone] }
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: proof)
      }
    }
  }

  @Test func `a proof is not accepted as a pending token`() async throws {
    try await withWorld { world in
      _ = try await world.signInByPhone()
      let guest = try await world.signUpAnonymously()
      let proof = try await world.temporaryProof(idToken: guest.tokens.idToken)
      await #expect(throws: AccountsError.invalidPendingToken) {
        try await world.repeatSignIn(proof)
      }
    }
  }

  @Test func `a number is linked to an anonymized identity only with consent`() async throws {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let sent = try await world.sent()
      await #expect(throws: AccountsError.consentRequired([.identity(.apple), .phone])) {
        try await world.present(sent.sessionInfo, sent.code, idToken: ann.tokens.idToken)
      }
      let given = try #require(
        GivenConsent(version: "1", joins: [.identity(.apple), .phone]))
      let linked = try await world.present(
        sent.sessionInfo, sent.code, idToken: ann.tokens.idToken, consent: given
      ).signedIn()
      #expect(linked.account.phoneNumber == World.ann)
      let kept = try await world.accounts.consents(of: [ann.account.uid], in: world.project)
      #expect(kept[ann.account.uid]?.map(\.joins) == [[.identity(.apple), .phone]])
    }
  }

  @Test func `refusals for a missing consent are limited, because they reveal a right code`()
    async throws
  {
    try await withWorld({ $0.linkConsent = .anonymized }) { world in
      let ann = try await world.signIn(relay()).signedIn()
      let sent = try await world.sent()
      for _ in 0..<5 {
        await #expect(throws: AccountsError.consentRequired([.identity(.apple), .phone])) {
          try await world.present(sent.sessionInfo, sent.code, idToken: ann.tokens.idToken)
        }
      }
      await #expect(throws: AccountsError.sessionExpired) {
        try await world.present(sent.sessionInfo, sent.code, idToken: ann.tokens.idToken)
      }
    }
  }

  @Test func `if two accounts link one number at once, one gets it`() async throws {
    try await withWorld { world in
      let one = try await world.signUpAnonymously()
      let two = try await world.signUpAnonymously()
      let codes = [try await world.sent(), try await world.sent()]
      let tokens = [one.tokens.idToken, two.tokens.idToken]
      let results = await atOnce(2) { index in
        try await world.present(
          codes[index].sessionInfo, codes[index].code, idToken: tokens[index])
      }
      let answers = results.successes()
      #expect(answers.count == 2)
      #expect(answers.filter { (try? $0.signedIn()) != nil }.count == 1)
    }
  }

  @Test func `a takeover by a verified address removes the phone number`() async throws {
    try await withWorld { world in
      let squatter = try await world.signUp("ann@example.com")
      _ = try await world.signInByPhone(World.bob, idToken: squatter.tokens.idToken)
      let ann = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      #expect(ann.account.uid == squatter.account.uid)
      #expect(ann.account.phoneNumber == nil)
      #expect(try await world.signInByPhone(World.bob).isNewUser)
    }
  }

  @Test func `a takeover also removes a number that an administrator set`() async throws {
    try await withWorld { world in
      let made = try await world.create(uid("made")) {
        $0.profile.email = .set(try email("ann@example.com"))
        $0.phoneNumber = .set(World.bob)
      }
      let ann = try await world.signIn(identity(email: "ann@example.com")).signedIn()
      #expect(ann.account.uid == made.uid)
      #expect(ann.account.phoneNumber == nil)
      #expect(try await world.signInByPhone(World.bob).isNewUser)
    }
  }

  @Test func `a proof ends with a revocation, also by a clock that is behind`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      let guest = try await world.signUpAnonymously()
      let proof = try await world.temporaryProof(idToken: guest.tokens.idToken)
      // By an administrator whose clock is behind.
      _ = try await world.administer(ann.account.uid) {
        $0.validSince = world.now.addingTimeInterval(-5)
      }
      await #expect(throws: AccountsError.invalidTemporaryProof) {
        try await world.present(proof: proof)
      }
    }
  }

  @Test(arguments: [true, false])
  func `a recovery of the address removes a number linked since`(_ isLater: Bool) async throws {
    try await withWorld { world in
      let first = try await world.accountVerifiedByCode("ann@example.com")
      // The address is verified again after the number was linked, so the number stays.
      if !isLater {
        _ = try await world.signInByPhone(idToken: first.tokens.idToken)
        world.advance(90_000)
      }
      let ann = try await world.signIn("ann@example.com")
      if !isLater {
        let link = try await world.sent(
          .emailSignIn(try email("ann@example.com")), to: "ann@example.com")
        _ = try await world.signIn(code: link, "ann@example.com")
      }
      world.advance(1)
      if isLater { _ = try await world.signInByPhone(idToken: ann.tokens.idToken) }
      world.advance(1)
      try await world.apply(
        try await world.sent(
          .emailChange(of: .idToken(ann.tokens.idToken), to: try email("new@example.com")),
          to: "new@example.com"))
      let mail = try #require(
        world.mailbox.mails(to: "ann@example.com").last { $0.purpose == .emailRecovery })
      let account = try await world.apply(mail.code)
      #expect(account.phoneNumber == (isLater ? nil : World.ann))
    }
  }

  @Test func `the number of a deleted account is free again`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      _ = try await world.accounts.delete(
        idToken: ann.tokens.idToken, in: world.project, now: world.now)
      let again = try await world.signInByPhone()
      #expect(again.isNewUser)
      #expect(again.account.uid != ann.account.uid)
    }
  }
}

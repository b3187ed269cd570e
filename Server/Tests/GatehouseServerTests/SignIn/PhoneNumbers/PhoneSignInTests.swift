import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

@Suite struct PhoneSignInTests {
  @Test func `the first code of a number creates an account, the next signs in`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      #expect(ann.isNewUser)
      #expect(ann.account.phoneNumber == World.ann)
      #expect(!ann.account.isAnonymous)
      #expect(ann.session.provider == .phone)
      #expect(ann.session.authenticatedAt == world.now)
      let again = try await world.signInByPhone()
      #expect(!again.isNewUser)
      #expect(again.account.uid == ann.account.uid)
      #expect(try await world.count() == 1)
    }
  }

  @Test func `a message names the app and the language, and expires in ten minutes`() async throws {
    try await withWorld { world in
      _ = try await world.accounts.sendVerificationCode(
        to: try number(World.ann), language: "vi", from: .unknown, in: world.project,
        now: world.now)
      let message = try #require(world.telephones.messages(to: World.ann).first)
      #expect(message.project == world.project.id)
      #expect(message.appName == "test-project")
      #expect(message.language == "vi")
      #expect(message.code.reveal().utf8.count == 6)
      #expect(message.expiresAt.timeIntervalSince(message.createdAt) == 600)
    }
  }

  @Test func `sending reveals nothing about accounts`() async throws {
    try await withWorld({ $0.refusesSignUp = true }) { world in
      _ = try await world.create { $0.phoneNumber = .set(World.ann) }
      _ = try await world.create {
        $0.phoneNumber = .set(World.bob)
        $0.isDisabled = true
      }
      for known in [World.ann, World.bob, "+15555550199"] {
        #expect(try await world.sent(to: known).sessionInfo.utf8.count == 43)
      }
    }
  }

  @Test func `a project without phone sign-in neither sends nor accepts codes`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      let off = world.project { $0.phone.isEnabled = false }
      await #expect(throws: AccountsError.phoneSignInDisabled) {
        try await world.sent(in: off)
      }
      await #expect(throws: AccountsError.phoneSignInDisabled) {
        try await world.present(sent.sessionInfo, sent.code, in: off)
      }
      _ = try await world.present(sent.sessionInfo, sent.code).signedIn()
    }
  }

  @Test func `codes are sent only to numbers with allowed prefixes`() async throws {
    try await withWorld { world in
      let german = world.project { $0.phone.allowedPrefixes = ["+49", "+4316"] }
      _ = try await world.sent(to: "+4915555550100", in: german)
      for other in ["+43155555501", "+15555550100"] {
        await #expect(throws: AccountsError.phoneRegionDisabled) {
          try await world.sent(to: other, in: german)
        }
      }
      let none = world.project { $0.phone.allowedPrefixes = [] }
      await #expect(throws: AccountsError.phoneRegionDisabled) { try await world.sent(in: none) }
      #expect(world.telephones.count == 1)
    }
  }

  @Test func `a project without a webhook can't send, and nothing is counted`() async throws {
    try await withWorld({ $0.phone.messagesPerNumber = 1 }) { world in
      world.telephones.requireWebhook()
      for _ in 0..<2 {
        await #expect(throws: AccountsError.messageDeliveryMissing) { try await world.sent() }
      }
      let id = world.project.id
      try await world.store.write {
        try $0.save(
          CodeWebhook(url: "https://sms.example.com/", secret: .random()), of: id)
      }
      _ = try await world.sent()
    }
  }

  @Test func `a message that can't be delivered is an error, and counted`() async throws {
    try await withWorld({ $0.phone.messagesPerNumber = 1 }) { world in
      world.telephones.fail()
      await #expect(throws: AccountsError.messageNotDelivered) { try await world.sent() }
      await #expect(throws: AccountsError.tooManyAttempts) { try await world.sent() }
    }
  }

  @Test func `a disabled account is rejected, and the code is used up`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
      let sent = try await world.sent()
      await #expect(throws: AccountsError.userDisabled) {
        try await world.present(sent.sessionInfo, sent.code)
      }
      await #expect(throws: AccountsError.invalidSessionInfo) {
        try await world.present(sent.sessionInfo, sent.code)
      }
    }
  }

  @Test func `if only administrators create accounts, a new number gets none`() async throws {
    try await withWorld({ $0.refusesSignUp = true }) { world in
      await #expect(throws: AccountsError.adminOnlyOperation) { try await world.signInByPhone() }
      _ = try await world.create { $0.phoneNumber = .set(World.ann) }
      #expect(!(try await world.signInByPhone().isNewUser))
    }
  }

  @Test func `a number that an administrator set signs in`() async throws {
    try await withWorld { world in
      let made = try await world.create(try uid("made")) { $0.phoneNumber = .set(World.ann) }
      let signedIn = try await world.signInByPhone()
      #expect(signedIn.account.uid == made.uid)
      #expect(signedIn.session.authenticatedAt == world.now)
    }
  }

  @Test func `of two first sign-ins at once, one creates the account`() async throws {
    try await withWorld { world in
      let (one, two) = (try await world.sent(), try await world.sent())
      let results = await atOnce(2) { index in
        let sent = index == 0 ? one : two
        return try await world.present(sent.sessionInfo, sent.code).signedIn()
      }
      let signedIn = results.successes()
      #expect(signedIn.count == 2)
      #expect(Set(signedIn.map(\.account.uid)).count == 1)
      #expect(signedIn.filter(\.isNewUser).count == 1)
    }
  }

  @Test func `re-authentication signs in to the number's account and creates none`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      await #expect(throws: AccountsError.userNotFound) {
        try await world.present(sent.sessionInfo, sent.code, .reauthenticate)
      }
      let ann = try await world.signInByPhone()
      world.advance(1000)
      let again = try await world.signInByPhone(World.ann, .reauthenticate)
      #expect(again.account.uid == ann.account.uid)
      #expect(again.session.authenticatedAt == world.now)
    }
  }

  @Test func `re-authentication of an account needs its own number`() async throws {
    try await withWorld { world in
      let ann = try await world.signInByPhone()
      _ = try await world.signInByPhone(World.bob)
      await #expect(throws: AccountsError.userNotFound) {
        try await world.signInByPhone(World.bob, .reauthenticate, idToken: ann.tokens.idToken)
      }
      _ = try await world.signInByPhone(World.ann, .reauthenticate, idToken: ann.tokens.idToken)
    }
  }

  @Test func `a test number accepts its fixed code, and nothing is sent`() async throws {
    try await withWorld { world in
      let project = world.project {
        $0.phone.testNumbers = [World.ann: "123456"]
        $0.phone.allowedPrefixes = []
        $0.phone.messagesPerNumber = 1
      }
      for isFirst in [true, false] {
        let sessionInfo = try await world.accounts.sendVerificationCode(
          to: try number(World.ann), language: nil, from: .unknown, in: project, now: world.now)
        await #expect(throws: AccountsError.invalidCode) {
          try await world.present(sessionInfo, "654321", in: project)
        }
        let signedIn = try await world.present(sessionInfo, "123456", in: project).signedIn()
        #expect(signedIn.isNewUser == isFirst)
      }
      #expect(world.telephones.count == 0)
    }
  }

  @Test func `a fixed code is invalid when its number is no longer a test number`() async throws {
    try await withWorld { world in
      let project = world.project { $0.phone.testNumbers = [World.ann: "123456"] }
      let sessionInfo = try await world.accounts.sendVerificationCode(
        to: try number(World.ann), language: nil, from: .unknown, in: project, now: world.now)
      await #expect(throws: AccountsError.invalidCode) {
        try await world.present(sessionInfo, "123456")
      }
    }
  }
}

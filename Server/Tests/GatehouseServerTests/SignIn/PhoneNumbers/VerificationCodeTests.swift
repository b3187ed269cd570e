import Foundation
import GatehouseServer
import GatehouseProtocol
import Testing

/// Guessing a code, and using one twice, too late or in another project.
@Suite struct VerificationCodeTests {
  @Test func `a code can be used once`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      _ = try await world.present(sent.sessionInfo, sent.code).signedIn()
      await #expect(throws: AccountsError.invalidSessionInfo) {
        try await world.present(sent.sessionInfo, sent.code)
      }
    }
  }

  @Test func `of many concurrent uses one succeeds`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      let results = await atOnce(8) { _ in
        try await world.present(sent.sessionInfo, sent.code).signedIn()
      }
      #expect(results.successes().count == 1)
      #expect(results.refusals() == Array(repeating: .invalidSessionInfo, count: 7))
    }
  }

  @Test func `a code is valid for ten minutes, and reported as expired for a day`() async throws {
    try await withWorld { world in
      let (first, second) = (try await world.sent(), try await world.sent())
      world.advance(599)
      _ = try await world.present(first.sessionInfo, first.code).signedIn()
      world.advance(1)
      await #expect(throws: AccountsError.sessionExpired) {
        try await world.present(second.sessionInfo, second.code)
      }
      world.advance(90_000)
      let now = world.now
      _ = try await world.store.write {
        try $0.sweepPhoneVerifications(expiredBefore: now.addingTimeInterval(-86_400), limit: 10)
      }
      await #expect(throws: AccountsError.invalidSessionInfo) {
        try await world.present(second.sessionInfo, second.code)
      }
    }
  }

  @Test func `five wrong codes end the session, also for the right code`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      for _ in 0..<5 {
        await #expect(throws: AccountsError.invalidCode) {
          try await world.present(sent.sessionInfo, sent.wrong)
        }
      }
      await #expect(throws: AccountsError.sessionExpired) {
        try await world.present(sent.sessionInfo, sent.code)
      }
    }
  }

  @Test func `after four wrong codes the right one is accepted`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      for _ in 0..<4 {
        await #expect(throws: AccountsError.invalidCode) {
          try await world.present(sent.sessionInfo, sent.wrong)
        }
      }
      _ = try await world.present(sent.sessionInfo, sent.code).signedIn()
    }
  }

  @Test func `concurrent guesses have the same limit as sequential ones`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      let results = await atOnce(30) { _ in
        try await world.present(sent.sessionInfo, sent.wrong)
      }
      #expect(results.refusals().filter { $0 == .invalidCode }.count == 5)
      #expect(results.refusals().filter { $0 == .sessionExpired }.count == 25)
    }
  }

  @Test func `many sessions of a number don't multiply the guesses`() async throws {
    try await withWorld({ $0.phone.wrongCodesPerNumber = 7 }) { world in
      var sessions: [SentCode] = []
      for _ in 0..<4 { sessions.append(try await world.sent()) }
      var told = 0
      for sent in sessions {
        for _ in 0..<5 {
          do {
            _ = try await world.present(sent.sessionInfo, sent.wrong)
          } catch AccountsError.invalidCode {
            told += 1
          } catch AccountsError.tooManyAttempts, AccountsError.sessionExpired {}
        }
      }
      #expect(told == 7)
      let last = try #require(sessions.last)
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.present(last.sessionInfo, last.code)
      }
      // Another number isn't affected, and the hour ends.
      _ = try await world.signInByPhone(World.bob)
      world.advance(3601)
      _ = try await world.signInByPhone()
    }
  }

  @Test func `a right code resets the number's wrong ones`() async throws {
    try await withWorld({ $0.phone.wrongCodesPerNumber = 3 }) { world in
      for _ in 0..<3 {
        let sent = try await world.sent()
        for _ in 0..<2 {
          await #expect(throws: AccountsError.invalidCode) {
            try await world.present(sent.sessionInfo, sent.wrong)
          }
        }
        _ = try await world.present(sent.sessionInfo, sent.code).signedIn()
      }
    }
  }

  @Test func `a client's wrong codes count with its wrong passwords`() async throws {
    var limits = RateLimits()
    limits.failuresPerAddress = 3
    let chosen = limits
    try await withWorld({ $0.rateLimits = chosen }) { world in
      let client = ClientAddress(try #require(IPAddress("192.0.2.1")))
      let sent = try await world.sent()
      await #expect(throws: AccountsError.invalidSessionInfo) {
        try await world.present("made-up", sent.code, from: client)
      }
      for _ in 0..<2 {
        await #expect(throws: AccountsError.invalidCode) {
          try await world.present(sent.sessionInfo, sent.wrong, from: client)
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.present(sent.sessionInfo, sent.code, from: client)
      }
      let other = ClientAddress(try #require(IPAddress("192.0.2.2")))
      _ = try await world.present(sent.sessionInfo, sent.code, from: other).signedIn()
    }
  }

  @Test(arguments: ["", "12345", "1234567", "１２３４５６", String(repeating: "1", count: 100_000)])
  func `a text that can't be a code counts as a wrong one`(_ code: String) async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      await #expect(throws: AccountsError.invalidCode) {
        try await world.present(sent.sessionInfo, code)
      }
    }
  }

  @Test func `a session belongs to its project`() async throws {
    try await withWorld { world in
      let other = try await world.otherProject()
      let sent = try await world.sent()
      await #expect(throws: AccountsError.invalidSessionInfo) {
        try await world.present(sent.sessionInfo, sent.code, in: other)
      }
      _ = try await world.present(sent.sessionInfo, sent.code).signedIn()
    }
  }

  @Test func `a code belongs to its session`() async throws {
    try await withWorld { world in
      let ann = try await world.sent()
      var bob = try await world.sent(to: World.bob)
      while bob.code == ann.code { bob = try await world.sent(to: World.bob) }
      await #expect(throws: AccountsError.invalidCode) {
        try await world.present(ann.sessionInfo, bob.code)
      }
    }
  }

  @Test func `a malformed ID token costs no guess and reveals nothing of the code`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      for code in [sent.code, sent.wrong] {
        await #expect(throws: AccountsError.invalidIDToken) {
          try await world.present(sent.sessionInfo, code, idToken: "a.b.c")
        }
      }
      _ = try await world.present(sent.sessionInfo, sent.code).signedIn()
    }
  }

  @Test func `the record contains neither the code nor the session's id`() async throws {
    try await withWorld { world in
      let sent = try await world.sent()
      let id = world.project.id
      let stored = try await world.store.read { try $0.phoneVerifications(limit: 10, in: id) }
      #expect(stored.count == 1)
      #expect(stored.first?.revealed == nil)
      let digest = try #require(stored.first?.session.codeDigest)
      #expect(digest.count == 32)
      #expect(stored.first?.session.digest != Array(sent.sessionInfo.utf8))
    }
  }
}

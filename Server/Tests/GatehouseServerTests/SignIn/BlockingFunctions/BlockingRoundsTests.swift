import Foundation
import GatehouseServer
import GatehouseProtocol
import GatehouseTokens
import Synchronization
import Testing

/// Functions are called between transactions: what happens meanwhile, and what a repeated transaction
/// counts.
@Suite struct BlockingRoundsTests {
  private func client(_ address: String) throws -> ClientAddress {
    ClientAddress(try #require(IPAddress(address)))
  }

  @Test func `a refusal uses up no token, a permission does`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      world.functions.refuse()
      for _ in 0..<2 {
        await #expect(throws: refusedByFunction) {
          try await world.signIn(identity().once(), in: project)
        }
      }
      world.functions.change { _ in }
      _ = try await world.signIn(identity().once(), in: project)
      await #expect(throws: AccountsError.duplicateCredential) {
        try await world.signIn(identity().once(), in: project)
      }
    }
  }

  @Test func `two first sign-ins of one identity at once make one account`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let results = await atOnce(8) { _ in
        try await world.signIn(identity(), in: project).signedIn()
      }
      let signedIn = results.successes()
      #expect(signedIn.count == 8)
      #expect(Set(signedIn.map(\.account.uid)).count == 1)
      #expect(signedIn.count(where: \.isNewUser) == 1)
      let count = try await world.count()
      #expect(count == 1)
    }
  }

  @Test func `an answer about one account is not used for another`() async throws {
    try await withWorld { world in
      let project = world.withFunctions([.beforeCreate, .beforeSignIn])
      // While the function decides about the new account, another request creates the user's account.
      let other = Mutex<UID?>(nil)
      world.functions.answer { question in
        if question.trigger == .beforeCreate {
          let ann = try await world.signIn(identity()).signedIn()
          other.withLock { $0 = ann.account.uid }
        }
        var changes = BlockingChanges()
        changes.displayName = .set(question.trigger.rawValue)
        return .allowed(changes)
      }
      let signedIn = try await world.signIn(identity(), in: project).signedIn()
      #expect(signedIn.account.uid == other.withLock { $0 })
      #expect(!signedIn.isNewUser)
      #expect(world.functions.triggers == [.beforeCreate, .beforeSignIn])
      #expect(world.functions.asked.last?.account.uid == signedIn.account.uid)
      #expect(try await world.stored(signedIn.account.uid).displayName == "beforeSignIn")
    }
  }

  @Test func `an answer is not used after the account's address changed`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let first = Mutex(true)
      world.functions.answer { _ in
        if first.withLock({ value in
          defer { value = false }; return value
        }) {
          let address = try email("bob@example.com")
          _ = try await world.administer(ann.account.uid) { $0.profile.email = .set(address) }
        }
        return .allowed(BlockingChanges())
      }
      _ = try await world.signIn(identity(), in: world.withFunctions([.beforeSignIn]))
      #expect(world.functions.asked.map(\.account.email?.text) == [nil, "bob@example.com"])
    }
  }

  @Test func `an account that changes faster than the function answers is refused`() async throws {
    try await withWorld { world in
      let ann = try await world.signIn(identity()).signedIn()
      let count = Mutex(0)
      world.functions.answer { _ in
        let number = count.withLock { value in
          value += 1
          return value
        }
        let address = try email("ann\(number)@example.com")
        _ = try await world.administer(ann.account.uid) { $0.profile.email = .set(address) }
        return .allowed(BlockingChanges())
      }
      await #expect(throws: AccountsError.overloaded) {
        try await world.signIn(identity(), in: world.withFunctions([.beforeSignIn]))
      }
      #expect(world.functions.asked.count == 4)
    }
  }

  @Test func `an account that is disabled meanwhile doesn't sign in`() async throws {
    try await withWorld { world in
      let ann = try await world.signUp("ann@example.com")
      world.functions.answer { _ in
        _ = try await world.administer(ann.account.uid) { $0.isDisabled = true }
        return .allowed(BlockingChanges())
      }
      await #expect(throws: AccountsError.userDisabled) {
        try await world.signIn("ann@example.com", in: world.withFunctions())
      }
    }
  }

  @Test func `a sign-up counts once, refused or not`() async throws {
    try await withWorld { world in
      let client = try client("192.0.2.1")
      let project = world.withFunctions { $0.rateLimits.signUpsPerAddress = 3 }
      _ = try await world.signUp("ann@example.com", from: client, in: project)
      world.functions.refuse()
      await #expect(throws: refusedByFunction) {
        try await world.signUp("bob@example.com", from: client, in: project)
      }
      world.functions.change { _ in }
      _ = try await world.signUp("cid@example.com", from: client, in: project)
      let asked = world.functions.asked.count
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signUp("dan@example.com", from: client, in: project)
      }
      #expect(world.functions.asked.count == asked)
    }
  }

  @Test func `refusals are limited for each client, and further requests don't reach the function`()
    async throws
  {
    try await withWorld { world in
      let (client, other) = (try client("192.0.2.1"), try client("192.0.2.2"))
      let project = world.withFunctions([.beforeSignIn]) { $0.rateLimits.failuresPerAddress = 3 }
      _ = try await world.signUp("ann@example.com")
      world.functions.refuse()
      for _ in 0..<3 {
        await #expect(throws: refusedByFunction) {
          try await world.signIn("ann@example.com", from: client, in: project)
        }
      }
      await #expect(throws: AccountsError.tooManyAttempts) {
        try await world.signIn("ann@example.com", from: client, in: project)
      }
      #expect(world.functions.asked.count == 3)
      await #expect(throws: refusedByFunction) {
        try await world.signIn("ann@example.com", from: other, in: project)
      }
      world.advance(601)
      await #expect(throws: refusedByFunction) {
        try await world.signIn("ann@example.com", from: client, in: project)
      }
    }
  }

  @Test func `failures of a function lock no client out`() async throws {
    try await withWorld { world in
      let project = world.withFunctions([.beforeSignIn]) { $0.rateLimits.failuresPerAddress = 2 }
      _ = try await world.signUp("ann@example.com")
      world.functions.fail()
      for _ in 0..<4 {
        await #expect(throws: AccountsError.blockedByFunction(.failure)) {
          try await world.signIn("ann@example.com", in: project)
        }
      }
      world.functions.change { _ in }
      _ = try await world.signIn("ann@example.com", in: project)
    }
  }

  @Test func `a wrong password doesn't reach the function`() async throws {
    try await withWorld { world in
      _ = try await world.signUp("ann@example.com")
      await #expect(throws: AccountsError.invalidPassword) {
        try await world.signIn(
          "ann@example.com", password: "wrong-one", in: world.withFunctions())
      }
      #expect(world.functions.asked.isEmpty)
    }
  }

  @Test func `a refused code by text message can be presented again, a few times`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let sent = try await world.sent()
      world.functions.refuse()
      for _ in 0..<VerificationSession.maximumTries {
        await #expect(throws: refusedByFunction) {
          try await world.present(sent.sessionInfo, sent.code, in: project)
        }
      }
      await #expect(throws: AccountsError.sessionExpired) {
        try await world.present(sent.sessionInfo, sent.code, in: project)
      }
    }
  }

  @Test func `a refused email link can be followed again`() async throws {
    try await withWorld { world in
      let project = world.withFunctions()
      let code = try await world.sent(
        .emailSignIn(email("ann@example.com")), to: "ann@example.com")
      world.functions.refuse(.beforeSignIn)
      await #expect(throws: refusedByFunction) {
        try await world.signIn(code: code, "ann@example.com", in: project)
      }
      world.functions.change { _ in }
      #expect(try await world.signIn(code: code, "ann@example.com", in: project).isNewUser)
    }
  }
}

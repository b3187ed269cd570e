import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

/// The choices of the user and the app about a deletion.
@Suite struct DeletionChoiceTests {
  @Test(arguments: [10.0, 1000])
  func `a closed sheet is an outcome, and nothing happened`(ageSeconds: Double) async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.clock.advance(seconds: ageSeconds)
    scene.apple.set { $0.fault = .cancelled }
    #expect(try await scene.manager.deleteAccount() == .cancelled(completed: []))
    #expect(scene.journal.all == ["state apple", "state google", "sheet apple"])
    #expect(scene.server.account()?.exists == true)
    #expect(scene.manager.authState.user?.uid == "alice")
  }

  @Test func `closing the sheet on the second call reports the steps of the first`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.google.set { $0.disconnectFault = .offline(detail: "x") }
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: 1000)
    scene.google.set { $0.fault = .cancelled }
    #expect(
      try await scene.manager.deleteAccount() == .cancelled(completed: [.revoke(.apple)]))
  }

  @Test func `a second deletion at the same time is refused, and shows nothing`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    let manager = scene.manager
    let refused = Locked<DeletionError?>(nil)
    scene.apple.set { state in
      state.meanwhile = {
        let error = await deletionError { _ = try await manager.deleteAccount() }
        refused.withLock { $0 = error }
      }
    }
    _ = try await manager.deleteAccount()
    #expect(refused.withLock { $0?.cause } == .busy)
    #expect(scene.journal.count("sheet apple") == 1)
    #expect(scene.journal.count("delete") == 1)
  }

  @Test func `a sign-in during a deletion is refused, too`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    let manager = scene.manager
    let refused = Locked<AccountError?>(nil)
    scene.apple.set { state in
      state.meanwhile = {
        do throws(AccountError) {
          _ = try await manager.signIn(with: .google)
        } catch {
          refused.withLock { $0 = error }
        }
      }
    }
    _ = try await manager.deleteAccount()
    #expect(refused.withLock { $0 } == .busy)
    #expect(scene.journal.count("sheet google") == 0)
  }

  @Test func `a password is asked for only if it is needed`() async throws {
    for (age, asked) in [(10.0, 0), (1000, 1)] {
      let scene = try AccountScene([.password])
      try await scene.signIn(by: .password)
      scene.clock.advance(seconds: age)
      let count = Locked(0)
      let outcome = try await scene.manager.deleteAccount(
        reauthenticatingWith: .asking { providers in
          count.withLock { $0 += 1 }
          #expect(providers == [.password])
          return .password(email: "alice@example.com", password: "right")
        })
      #expect(outcome == .deleted(DeletionReceipt(revoked: [], notRevoked: [])))
      #expect(count.withLock { $0 } == asked)
    }
  }

  @Test func `a user who doesn't enter the password cancels`() async throws {
    let scene = try AccountScene([.password])
    try await scene.signIn(by: .password)
    scene.clock.advance(seconds: 1000)
    #expect(
      try await scene.manager.deleteAccount(reauthenticatingWith: .asking { _ in nil })
        == .cancelled(completed: []))
    #expect(scene.journal.all.isEmpty)
  }

  @Test func `a wrong password is an error of the re-authentication`() async throws {
    let scene = try AccountScene([.password])
    try await scene.signIn(by: .password)
    scene.clock.advance(seconds: 1000)
    let error = await deletionError {
      _ = try await scene.manager.deleteAccount(
        reauthenticatingWith: .with(.password(email: "alice@example.com", password: "wrong")))
    }
    #expect(error?.step == .reauthenticate(.password))
    #expect(
      error?.cause
        == .client(.server(ServerRefusal(status: 400, code: "INVALID_LOGIN_CREDENTIALS"))))
    #expect(scene.server.account()?.exists == true)
  }

  @Test func `a saved password re-authenticates`() async throws {
    let saved = Locked<ScriptedApple?>(nil)
    let scene = try AccountScene([.password]) { journal, devices in
      let apple = ScriptedApple(journal)
      apple.set { $0.password = ("alice@example.com", "right") }
      devices.passwords = apple
      saved.withLock { $0 = apple }
    }
    try await scene.signIn(by: .password)
    scene.clock.advance(seconds: 1000)
    _ = try await scene.manager.deleteAccount()
    #expect(scene.journal.all == ["sheet passwords", "password", "delete"])
    #expect(saved.withLock { $0?.state.withLock(\.offeredApple) } == false)
  }

  /// The system reports a device without saved passwords like a user who closed the sheet.
  @Test(arguments: [DeviceFault.unavailable(detail: "nothing saved"), .cancelled])
  func `without a saved password the error says that a sign-in is needed`(fault: DeviceFault)
    async throws
  {
    let scene = try AccountScene([.password]) { journal, devices in
      let apple = ScriptedApple(journal)
      apple.set { $0.fault = fault }
      devices.passwords = apple
    }
    try await scene.signIn(by: .password)
    scene.clock.advance(seconds: 1000)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .reauthenticate(.password))
    #expect(error?.cause == .client(.needsRecentSignIn(providers: [.password])))
    #expect(scene.server.account()?.exists == true)
  }

  @Test func `without a way to re-authenticate nothing is begun`() async throws {
    let scene = try AccountScene([.password])
    try await scene.signIn(by: .password)
    scene.clock.advance(seconds: 1000)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .reauthenticate(.password))
    #expect(error?.cause == .client(.needsRecentSignIn(providers: [.password])))
    #expect(scene.journal.all.isEmpty)
  }

  @Test func `another user's credential deletes no account`() async throws {
    let scene = try AccountScene([.password])
    try await scene.signIn(by: .password)
    scene.server.set { state in
      var bob = AccountServer.Account(
        uid: "bob", authenticatedAt: state.accounts[0].authenticatedAt)
      bob.providers = [LinkedProvider(provider: .password, uid: "bob@example.com")]
      bob.password = "bob's"
      state.accounts.append(bob)
    }
    scene.clock.advance(seconds: 1000)
    let error = await deletionError {
      _ = try await scene.manager.deleteAccount(
        reauthenticatingWith: .with(.password(email: "bob@example.com", password: "bob's")))
    }
    #expect(error?.cause == .client(.userMismatch))
    #expect(scene.server.account("alice")?.exists == true)
    #expect(scene.server.account("bob")?.exists == true)
  }

  @Test func `an app may delete if revoking isn't set up, and the receipt says so`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.server.fail("revoke", .refusal("OPERATION_NOT_ALLOWED : no key"))
    var options = DeletionOptions()
    options.ifRevocationFails = .deleteAnyway
    #expect(
      try await scene.manager.deleteAccount(options: options)
        == .deleted(DeletionReceipt(revoked: [.google], notRevoked: [.apple])))
  }

  static let faults: [@Sendable (inout ScriptedApple.State) -> Void] = [
    { $0.fault = .failed(detail: "1000") }, { $0.fault = .unavailable(detail: "x") },
    { $0.subject = "001.bob" }, { $0.change = { $0.authorizationCode = nil } },
  ]

  @Test(arguments: faults.indices)
  func `an app may delete if Apple's sheet can't revoke, and the receipt says so`(fault: Int)
    async throws
  {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.apple.set(Self.faults[fault])
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .revoke(.apple))
    var options = DeletionOptions()
    options.ifRevocationFails = .deleteAnyway
    #expect(
      try await scene.manager.deleteAccount(options: options)
        == .deleted(DeletionReceipt(revoked: [.google], notRevoked: [.apple])))
    #expect(scene.server.state.withLock(\.usedCodes).isEmpty)
  }

  @Test func `a closed Apple sheet doesn't delete without revoking`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.apple.set { $0.fault = .cancelled }
    var options = DeletionOptions()
    options.ifRevocationFails = .deleteAnyway
    #expect(
      try await scene.manager.deleteAccount(options: options) == .cancelled(completed: []))
    #expect(scene.server.account()?.exists == true)
  }

  @Test func `a sheet that can't re-authenticate deletes nothing`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 1000)
    scene.apple.set { $0.subject = "001.bob" }
    var options = DeletionOptions()
    options.ifRevocationFails = .deleteAnyway
    let error = await deletionError {
      _ = try await scene.manager.deleteAccount(options: options)
    }
    #expect(error?.step == .reauthenticate(.apple))
    #expect(error?.cause == .answer(.anotherUser))
    #expect(scene.server.account()?.exists == true)
  }

  @Test func `a network failure doesn't delete without revoking`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("revoke", .offline)
    var options = DeletionOptions()
    options.ifRevocationFails = .deleteAnyway
    let error = await deletionError {
      _ = try await scene.manager.deleteAccount(options: options)
    }
    #expect(error?.step == .revoke(.apple))
    #expect(scene.server.account()?.exists == true)
  }

  @Test func `a device without sheets deletes, and reports what it couldn't revoke`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    let bare = AccountManager(client: scene.client)
    #expect(
      try await bare.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [], notRevoked: [.apple, .google])))
  }

  @Test func `after a second refusal the sheet gives a new code`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    let refusal = AccountServer.Failure.refusal("INVALID_IDP_RESPONSE : x")
    scene.server.fail("revoke", refusal, refusal)
    for _ in 1...2 { _ = await deletionError { _ = try await scene.manager.deleteAccount() } }
    scene.journal.clear()
    _ = try await scene.manager.deleteAccount()
    #expect(scene.journal.count("sheet apple") == 1)
  }

  @Test func `the kept code belongs to the account, and expires after four minutes`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("revoke", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: 240)
    scene.journal.clear()
    _ = try await scene.manager.deleteAccount()
    #expect(scene.journal.count("sheet apple") == 1)
  }
}

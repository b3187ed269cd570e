import Foundation
import GatehouseClient
import Testing

/// When a step of a deletion fails, the error names it, and the next call continues there.
@Suite struct DeletionFailureTests {
  struct Row: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var linked: [Provider] = [.apple, .google]
    var signInBy: Provider = .google
    var ageSeconds = 1000.0
    var fault: @Sendable (AccountScene) -> Void
    var step: DeletionStep
    var cause: AccountError
    var completed: [DeletionStep] = []
    /// What the second call does, without the fault.
    var again: [String]

    static let network = AccountError.client(
      .network(NetworkFault(.offline, detail: "scripted")))
  }

  static let verifiedByApple: [DeletionStep] = [.reauthenticate(.apple)]

  static let rows: [Row] = [
    Row(
      testDescription: "offline before anything", ageSeconds: 4000,
      fault: { $0.server.fail("token", .offline) }, step: .prepare, cause: Row.network,
      again: [
        "token", "state apple", "state google", "sheet apple", "state apple",
        "reauthenticate apple.com", "revoke code-1", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "offline while the account is read",
      fault: { $0.server.fail("lookup", .offline) }, step: .prepare, cause: Row.network,
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-1", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "Apple's sheet fails",
      fault: { $0.apple.set { $0.fault = .failed(detail: "1000") } },
      step: .reauthenticate(.apple), cause: .device(.failed(detail: "1000")),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-1", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "Apple's sheet fails, needed only for the code", ageSeconds: 10,
      fault: { $0.apple.set { $0.fault = .failed(detail: "1000") } },
      step: .revoke(.apple), cause: .device(.failed(detail: "1000")),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "revoke code-1",
        "disconnect google", "delete",
      ]),
    Row(
      testDescription: "no identity token",
      fault: { $0.apple.set { $0.change = { $0.identityToken = nil } } },
      step: .reauthenticate(.apple), cause: .answer(.noIdentityToken),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "an identity token that isn't UTF-8",
      fault: { $0.apple.set { $0.change = { $0.identityToken = Data([0xFF, 0xFE]) } } },
      step: .reauthenticate(.apple), cause: .answer(.identityTokenNotUTF8),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "no code: the identity token isn't used",
      fault: { $0.apple.set { $0.change = { $0.authorizationCode = nil } } },
      step: .revoke(.apple), cause: .answer(.noAuthorizationCode),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "a code that isn't UTF-8",
      fault: { $0.apple.set { $0.change = { $0.authorizationCode = Data([0xC3]) } } },
      step: .revoke(.apple), cause: .answer(.authorizationCodeNotUTF8),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "the answer to another request",
      fault: { $0.apple.set { $0.change = { $0.state = "other" } } },
      step: .reauthenticate(.apple), cause: .answer(.noPendingRequest),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "another Apple account: nothing is sent",
      fault: { $0.apple.set { $0.subject = "001.bob" } },
      step: .reauthenticate(.apple), cause: .answer(.anotherUser),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "offline during re-authentication",
      fault: { $0.server.fail("reauthenticate", .offline) },
      step: .reauthenticate(.apple), cause: Row.network,
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "the nonce is refused",
      fault: { $0.server.fail("reauthenticate", .refusal("MISSING_OR_INVALID_NONCE : x")) },
      step: .reauthenticate(.apple), cause: .client(.nonce(detail: "x")),
      again: [
        "state apple", "state google", "sheet apple", "state apple", "reauthenticate apple.com",
        "revoke code-2", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "offline during revocation: the same code, no second sheet",
      fault: { $0.server.fail("revoke", .offline) },
      step: .revoke(.apple), cause: Row.network, completed: verifiedByApple,
      again: ["state apple", "state google", "revoke code-1", "disconnect google", "delete"]),
    Row(
      testDescription: "Apple fails: the same code, no second sheet",
      fault: { $0.server.fail("revoke", .refusal("INVALID_IDP_RESPONSE : x")) },
      step: .revoke(.apple),
      cause: .client(
        .server(ServerRefusal(status: 400, code: "INVALID_IDP_RESPONSE", detail: "x"))),
      completed: verifiedByApple,
      again: ["state apple", "state google", "revoke code-1", "disconnect google", "delete"]),
    Row(
      testDescription: "Google can't be reached: Apple isn't asked again",
      fault: { $0.google.set { $0.disconnectFault = .offline(detail: "x") } },
      step: .revoke(.google), cause: .device(.offline(detail: "x")),
      completed: verifiedByApple + [.revoke(.apple)],
      again: ["state google", "disconnect google", "delete"]),
    Row(
      testDescription: "offline at the end: nothing is revoked again",
      fault: { $0.server.fail("delete", .offline) },
      step: .delete, cause: Row.network,
      completed: verifiedByApple + [.revoke(.apple), .revoke(.google)], again: ["delete"]),
    Row(
      testDescription: "Google's sheet fails", linked: [.google],
      fault: { $0.google.set { $0.fault = .failed(detail: "-5") } },
      step: .reauthenticate(.google), cause: .device(.failed(detail: "-5")),
      again: [
        "state google", "sheet google", "reauthenticate google.com", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "Google's sheet has no ID token", linked: [.google],
      fault: { $0.google.set { $0.idTokenIsMissing = true } },
      step: .reauthenticate(.google), cause: .answer(.noIdentityToken),
      again: [
        "state google", "sheet google", "reauthenticate google.com", "disconnect google", "delete",
      ]),
    Row(
      testDescription: "another Google account: nothing is sent or disconnected",
      linked: [.google], fault: { $0.google.set { $0.subject = "g-bob" } },
      step: .reauthenticate(.google), cause: .answer(.anotherUser),
      again: [
        "state google", "sheet google", "reauthenticate google.com", "disconnect google", "delete",
      ]),
  ]

  @Test(arguments: rows)
  func `a failed step is named, and the next call continues there`(_ row: Row) async throws {
    let scene = try AccountScene(row.linked)
    try await scene.signIn(by: row.signInBy)
    scene.clock.advance(seconds: row.ageSeconds)
    row.fault(scene)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == row.step)
    #expect(error?.cause == row.cause)
    #expect(error?.completed == row.completed)
    #expect(scene.server.account()?.exists == true)
    #expect(scene.manager.authState.user?.uid == "alice")
    if !row.completed.contains(.revoke(.apple)) {
      #expect(scene.server.state.withLock(\.usedCodes).isEmpty)
    }

    scene.apple.set {
      $0.fault = nil
      $0.change = { _ in }
      $0.subject = "001.alice"
    }
    scene.google.set {
      $0.fault = nil
      $0.disconnectFault = nil
      $0.idTokenIsMissing = false
      $0.subject = "g-alice"
      if $0.held != nil { $0.held = "g-alice" }
    }
    scene.journal.clear()
    let outcome = try await scene.manager.deleteAccount()
    #expect(
      outcome == .deleted(DeletionReceipt(revoked: row.linked, notRevoked: [])))
    #expect(scene.journal.all == row.again)
    #expect(scene.server.account()?.exists == false)
    #expect(scene.manager.authState == .signedOut)
  }

  @Test(arguments: [Provider.apple, .google])
  func `an identity that isn't confirmed revokes nothing`(provider: Provider) async throws {
    let scene = try AccountScene([provider])
    try await scene.signIn(by: provider)
    scene.server.set { $0.unconfirmed = [provider] }
    scene.clock.advance(seconds: 1000)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .reauthenticate(provider))
    #expect(error?.cause == .client(.needsRecentSignIn(providers: [provider])))
    #expect(error?.completed == [])
    #expect(scene.server.state.withLock(\.usedCodes).isEmpty)
    #expect(scene.journal.count("disconnect google") == 0)
    #expect(scene.server.account()?.exists == true)
  }

  @Test func `a deletion continues in a later launch`() async throws {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.clock.advance(seconds: 1000)
    scene.google.set { $0.disconnectFault = .offline(detail: "x") }
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.google.set { $0.disconnectFault = nil }
    scene.journal.clear()
    let manager = try scene.relaunched()
    #expect(
      try await manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple, .google], notRevoked: [])))
    #expect(scene.journal.all == ["state google", "disconnect google", "delete"])
  }

  @Test func `a later launch that is too late asks Google, and doesn't ask Apple again`()
    async throws
  {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn(by: .google)
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: 7200)
    scene.journal.clear()
    _ = try await scene.relaunched().deleteAccount()
    #expect(
      scene.journal.all == [
        "token", "sheet google", "reauthenticate google.com", "disconnect google", "delete",
      ])
  }

  @Test func `after another sign-in with Apple, Apple is revoked again`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: 60)
    try await scene.signIn()
    _ = try await scene.manager.deleteAccount()
    #expect(scene.journal.count("sheet apple") == 1)
    #expect(scene.journal.count("revoke code-4") == 1)
  }

  @Test func `Apple is revoked again after a sign-in with Apple, whatever sign-in follows`()
    async throws
  {
    let scene = try AccountScene([.apple, .google])
    try await scene.signIn()
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(scene.journal.count("revoke code-2") == 1)
    scene.clock.advance(seconds: 60)
    try await scene.signIn()
    try await scene.signIn(by: .google)
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple, .google], notRevoked: [])))
    #expect(scene.journal.count("revoke code-4") == 1)
  }

  @Test func `a revocation that a re-authentication undid isn't in the receipt`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: 1000)
    scene.server.fail("revoke", .refusal("OPERATION_NOT_ALLOWED : no key"))
    var options = DeletionOptions()
    options.ifRevocationFails = .deleteAnyway
    #expect(
      try await scene.manager.deleteAccount(options: options)
        == .deleted(DeletionReceipt(revoked: [], notRevoked: [.apple])))
  }

  @Test func `completed steps of another account's deletion don't count`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.apple.set { $0.subject = "001.bob" }
    let bob = try #require(try await scene.manager.signIn(with: .apple).result?.user)
    #expect(bob.uid != "alice")
    scene.journal.clear()
    _ = try await scene.manager.deleteAccount()
    #expect(scene.journal.count("sheet apple") == 1)
  }

  @Test func `a lost answer to the deletion counts as deleted`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .answerLost)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .delete)
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple], notRevoked: [])))
    #expect(scene.manager.authState == .signedOut)
  }

  @Test
  func `after a lost answer the receipt has the earlier revocations, however late it is asked`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .answerLost)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: 4000)
    scene.journal.clear()
    #expect(
      try await scene.relaunched().deleteAccount()
        == .deleted(DeletionReceipt(revoked: [.apple], notRevoked: [])))
    #expect(scene.journal.all == ["token"])
  }

  @Test func `a scheduled deletion whose answer was lost is confirmed by the next call`()
    async throws
  {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    scene.server.set { $0.graceSeconds = 86_400 }
    let erasesAt = scene.server.now.addingTimeInterval(86_400)
    scene.server.fail("delete", .answerLost)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .delete)
    scene.journal.clear()
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(
          DeletionReceipt(
            revoked: [.google], notRevoked: [],
            confirmation: DeletionConfirmation(erasesAt: erasesAt))))
    // The refresh shows that the session has ended.
    #expect(scene.journal.all == ["token", "delete"])
    #expect(scene.manager.authState == .signedOut)
  }

  @Test func `a session that another device ended deletes nothing`() async throws {
    let scene = try AccountScene([.google])
    try await scene.signIn(by: .google)
    scene.server.set { $0.accounts[0].refusal = "TOKEN_EXPIRED" }
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .prepare)
    #expect(error?.cause == .client(.sessionEnded(.revoked)))
    #expect(scene.server.account()?.exists == true)
    #expect(scene.journal.count("disconnect google") == 0)
  }

  @Test func `an error before the first step names the earlier revocations`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.fail("delete", .offline)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: 4000)
    scene.server.fail("token", .offline)
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .prepare)
    #expect(error?.completed == [.revoke(.apple)])
  }

  @Test(arguments: [10.0, 4000])
  func `after a lost answer the receipt says what the server revokes`(ageSeconds: Double)
    async throws
  {
    let scene = try AccountScene([.apple])
    scene.server.set { $0.accounts[0].providers[0].isRevokedOnDeletion = true }
    try await scene.signIn()
    scene.server.fail("delete", .answerLost)
    _ = await deletionError { _ = try await scene.manager.deleteAccount() }
    scene.clock.advance(seconds: ageSeconds)
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [], notRevoked: [], revokedByServer: [.apple])))
  }

  @Test func `an account that another device deleted is reported as deleted, without a sheet`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 4000)
    scene.server.set { $0.accounts[0].exists = false }
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [], notRevoked: [.apple])))
    #expect(scene.journal.all == ["token"])
    #expect(scene.manager.authState == .signedOut)
  }

  @Test
  func `an account that another device deleted is reported as deleted before the token expires`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.set { $0.accounts[0].exists = false }
    #expect(
      try await scene.manager.deleteAccount()
        == .deleted(DeletionReceipt(revoked: [], notRevoked: [.apple])))
    #expect(scene.journal.withLookups == ["lookup"])
    #expect(scene.manager.authState == .signedOut)
  }

  @Test func `a session that ended before the token expires isn't a deletion, and shows no sheet`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.server.set { $0.accounts[0].refusal = "USER_DISABLED" }
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .prepare)
    #expect(error?.cause == .client(.sessionEnded(.disabled)))
    #expect(scene.journal.withLookups == ["lookup"])
  }

  @Test func `an ended session isn't a deletion`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    scene.clock.advance(seconds: 4000)
    scene.server.set { $0.accounts[0].refusal = "USER_DISABLED" }
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .prepare)
    #expect(error?.cause == .client(.sessionEnded(.disabled)))
    #expect(scene.journal.all == ["token"])
  }

  @Test func `without a signed-in user nothing is deleted`() async throws {
    let scene = try AccountScene()
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.step == .prepare)
    #expect(error?.cause == .client(.notSignedIn))
    #expect(scene.server.requestCount == 0)
  }

  @Test func `a user who signs out while the sheet is open keeps everything`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    let client = scene.client
    scene.apple.set { $0.meanwhile = { try? client.signOut() } }
    let error = await deletionError { _ = try await scene.manager.deleteAccount() }
    #expect(error?.cause == .client(.notSignedIn))
    #expect(scene.server.account()?.exists == true)
    #expect(scene.server.state.withLock(\.usedCodes).isEmpty)
  }
}

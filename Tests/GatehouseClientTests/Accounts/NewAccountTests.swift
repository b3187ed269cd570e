import GatehouseClient
import GatehouseProtocol
import Testing

/// New and existing accounts, and the user's consent. None of these flows shows a second sheet.
@Suite struct NewAccountTests {
  private func question(_ scene: AccountScene) async throws -> NewAccountQuestion {
    guard case .newAccount(let question) = try await scene.manager.signIn(with: .apple, ifNew: .ask)
    else { throw Unexpected() }
    return question
  }

  private struct Unexpected: Error {}

  @Test func `a new user is asked before an account is created`() async throws {
    let scene = try AccountScene()
    let question = try await question(scene)
    #expect(question.provider == .apple)
    #expect(question.email == "relay@example.com")
    #expect(scene.server.state.withLock(\.accounts.count) == 1)
    #expect(scene.manager.authState == .signedOut)
  }

  @Test func `"I'm new" creates the account`() async throws {
    let scene = try AccountScene()
    let result = try #require(try await question(scene).continue().result)
    #expect(result.isNewUser)
    #expect(scene.manager.authState.user?.uid == result.user.uid)
    #expect(scene.journal.count("sheet apple") == 1)
  }

  @Test func `"I have an account" signs in to it and links`() async throws {
    let scene = try AccountScene([.password])
    let question = try await question(scene)
    let result = try await question.linkToExisting(
      by: .password(email: "alice@example.com", password: "right")
    ).result
    #expect(result?.user.uid == "alice")
    #expect(scene.server.account()?.providers.map(\.provider) == [.password, .apple])
    #expect(scene.journal.count("sheet apple") == 1)
  }

  @Test func `a wrong password leaves the question open`() async throws {
    let scene = try AccountScene([.password])
    let question = try await question(scene)
    await #expect(throws: AccountError.self) {
      _ = try await question.linkToExisting(
        by: .password(email: "alice@example.com", password: "wrong"))
    }
    #expect(scene.manager.authState == .signedOut)
    #expect(try await question.continue().result?.isNewUser == true)
  }

  @Test func `a known user isn't asked`() async throws {
    let scene = try AccountScene([.apple])
    guard case .signedIn(let result) = try await scene.manager.signIn(with: .apple, ifNew: .ask)
    else { throw Unexpected() }
    #expect(result.user.uid == "alice")
  }

  @Test func `linking makes an anonymous account permanent, and keeps its uid`() async throws {
    let scene = try AccountScene()
    let uid = try await scene.client.signInAnonymously().user.uid
    guard case .anonymous = scene.manager.authState else { throw Unexpected() }
    #expect(try await scene.manager.link(.apple).result?.user.uid == uid)
    guard case .signedIn(let user) = scene.manager.authState else { throw Unexpected() }
    #expect(user.uid == uid)
  }

  @Test func `linking an identity of another account fails with a credential that signs in to it`()
    async throws
  {
    let scene = try AccountScene([.apple])
    try await scene.client.signInAnonymously()
    do throws(AccountError) {
      _ = try await scene.manager.link(.apple)
      Issue.record("linked")
    } catch {
      guard case .client(.credentialInUse(let updated?, _, _)) = error else { throw error }
      let answer = try await scene.manager.signIn(
        with: .credential(.identityProvider(updated)))
      #expect(answer.result?.user.uid == "alice")
      #expect(scene.journal.count("sheet apple") == 1)
    }
  }

  @Test func `without a signed-in user nothing is linked`() async throws {
    let scene = try AccountScene()
    await #expect(throws: AccountError.client(.notSignedIn)) {
      _ = try await scene.manager.link(.apple)
    }
    #expect(scene.journal.all.isEmpty)
  }

  // MARK: Consent

  private func consenting(_ answer: Consent?) throws -> (AccountScene, asked: Locked<[[String]]>) {
    let asked = Locked<[[String]]>([])
    let prompt: ConsentPrompt = { joins in
      asked.withLock { $0.append(joins) }
      return answer
    }
    let scene = try AccountScene([.password], consentPrompt: prompt)
    scene.server.set { $0.wantsConsent = ["apple.com", "email"] }
    return (scene, asked)
  }

  @Test func `the user is asked, and the request repeated without a second sheet`() async throws {
    let (scene, asked) = try consenting(Consent(version: "1", joins: ["apple.com", "email"]))
    try await scene.signIn(by: .password)
    #expect(try await scene.manager.link(.apple).result != nil)
    #expect(asked.withLock { $0 } == [["apple.com", "email"]])
    #expect(scene.journal.all == ["sheet apple", "link apple.com", "link apple.com"])
    #expect(scene.server.state.withLock(\.consents) == ["1"])
  }

  @Test func `a user who doesn't agree cancels, and nothing is linked`() async throws {
    let (scene, _) = try consenting(nil)
    try await scene.signIn(by: .password)
    guard case .cancelled = try await scene.manager.link(.apple) else { throw Unexpected() }
    #expect(scene.server.account()?.providers.count == 1)
    #expect(scene.manager.authState.user?.uid == "alice")
  }

  @Test func `without a closure the error says what would be joined`() async throws {
    let scene = try AccountScene([.password])
    scene.server.set { $0.wantsConsent = ["apple.com", "email"] }
    try await scene.signIn(by: .password)
    do throws(AccountError) {
      _ = try await scene.manager.link(.apple)
      Issue.record("linked")
    } catch {
      guard case .client(.consentRequired(let joins, _)) = error else { throw error }
      #expect(joins == ["apple.com", "email"])
    }
  }

  @Test func `a server that always requires more consent is asked four times at most`() async throws
  {
    let (scene, asked) = try consenting(Consent(version: "1", joins: []))
    try await scene.signIn(by: .password)
    let refused = AccountServer.Failure.refusal("CONSENT_REQUIRED : more")
    scene.server.fail("link", refused, refused, refused, refused, refused)
    await #expect(throws: AccountError.self) { _ = try await scene.manager.link(.apple) }
    #expect(scene.journal.count("link apple.com") <= 4)
    #expect(asked.withLock(\.count) <= 3)
  }
}

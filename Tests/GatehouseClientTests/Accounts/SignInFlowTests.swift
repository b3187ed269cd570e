import Foundation
import GatehouseClient
import GatehouseProtocol
import Testing

@Suite struct SignInFlowTests {
  @Test func `Apple's sheet gets a hashed nonce, and the server the raw one`() async throws {
    let scene = try AccountScene([.apple])
    let result = try #require(try await scene.manager.signIn(with: .apple).result)
    #expect(result.user.uid == "alice")
    let request = try #require(scene.apple.state.withLock(\.requests).first)
    #expect(request.scopes == [.fullName, .email])
    // The scripted server compares the raw nonce's hash with the token's.
    #expect(request.nonce.utf8.count == 64)
    #expect(scene.journal.all == ["sheet apple", "sign in apple.com"])
    let body = try #require(scene.server.bodies("signIn").first?["postBody"]?.string)
    #expect(body.contains("code=code-1"))
    #expect(body.contains("Alice"))
    #expect(body.contains("realUserStatus=0"))
  }

  @Test func `the real user status of Apple's sheet is sent with a sign-in and with a link`()
    async throws
  {
    let scene = try AccountScene([.google])
    scene.apple.set { $0.change = { $0.realUserStatus = .likelyReal } }
    try await scene.signIn(by: .google)
    _ = try await scene.manager.link(.apple)
    let link = try #require(scene.server.bodies("link").first?["postBody"]?.string)
    #expect(link.contains("realUserStatus=2"))
    let other = try AccountScene([.apple])
    other.apple.set { $0.change = { $0.realUserStatus = .unknown } }
    try await other.signIn()
    let signIn = try #require(other.server.bodies("signIn").first?["postBody"]?.string)
    #expect(signIn.contains("realUserStatus=1"))
  }

  @Test func `two sign-ins have two nonces`() async throws {
    let scene = try AccountScene([.apple])
    try await scene.signIn()
    try await scene.signIn()
    let requests = scene.apple.state.withLock(\.requests)
    #expect(Set(requests.map(\.nonce)).count == 2)
    #expect(Set(requests.map(\.state)).count == 2)
  }

  @Test func `Google's sheet gets a nonce, too`() async throws {
    let scene = try AccountScene([.google])
    #expect(try await scene.manager.signIn(with: .google).result?.user.uid == "alice")
    #expect(scene.google.state.withLock(\.requests).first?.nonce?.utf8.count == 64)
  }

  @Test func `a version of Google's SDK without nonces gets none`() async throws {
    let old = Locked<ScriptedGoogle?>(nil)
    let scene = try AccountScene([.google]) { journal, devices in
      let google = ScriptedGoogle(journal, takesNonce: false)
      devices.google = google
      old.withLock { $0 = google }
    }
    #expect(try await scene.manager.signIn(with: .google).result?.user.uid == "alice")
    #expect(old.withLock { $0?.state.withLock { $0.requests.first } }?.nonce == nil)
  }

  @Test(arguments: [SignInMethod.apple, .google])
  func `a closed sheet is an answer, and sends nothing`(method: SignInMethod) async throws {
    let scene = try AccountScene([.apple])
    scene.apple.set { $0.fault = .cancelled }
    scene.google.set { $0.fault = .cancelled }
    guard case .cancelled = try await scene.manager.signIn(with: method) else {
      Issue.record("not cancelled")
      return
    }
    #expect(scene.server.requestCount == 0)
  }

  private typealias Change = @Sendable (inout AppleAuthorization) -> Void

  private static let unusable: [(Change, AnswerFault)] = [
    ({ $0.identityToken = nil }, .noIdentityToken),
    ({ $0.identityToken = Data() }, .noIdentityToken),
    ({ $0.identityToken = Data([0xFF]) }, .identityTokenNotUTF8),
    ({ $0.state = nil }, .noPendingRequest),
    ({ $0.state = "another" }, .noPendingRequest),
  ]

  @Test(arguments: unusable.indices)
  func `an answer that can't be used says why, and nothing is sent`(index: Int) async throws {
    let (change, fault) = Self.unusable[index]
    let scene = try AccountScene([.apple])
    scene.apple.set { $0.change = change }
    await #expect(throws: AccountError.answer(fault)) {
      _ = try await scene.manager.signIn(with: .apple)
    }
    #expect(scene.server.requestCount == 0)
  }

  @Test func `an answer without a code still signs in`() async throws {
    let scene = try AccountScene([.apple])
    scene.apple.set { $0.change = { $0.authorizationCode = nil } }
    #expect(try await scene.manager.signIn(with: .apple).result?.user.uid == "alice")
  }

  @Test func `a refused nonce has a case of its own`() async throws {
    let scene = try AccountScene([.apple])
    scene.apple.set { state in
      state.change = { answer in
        let token = ProviderToken(
          provider: .apple, subject: "001.alice", nonceHash: "replayed", serial: 9)
        answer.identityToken = Data(token.text.utf8)
      }
    }
    await #expect(throws: AccountError.client(.nonce(detail: "They differ."))) {
      _ = try await scene.manager.signIn(with: .apple)
    }
    #expect(scene.manager.authState == .signedOut)
  }

  @Test func `a device that the manager doesn't have can't be asked`() async throws {
    let scene = try AccountScene()
    let bare = AccountManager(client: scene.client)
    for (method, provider) in [
      (SignInMethod.apple, Provider.apple), (.google, .google), (.offered, .password),
      (.browser("oidc.example"), "oidc.example"),
    ] {
      await #expect(throws: AccountError.notOffered(provider)) {
        _ = try await bare.signIn(with: method)
      }
    }
  }

  @Test func `a second sheet at the same time is refused`() async throws {
    let scene = try AccountScene([.apple])
    let manager = scene.manager
    let refused = Locked<[AccountError]>([])
    scene.apple.set { state in
      state.meanwhile = {
        for method in [SignInMethod.apple, .google] {
          do throws(AccountError) {
            _ = try await manager.signIn(with: method)
          } catch {
            refused.withLock { $0.append(error) }
          }
        }
      }
    }
    #expect(try await manager.signIn(with: .apple).result != nil)
    #expect(refused.withLock { $0 } == [.busy, .busy])
    #expect(scene.journal.all == ["sheet apple", "sign in apple.com"])
    // Afterwards another flow may begin.
    scene.apple.set { $0.meanwhile = {} }
    #expect(try await manager.signIn(with: .apple).result != nil)
  }

  @Test func `one sheet offers Apple's account and the saved passwords`() async throws {
    let scene = try AccountScene([.apple, .password]) { journal, devices in
      let offering = ScriptedApple(journal)
      offering.set { $0.password = ("alice@example.com", "right") }
      devices.passwords = offering
    }
    #expect(try await scene.manager.signIn(with: .offered).result?.provider == .password)
    #expect(scene.journal.all == ["sheet passwords", "password"])
  }

  @Test func `Apple's account can be chosen in that sheet`() async throws {
    let scene = try AccountScene([.apple]) { journal, devices in
      devices.passwords = ScriptedApple(journal)
    }
    #expect(try await scene.manager.signIn(with: .offered).result?.user.uid == "alice")
    #expect(scene.journal.all == ["sheet apple", "sign in apple.com"])
  }

  @Test func `a button that shows its own sheet has the same nonce and state`() throws {
    let pending = PendingAppleRequest()
    var answer = AppleAuthorization(
      user: "001.alice", identityToken: Data("token".utf8),
      authorizationCode: Data("code".utf8), state: pending.request.state)
    guard case .credential(.identityProvider(let credential)) = try pending.answered(by: answer)
    else {
      Issue.record("no credential")
      return
    }
    #expect(credential.rawNonce.map { Nonce(raw: $0).sha256 } == pending.request.nonce)
    #expect(credential.authorizationCode == "code")
    answer.state = PendingAppleRequest().request.state
    #expect(throws: AccountError.answer(.noPendingRequest)) { try pending.answered(by: answer) }
  }

  @Test func `secrets stay out of descriptions`() throws {
    let method = SignInMethod.password(email: "alice@example.com", password: "hunter2")
    #expect(!"\(method) \(String(reflecting: method)) \(dump(method))".contains("hunter2"))
    let answer = AppleAuthorization(
      user: "001.alice", identityToken: Data("secret".utf8), authorizationCode: Data("c0de".utf8))
    #expect(!"\(answer) \(String(reflecting: answer))".contains("001.alice"))
  }

  private func dump(_ value: some Any) -> String {
    var text = ""
    Swift.dump(value, to: &text)
    return text
  }
}

import GatehouseClient
import Testing

#if canImport(Combine)
  import Combine
#endif

@testable import GatehouseUI

/// The effects of the sign-in buttons, with a scripted server, Apple's sheet and saved passwords.
@Suite @MainActor struct SignInFlowTests {
  private let flow = SignInFlow()

  private func page(
    _ scene: AccountScene, _ options: [SignInOption] = [.apple, .google, .password],
    ifNew rule: NewAccountRule = .ask
  ) -> SignInPage {
    SignInPage(manager: scene.manager, options: options, rule: rule, language: .english)
  }

  /// Alice has an account with a password, which the device has saved or not.
  private func scene(saved: (user: String, password: String)?) throws -> AccountScene {
    try AccountScene([.password]) { journal, devices in
      let saving = ScriptedApple(journal)
      saving.set { $0.password = saved }
      devices.passwords = saving
    }
  }

  private static let right = (user: "alice@example.com", password: "right")

  // MARK: New or not

  @Test func `a new user is asked, and then has an account`() async throws {
    let scene = try AccountScene()
    #expect(await flow.signIn(by: .apple, on: page(scene)) == nil)
    #expect(flow.isAskingWhetherNew && flow.canCreateAccount)
    let result = await flow.createAccount(on: page(scene))
    #expect(result?.isNewUser == true)
    #expect(!flow.isWaiting && !flow.isAskingWhetherNew)
  }

  @Test func `"I have an account" offers the saved password, and links without a second sheet`()
    async throws
  {
    let scene = try scene(saved: Self.right)
    _ = await flow.signIn(by: .apple, on: page(scene))
    let result = await flow.enterExisting(on: page(scene))
    #expect(result?.user.uid == "alice")
    #expect(scene.server.account()?.providers.map(\.provider) == [.password, .apple])
    #expect(scene.journal.count("sheet apple") == 1)
    #expect(!flow.isWaiting)
  }

  @Test func `without a saved password the buttons stay, and the user types the password`()
    async throws
  {
    let scene = try scene(saved: nil)
    _ = await flow.signIn(by: .apple, on: page(scene))
    #expect(await flow.enterExisting(on: page(scene)) == nil)
    #expect(flow.isWaiting && flow.failure == nil)
    flow.askPassword()
    let result = await flow.signIn(
      email: "alice@example.com", password: "right", on: page(scene))
    #expect(result?.user.uid == "alice")
    #expect(scene.server.account()?.providers.map(\.provider) == [.password, .apple])
    #expect(!flow.isAskingPassword)
  }

  @Test func `a wrong password keeps the form and the waiting identity`() async throws {
    let scene = try AccountScene([.password])
    _ = await flow.signIn(by: .apple, on: page(scene))
    flow.hideQuestion()
    flow.askPassword()
    #expect(
      await flow.signIn(email: "alice@example.com", password: "wrong", on: page(scene)) == nil)
    #expect(flow.isAskingPassword && flow.isWaiting)
    #expect(
      flow.failure?.suggestion(in: .english)
        == "The password isn't right. Try again, or have a new one sent to you.")
    let result = await flow.signIn(
      email: "alice@example.com", password: "right", on: page(scene))
    #expect(result?.user.uid == "alice")
    #expect(scene.server.account()?.providers.count == 2)
  }

  @Test func `closing a sheet keeps the waiting identity, and cancelling doesn't`() async throws {
    let scene = try AccountScene([.google])
    _ = await flow.signIn(by: .apple, on: page(scene))
    scene.google.set { $0.fault = .cancelled }
    #expect(await flow.signIn(by: .google, on: page(scene)) == nil)
    #expect(flow.isWaiting && flow.failure == nil)
    flow.forgetWaiting()
    #expect(!flow.isWaiting && !flow.isAskingWhetherNew)
  }

  @Test func `an identity that waited too long is discarded, and the user informed`() async throws {
    let scene = try AccountScene()
    _ = await flow.signIn(by: .apple, on: page(scene))
    scene.server.fail("signIn", .refusal("INVALID_PENDING_TOKEN"))
    #expect(await flow.createAccount(on: page(scene)) == nil)
    #expect(!flow.isWaiting)
    #expect(
      flow.failure?.suggestion(in: .english)
        == "This took too long or was used before. Start again.")
  }

  @Test func `a button that is pressed twice works once`() async throws {
    let scene = try AccountScene([.apple])
    let page = page(scene)
    var signedIn = 0
    for _ in 0..<2 {
      flow.run({ await flow.signIn(by: .apple, on: page) }, then: { _ in signedIn += 1 })
    }
    #expect(flow.isWorking)
    #expect(try await eventually { !flow.isWorking })
    #expect(signedIn == 1)
    #expect(scene.journal.count("sheet apple") == 1)
  }

  // MARK: An account that exists

  @Test func `the user signs in to an account with the same address, and links`() async throws {
    let scene = try AccountScene([.password])
    scene.server.set { $0.wantsConfirmation = ["password"] }
    #expect(await flow.signIn(by: .apple, on: page(scene)) == nil)
    #expect(flow.isWaiting && !flow.canCreateAccount && !flow.isAskingWhetherNew)
    #expect(
      flow.failure?.suggestion(in: .english)
        == "You already have an account with this email address. Sign in to it the way you did before."
    )
    let result = await flow.signIn(
      email: "alice@example.com", password: "right", on: page(scene))
    #expect(result?.user.uid == "alice")
    #expect(scene.server.account()?.providers.map(\.provider) == [.password, .apple])
    #expect(scene.journal.count("sheet apple") == 1)
  }

  // MARK: Saved passwords

  @Test func `a saved password is offered once`() async throws {
    let scene = try scene(saved: Self.right)
    let result = await flow.offerSavedPasswordOnce(on: page(scene))
    #expect(result?.user.uid == "alice")
    #expect(await flow.offerSavedPasswordOnce(on: page(scene)) == nil)
    #expect(scene.journal.count("sheet passwords") == 1)
  }

  @Test(arguments: [[SignInOption.apple], [.apple, .google]])
  func `an app without passwords offers no saved password`(options: [SignInOption]) async throws {
    let scene = try scene(saved: Self.right)
    #expect(await flow.offerSavedPasswordOnce(on: page(scene, options)) == nil)
    #expect(scene.journal.all.isEmpty)
  }

  @Test func `a device without saved passwords shows no error`() async throws {
    let scene = try scene(saved: nil)
    #expect(await flow.offerSavedPasswordOnce(on: page(scene)) == nil)
    #expect(flow.failure == nil)
    #expect(scene.server.requestCount == 0)
  }

  @Test func `a wrong saved password is reported`() async throws {
    let scene = try scene(saved: ("alice@example.com", "old"))
    #expect(await flow.offerSavedPasswordOnce(on: page(scene)) == nil)
    #expect(flow.failure != nil)
  }

  // MARK: Consent

  @Test func `the page asks for consent, and names what the user agreed to`() async throws {
    let scene = try scene(saved: Self.right)
    _ = await flow.signIn(by: .apple, on: page(scene))
    scene.server.set { $0.wantsConsent = ["apple.com", "email"] }
    async let result = flow.enterExisting(on: page(scene))
    #expect(try await eventually { flow.consent.text != nil })
    #expect(flow.consent.text?.message.contains("Your Apple Account") == true)
    flow.consent.agree()
    #expect(await result?.user.uid == "alice")
    #expect(scene.server.state.withLock(\.consents) == ["gatehouse-2-en"])
    #expect(flow.consent.text == nil)
  }

  @Test func `a user who declines is signed in without the link`() async throws {
    let scene = try scene(saved: Self.right)
    _ = await flow.signIn(by: .apple, on: page(scene))
    scene.server.set { $0.wantsConsent = ["apple.com", "email"] }
    async let result = flow.enterExisting(on: page(scene))
    #expect(try await eventually { flow.consent.text != nil })
    flow.consent.decline()
    #expect(await result == nil)
    #expect(flow.failure == nil)
    #expect(scene.server.account()?.providers.map(\.provider) == [.password])
    #expect(scene.manager.authState.user?.uid == "alice")
  }

  @Test func `the app's own prompt takes precedence`() async throws {
    let scene = try AccountScene([.password]) { joins in Consent(version: "app", joins: joins) }
    scene.server.set { $0.wantsConsent = ["apple.com", "email"] }
    _ = await flow.signIn(by: .apple, on: page(scene))
    #expect(scene.server.state.withLock(\.consents) == ["app"])
    #expect(flow.consent.text == nil)
  }

  @Test func `a page that disappears counts as declined`() async {
    let asking = ConsentAsking()
    let text = ConsentText(joins: ["email"], in: .english)
    let task = Task { await asking.ask(text) }
    while asking.text == nil { await Task.yield() }
    // A second question doesn't replace one that the user is reading.
    #expect(await asking.ask(text) == nil)
    task.cancel()
    #expect(await task.value == nil)
    #expect(asking.text == nil)
  }

  // MARK: Options

  @Test(arguments: TextLanguage.allCases)
  func `each button has a text`(language: TextLanguage) {
    let options: [SignInOption] = [
      .apple, .google, .password, .browser("oidc.example", title: "Example"),
    ]
    #expect(Set(options.map { $0.title(in: language) }).count == 4)
    #expect(options.map(\.provider) == [.apple, .google, .password, "oidc.example"])
  }

  @Test func `the app's titles name its providers when consent is asked`() throws {
    let scene = try AccountScene()
    let page = page(scene, [.browser("oidc.example", title: "Example")])
    #expect(page.names == ["oidc.example": "Example"])
  }
}

#if canImport(Combine)
  /// What SwiftUI is told.
  @Suite @MainActor struct AnnouncementTests {
    @Test func `the flow announces its changes, and those of the question for consent`() {
      let flow = SignInFlow()
      var announced = 0
      let subscription = flow.objectWillChange.sink { announced += 1 }
      flow.askPassword()
      #expect(announced > 0)
      announced = 0
      flow.consent.decline()
      #expect(announced == 1)
      subscription.cancel()
    }

    @Test func `the manager announces that a user has signed in`() async throws {
      let scene = try AccountScene([.apple])
      let (announcements, announced) = AsyncStream.makeStream(of: Void.self)
      let subscription = scene.manager.objectWillChange.sink {
        MainActor.assertIsolated()
        announced.yield()
      }
      try await scene.signIn()
      for await _ in announcements { break }
      #expect(scene.manager.authState != .signedOut)
      subscription.cancel()
    }
  }
#endif

/// Checks until `holds` is true, for at most five minutes.
@MainActor private func eventually(_ holds: @MainActor () -> Bool) async throws -> Bool {
  let end = ContinuousClock.now + .seconds(300)
  while ContinuousClock.now < end {
    if holds() { return true }
    await Task.yield()
  }
  return false
}

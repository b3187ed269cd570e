import Foundation
import GatehouseClient
import GatehouseTesting
import SwiftUI
import Testing

@testable import GatehouseUI

/// Presses the buttons of the pages for second factors, with the server in memory.
@Suite @MainActor struct SecondFactorPageTests {
  private let server = AuthTestServer()

  private func window(
    _ manager: AccountManager, _ options: [SecondFactorOption] = [.authenticatorApp, .textMessage]
  ) -> SimulatedWindow<AccountView> {
    SimulatedWindow(
      AccountView(manager: manager, options: [.password], secondFactors: options))
  }

  private func user() -> TestUser {
    server.createUser(email: "ana@example.com", password: "secret", isEmailVerified: true)
  }

  private func shows(
    _ window: SimulatedWindow<AccountView>, _ text: String
  ) async -> Bool {
    await eventually {
      let screen = window.screen
      return screen.texts.contains(text) || screen.buttons.contains(text)
    }
  }

  /// Waits for an effect of a button's task.
  private func eventually(_ holds: () -> Bool) async -> Bool {
    for _ in 0..<100_000 {
      if holds() { return true }
      await Task.yield()
    }
    return false
  }

  @Test func `a user signs in with the code of an authenticator app`() async throws {
    let user = user()
    server.addAuthenticator(to: user.uid)
    let manager = AccountManager(client: AuthClient(testing: server))
    let window = window(manager)
    try window.screen.press("Continue with Password")
    try window.screen.enter("ana@example.com", in: "Email")
    try window.screen.enter("secret", in: "Password")
    try window.screen.press("Sign In")
    #expect(await shows(window, "Enter the code that your authenticator app shows."))
    try window.screen.enter("000000", in: "Code")
    try window.screen.press("Continue")
    #expect(await shows(window, "The code isn't right. Try again, with the latest one."))
    try window.screen.enter(try #require(server.authenticatorCode(of: user.uid)), in: "Code")
    try window.screen.press("Continue")
    #expect(await shows(window, "Sign Out"))
    #expect(manager.client.currentUser?.uid == user.uid)
    #expect(await eventually { window.screen.dialogs == [] })
  }

  @Test func `a user adds an authenticator app, sees the recovery codes once, and removes it`()
    async throws
  {
    let user = user()
    let manager = AccountManager(client: AuthClient(testing: server, signedInAs: user.uid))
    let window = window(manager)
    try window.screen.press("Add a Second Step")
    try window.screen.press("Authenticator App")
    #expect(await shows(window, "Enter the code that your authenticator app shows."))
    let link = try #require(window.screen.links.first)
    #expect(link.title == "Open Authenticator App")
    #expect(link.destination.scheme == "otpauth")
    let items = URLComponents(url: link.destination, resolvingAgainstBaseURL: false)?.queryItems
    let secret = try #require(items?.first { $0.name == "secret" }?.value)
    #expect(window.screen.texts.contains(secret))
    try window.screen.enter(try #require(server.code(ofSecret: secret)), in: "Code")
    try window.screen.press("Continue")
    #expect(await shows(window, "I Have Saved Them"))
    let codes = try #require(server.user(user.uid)?.recoveryCodes)
    #expect(Set(codes).isSubset(of: window.screen.texts))
    try window.screen.press("I Have Saved Them")
    #expect(window.screen.dialogs == [])
    #expect(window.screen.texts.contains("Recovery codes left: 10"))
    #expect(!window.screen.texts.contains(codes[0]))
    try window.screen.press("Create New Recovery Codes")
    #expect(await shows(window, "I Have Saved Them"))
    try window.screen.press("I Have Saved Them")
    try window.screen.press("Remove")
    #expect(await eventually { server.user(user.uid)?.secondFactors == [] })
  }

  @Test func `an app without second factors shows none`() throws {
    let manager = AccountManager(client: AuthClient(testing: server, signedInAs: user().uid))
    let screen = window(manager, []).screen
    #expect(!screen.buttons.contains("Add a Second Step"))
  }

  @Test func `a deletion asks for the second factor`() async throws {
    let user = user()
    server.addAuthenticator(to: user.uid)
    let manager = AccountManager(client: AuthClient(testing: server, signedInAs: user.uid))
    server.clock.advance(by: 600)
    let window = SimulatedWindow(DeleteAccountButton(manager: manager))
    try window.screen.press("Delete Account")
    try window.screen.press("Yes, Delete")
    #expect(await eventually { window.screen.buttons.contains("Cancel") })
    try window.screen.enter("secret", in: "Password")
    try window.screen.press("Yes, Delete")
    #expect(
      await eventually {
        window.screen.texts.contains("Enter the code that your authenticator app shows.")
      })
    try window.screen.enter(try #require(server.authenticatorCode(of: user.uid)), in: "Code")
    try window.screen.press("Continue")
    #expect(await eventually { server.user(user.uid) == nil })
  }
}

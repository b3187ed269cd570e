import GatehouseAuth
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct SettingsTests {
  static let addresses: [(String, Int, String)] = [
    ("localhost", 9099, "http://localhost:9099/"),
    ("192.168.1.20", 8080, "http://192.168.1.20:8080/"),
    ("::1", 9099, "http://[::1]:9099/"),
    ("[::1]", 9099, "http://[::1]:9099/"),
  ]

  @Test(arguments: addresses)
  func `requests go to the emulator over plain http, by name or address`(
    host: String, port: Int, prefix: String
  ) async throws {
    let test = try TestApp()
    test.auth.useEmulator(withHost: host, port: port)
    try await test.auth.signInAnonymously()
    #expect(test.server.calls.allSatisfy { $0.url.absoluteString.hasPrefix(prefix) })
  }

  @Test func `without an emulator the configured server gets the requests`() async throws {
    let test = try TestApp()
    try await test.auth.signInAnonymously()
    let url = try #require(test.server.calls.first?.url)
    #expect(url.absoluteString.hasPrefix("https://auth.example.com/"))
    #expect(url.query()?.contains("key=demo-key") == true)
  }

  @Test func `an app without server and key can use an emulator`() async throws {
    let test = try TestApp(serverURL: nil, apiKey: nil)
    test.auth.useEmulator(withHost: "localhost", port: 9099)
    try await test.auth.signInAnonymously()
    #expect(test.auth.currentUser != nil)
  }

  @Test func `an emulator after the first use starts again and calls listeners`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let heard = Heard<String>()
    _ = test.auth.addStateDidChangeListener { _, user in heard(user?.uid ?? "nobody") }
    await TestApp.mainQueueIsEmpty()
    test.auth.useEmulator(withHost: "localhost", port: 9099)
    await TestApp.mainQueueIsEmpty()
    #expect(heard.all == [user.uid, "nobody"])
    #expect(test.auth.currentUser == nil)
  }

  @Test func `each request has the language`() async throws {
    let test = try TestApp()
    test.auth.languageCode = "vi"
    try await test.auth.signInAnonymously()
    #expect(test.server.calls.first?.headers["X-Firebase-Locale"] == "vi")
    test.auth.useAppLanguage()
    #expect(test.auth.languageCode?.isEmpty == false)
  }

  @Test func `the language survives a change to the emulator`() throws {
    let test = try TestApp()
    test.auth.languageCode = "de"
    test.auth.useEmulator(withHost: "localhost", port: 9099)
    #expect(test.auth.languageCode == "de")
  }

  @Test func `settings are copied when set, and can be changed in place`() throws {
    let auth = try TestApp().auth
    auth.settings?.isAppVerificationDisabledForTesting = true
    #expect(auth.settings?.isAppVerificationDisabledForTesting == true)
    let mine = AuthSettings()
    auth.settings = mine
    mine.isAppVerificationDisabledForTesting = true
    #expect(auth.settings?.isAppVerificationDisabledForTesting == false)
    auth.settings = nil
    #expect(auth.settings == nil)
  }

  @Test func `tenant, domain and sharing keep their values`() throws {
    let auth = try TestApp().auth
    #expect(auth.tenantID == nil && auth.customAuthDomain == nil)
    auth.tenantID = "tenant"
    auth.customAuthDomain = "login.example.com"
    auth.shareAuthStateAcrossDevices = true
    #expect(auth.tenantID == "tenant" && auth.customAuthDomain == "login.example.com")
    #expect(auth.shareAuthStateAcrossDevices)
    #expect(auth.apnsToken == nil && !auth.canHandleNotification([:]))
  }

  #if !canImport(Security)
    @Test func `a keychain group is refused without a keychain, and nil is accepted`()
      async throws
    {
      let test = try TestApp()
      let user = try await test.signedIn()
      let error = await authError { try test.auth.useUserAccessGroup("TEAM.group") }
      #expect(error?.authCode == .keychainError)
      #expect(test.auth.userAccessGroup == nil)
      #expect(test.auth.currentUser === user)
      try test.auth.useUserAccessGroup(nil)
      #expect(test.auth.currentUser?.uid == user.uid)
      #expect(try test.auth.getStoredUser(forAccessGroup: nil)?.uid == user.uid)
      let stored = await authError {
        _ = try test.auth.getStoredUser(forAccessGroup: "TEAM.group")
      }
      #expect(stored?.authCode == .keychainError)
    }
  #endif
}

import GatehouseAuth
import GatehouseCore
import Foundation
import Testing

@Suite("The callback URL scheme") struct CallbackSchemeTests {
  private func options(clientID: String? = "123-abc.apps.googleusercontent.com")
    -> FirebaseOptions
  {
    let options = FirebaseOptions(googleAppID: "1:12345:ios:0a1b", gcmSenderID: "12345")
    options.clientID = clientID
    return options
  }

  @Test func `is the reversed client id, if the app registers it`() throws {
    let scheme = try CallbackScheme(
      options: options(),
      registered: ["app-1-12345-ios-0a1b", "com.googleusercontent.apps.123-abc"])
    #expect(scheme.name == "com.googleusercontent.apps.123-abc")
  }

  @Test func `otherwise is the app's id with dashes`() throws {
    let registered = ["fb123", "app-1-12345-ios-0a1b"]
    #expect(
      try CallbackScheme(options: options(), registered: registered).name
        == "app-1-12345-ios-0a1b")
    #expect(
      try CallbackScheme(options: options(clientID: nil), registered: registered).name
        == "app-1-12345-ios-0a1b")
  }

  @Test func `is compared without regard to case`() throws {
    #expect(
      try CallbackScheme(options: options(), registered: ["APP-1-12345-IOS-0A1B"]).name
        == "app-1-12345-ios-0a1b")
  }

  @Test func `an unregistered scheme is an error with a recovery suggestion`() {
    do {
      _ = try CallbackScheme(options: options(), registered: ["fb123"])
      Issue.record("there is one")
    } catch {
      #expect(error.code == AuthErrorCode.invalidClientID.rawValue)
      #expect(error.localizedDescription.contains("com.googleusercontent.apps.123-abc"))
      #expect(error.localizedRecoverySuggestion?.contains("CFBundleURLTypes") == true)
    }
  }

  @Test func `registered schemes are read from CFBundleURLTypes`() {
    let info: [String: Any] = [
      "CFBundleURLTypes": [
        ["CFBundleURLSchemes": ["one", "two"]], ["CFBundleURLName": "none"],
        ["CFBundleURLSchemes": ["three"]],
      ]
    ]
    #expect(CallbackScheme.registered(in: info) == ["one", "two", "three"])
    #expect(CallbackScheme.registered(in: nil).isEmpty)
    #expect(CallbackScheme.registered(in: ["CFBundleURLTypes": "text"]).isEmpty)
  }
}

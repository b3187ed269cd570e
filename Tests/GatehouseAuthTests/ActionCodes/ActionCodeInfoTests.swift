import GatehouseAuth
import Foundation
import Testing

@Suite("Action codes") struct ActionCodeInfoTests {
  @Test(arguments: [
    ("PASSWORD_RESET", ActionCodeOperation.passwordReset), ("VERIFY_EMAIL", .verifyEmail),
    ("RECOVER_EMAIL", .recoverEmail), ("EMAIL_SIGNIN", .emailLink),
    ("VERIFY_AND_CHANGE_EMAIL", .verifyAndChangeEmail), ("SOMETHING_NEW", .unknown),
  ])
  func `each name of the server has its operation`(
    _ name: String, _ operation: ActionCodeOperation
  ) {
    #expect(ActionCodeOperation(requestType: name) == operation)
  }

  @Test func `settings are converted to the client's`() {
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://example.com/go")
    settings.handleCodeInApp = true
    settings.setIOSBundleID("com.example.app")
    settings.setAndroidPackageName("com.example", installIfNotAvailable: true, minimumVersion: "3")
    settings.linkDomain = "links.example.com"
    let link = settings.linkSettings
    #expect(link.continueURL == URL(string: "https://example.com/go"))
    #expect(link.handleCodeInApp)
    #expect(link.iosBundleID == "com.example.app")
    #expect(link.androidPackageName == "com.example")
    #expect(link.androidInstallIfNotAvailable)
    #expect(link.androidMinimumVersion == "3")
    #expect(link.linkDomain == "links.example.com")
  }

  @Test func `new settings are empty`() {
    let settings = ActionCodeSettings()
    #expect(settings.url == nil)
    #expect(!settings.handleCodeInApp)
    #expect(!settings.androidInstallIfNotAvailable)
  }
}

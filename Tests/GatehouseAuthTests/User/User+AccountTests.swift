import GatehouseAuth
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct UserAccountTests {
  @Test func `a profile change sends its values, and the user has them`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let request = user.createProfileChangeRequest()
    request.displayName = "Ann"
    request.photoURL = URL(string: "https://example.com/a.png")
    #expect(request.displayName == "Ann")
    try await request.commitChanges()
    #expect(user.displayName == "Ann")
    #expect(user.photoURL?.absoluteString == "https://example.com/a.png")
    #expect(test.server.count("accounts:update") == 1)
  }

  @Test func `values that aren't set stay, and an empty change sends no request`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let name = user.createProfileChangeRequest()
    name.displayName = "Ann"
    try await name.commitChanges()
    #expect(test.server.last("accounts:update")?["photoUrl"] == nil)
    try await user.createProfileChangeRequest().commitChanges()
    #expect(test.server.count("accounts:update") == 1)
  }

  @Test func `a profile change can be committed only once`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let request = user.createProfileChangeRequest()
    request.displayName = "Ann"
    try await request.commitChanges()
    #expect(await authError { try await request.commitChanges() }?.authCode == .internalError)
    #expect(test.server.count("accounts:update") == 1)
  }

  @Test func `a name that is set to nil is removed`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let request = user.createProfileChangeRequest()
    request.displayName = nil
    try await request.commitChanges()
    #expect(
      test.server.last("accounts:update")?["deleteAttribute"]?.contains("DISPLAY_NAME") == true)
  }

  @Test func `an empty new password is rejected before a request`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let before = test.server.calls.count
    let error = await authError { try await user.updatePassword(to: "") }
    #expect(error?.authCode == .weakPassword)
    #expect(error?.userInfo[NSLocalizedFailureReasonErrorKey] != nil)
    #expect(test.server.calls.count == before)
  }

  @Test func `a new password is sent with the user's token`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    try await user.updatePassword(to: "secret-2")
    #expect(test.server.last("accounts:update")?["password"] == "secret-2")
    #expect(test.server.last("accounts:update")?["idToken"] != nil)
  }

  @Test func `an old sign-in is rejected with the providers for another sign-in`() async throws {
    let test = try TestApp()
    test.server.setProfile(
      "ann@example.com", ["providerUserInfo": #"[{"providerId":"apple.com","rawId":"1"}]"#])
    let user = try await test.signedIn()
    test.server.refuse("accounts:delete", "CREDENTIAL_TOO_OLD_LOGIN_AGAIN")
    let error = await authError { try await user.delete() }
    #expect(error?.authCode == .requiresRecentLogin)
    #expect(error?.userInfo[AuthErrors.userInfoProvidersKey] as? [String] == ["apple.com"])
    #expect(test.auth.currentUser === user)
  }

  @Test func `deleting the account signs the user out, also for the next launch`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    try await user.delete()
    #expect(test.auth.currentUser == nil)
    await test.app.delete()
    #expect(try TestApp(store: test.store, name: test.app.name).auth.currentUser == nil)
  }

  @Test func `verification emails are requested with the settings`() async throws {
    let test = try TestApp()
    let user = try await test.signedIn()
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://app.example.com/done")
    try await user.sendEmailVerification(with: settings)
    let first = test.server.last("accounts:sendOobCode")
    #expect(first?["requestType"] == "VERIFY_EMAIL")
    #expect(first?["continueUrl"] == "https://app.example.com/done")
    try await user.sendEmailVerification(beforeUpdatingEmail: "b@example.com")
    let second = test.server.last("accounts:sendOobCode")
    #expect(second?["requestType"] == "VERIFY_AND_CHANGE_EMAIL")
    #expect(second?["newEmail"] == "b@example.com")
  }
}

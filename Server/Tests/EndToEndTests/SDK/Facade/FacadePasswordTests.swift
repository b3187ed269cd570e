import GatehouseAuth
import Foundation
import Testing

/// Passwords and email codes.
@Suite(.developmentServer, .timeLimit(.minutes(5)))
struct FacadePasswordTests {
  @Test func `an account with a password: created, refused, changed, renamed`() async throws {
    let device = try FacadeApp(try suiteServer())
    let email = Unique.email("pass")
    let made = try await device.auth.createUser(withEmail: email, password: "notasecret")
    #expect(made.additionalUserInfo?.isNewUser == true)
    #expect(made.user.providerData.map(\.providerID) == ["password"])
    #expect(
      await authCode { try await device.auth.createUser(withEmail: email, password: "notasecret") }
        == .emailAlreadyInUse)
    let weak = await authError {
      try await device.auth.createUser(withEmail: Unique.email(), password: "short")
    }
    #expect(weak?.code == AuthErrorCode.weakPassword.rawValue)
    #expect(
      (weak?.userInfo[NSLocalizedFailureReasonErrorKey] as? String)?.contains("6 characters")
        == true)

    let request = made.user.createProfileChangeRequest()
    request.displayName = "Zoë"
    request.photoURL = URL(string: "https://example.com/zoe.png")
    try await request.commitChanges()
    try await made.user.updatePassword(to: "anothersecret")
    try device.auth.signOut()
    let refused = await authCode {
      try await device.auth.signIn(withEmail: email, password: "notasecret")
    }
    #expect(refused == .wrongPassword || refused == .invalidCredential)
    let user = try await device.auth.signIn(withEmail: email, password: "anothersecret").user
    #expect(user.uid == made.user.uid && user.displayName == "Zoë")

    let removal = user.createProfileChangeRequest()
    removal.photoURL = nil
    try await removal.commitChanges()
    try await user.reload()
    #expect(user.photoURL == nil && user.displayName == "Zoë")
  }

  @Test func `a password is reset by the mailed code`() async throws {
    let device = try FacadeApp(try suiteServer())
    let email = Unique.email("reset")
    try await device.auth.createUser(withEmail: email, password: "notasecret")
    try await device.auth.sendPasswordReset(withEmail: email)
    let code = try await device.mailedCode("PASSWORD_RESET", to: email)
    let info = try await device.auth.checkActionCode(code)
    #expect(info.operation == .passwordReset && info.email == email)
    #expect(try await device.auth.verifyPasswordResetCode(code) == email)
    try await device.auth.confirmPasswordReset(withCode: code, newPassword: "freshsecret")
    try await device.auth.signIn(withEmail: email, password: "freshsecret")
    let again = await authCode {
      try await device.auth.confirmPasswordReset(withCode: code, newPassword: "latersecret")
    }
    #expect(again == .invalidActionCode)
  }

  @Test func `an address is verified by the mailed code, and changed by another`() async throws {
    let device = try FacadeApp(try suiteServer())
    let email = Unique.email("verify")
    let user = try await device.auth.createUser(withEmail: email, password: "notasecret").user
    #expect(!user.isEmailVerified)
    try await user.sendEmailVerification()
    try await device.auth.applyActionCode(try await device.mailedCode("VERIFY_EMAIL", to: email))
    try await user.reload()
    #expect(user.isEmailVerified)
  }

  @Test func `a mailed link signs in, and creates the account if there is none`() async throws {
    let device = try FacadeApp(try suiteServer())
    let email = Unique.email("link")
    let settings = ActionCodeSettings()
    settings.url = URL(string: "http://localhost/finish")
    settings.handleCodeInApp = true
    try await device.auth.sendSignInLink(toEmail: email, actionCodeSettings: settings)
    let link = try await device.mailedLink("EMAIL_SIGNIN", to: email)
    #expect(device.auth.isSignIn(withEmailLink: link))
    let result = try await device.auth.signIn(withEmail: email, link: link)
    #expect(result.user.email == email && result.user.isEmailVerified)
    let again = await authCode {
      _ = try await device.auth.signIn(withEmail: email, link: link)
    }
    #expect(again == .invalidActionCode)
  }
}

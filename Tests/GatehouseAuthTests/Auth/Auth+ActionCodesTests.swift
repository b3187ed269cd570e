import GatehouseAuth
import Foundation
import Testing

@Suite(.timeLimit(.minutes(5)))
struct AuthActionCodesTests {
  static let reset = #"{"requestType":"PASSWORD_RESET","email":"a@example.com"}"#

  @Test func `the purpose of a code is returned`() async throws {
    let test = try TestApp()
    test.server.next(
      "accounts:resetPassword",
      #"{"requestType":"VERIFY_AND_CHANGE_EMAIL","email":"old@example.com","newEmail":"new@example.com"}"#
    )
    let info = try await test.auth.checkActionCode("code-1")
    #expect(info.operation == .verifyAndChangeEmail)
    #expect(test.server.last("accounts:resetPassword")?["oobCode"] == "code-1")
  }

  @Test func `the email of a password reset code is returned`() async throws {
    let test = try TestApp()
    test.server.next("accounts:resetPassword", Self.reset)
    #expect(try await test.auth.verifyPasswordResetCode("c") == "a@example.com")
  }

  @Test func `a code with another purpose resets no password`() async throws {
    let test = try TestApp()
    test.server.next(
      "accounts:resetPassword", #"{"requestType":"VERIFY_EMAIL","email":"a@example.com"}"#)
    let error = await authError { _ = try await test.auth.verifyPasswordResetCode("c") }
    #expect(error?.authCode == .invalidActionCode)
  }

  @Test(arguments: [
    ("INVALID_OOB_CODE", AuthErrorCode.invalidActionCode), ("EXPIRED_OOB_CODE", .expiredActionCode),
    ("OPERATION_NOT_ALLOWED", .operationNotAllowed),
  ])
  func `a rejected code has its own error in every call`(message: String, code: AuthErrorCode)
    async throws
  {
    let test = try TestApp()
    let auth = test.auth
    let calls: [(String, () async throws -> Void)] = [
      ("accounts:resetPassword", { _ = try await auth.checkActionCode("c") }),
      ("accounts:resetPassword", { _ = try await auth.verifyPasswordResetCode("c") }),
      (
        "accounts:resetPassword",
        {
          try await auth.confirmPasswordReset(withCode: "c", newPassword: "secret-2")
        }
      ),
      ("accounts:update", { try await auth.applyActionCode("c") }),
    ]
    for (path, call) in calls {
      test.server.refuse(path, message)
      #expect(await authError(call)?.authCode == code)
    }
  }

  @Test func `a sign-in link and a reset are requested with their settings`() async throws {
    let test = try TestApp()
    let settings = ActionCodeSettings()
    settings.url = URL(string: "https://app.example.com/in")
    settings.handleCodeInApp = true
    settings.setIOSBundleID("com.example.app")
    try await test.auth.sendSignInLink(toEmail: "a@example.com", actionCodeSettings: settings)
    let link = test.server.last("accounts:sendOobCode")
    #expect(link?["requestType"] == "EMAIL_SIGNIN")
    #expect(link?["continueUrl"] == "https://app.example.com/in")
    try await test.auth.sendPasswordReset(withEmail: "a@example.com")
    let reset = test.server.last("accounts:sendOobCode")
    #expect(reset?["requestType"] == "PASSWORD_RESET")
    #expect(reset?["email"] == "a@example.com")
  }

  @Test func `the deprecated query for sign-in methods still works`() async throws {
    let test = try TestApp()
    test.server.next("accounts:createAuthUri", #"{"registered":true,"signinMethods":["password"]}"#)
    let methods = await withCheckedContinuation { continuation in
      (LegacyCalls.self as any CallsDeprecated.Type).fetch(test.auth) {
        continuation.resume(returning: $0)
      }
    }
    #expect(methods == ["password"])
  }
}

/// Calls deprecated functions without a warning.
private protocol CallsDeprecated {
  static func fetch(_ auth: Auth, _ done: @escaping ([String]?) -> Void)
}

private enum LegacyCalls: CallsDeprecated {
  @available(*, deprecated)
  static func fetch(_ auth: Auth, _ done: @escaping ([String]?) -> Void) {
    auth.fetchSignInMethods(forEmail: "a@example.com") { methods, _ in done(methods) }
  }
}

import Foundation
import GatehouseClient
import Testing

/// Codes by email, from the lists that `--dev` offers.
@Suite(.developmentServer) struct ClientCodeTests {
  private static func code(_ type: String, to email: String) async throws -> (String, String) {
    let reply = try await HTTP.get(
      "\(try suiteServer().baseURL)/emulator/v1/projects/demo/oobCodes",
      headers: [("authorization", "Bearer owner")])
    let code = reply.json["oobCodes"].array.last {
      $0["email"].string == email && $0["requestType"].string == type
    }
    return (
      try #require(code?["oobCode"].string), try #require(code?["oobLink"].string)
    )
  }

  @Test func `a password is reset by its code`() async throws {
    let device = try ClientDevice()
    let email = Unique.email()
    try await device.client.createUser(email: email, password: "first secret")
    try device.client.signOut()
    try await device.client.sendPasswordReset(to: email)
    let (code, _) = try await Self.code("PASSWORD_RESET", to: email)
    let contents = try await device.client.check(actionCode: code)
    #expect(contents.requestType == "PASSWORD_RESET")
    #expect(contents.email == email)
    try await device.client.resetPassword(code: code, newPassword: "second secret")
    try await device.client.signIn(with: .password(email: email, password: "second secret"))
    await #expect(
      throws: ClientError.server(
        ServerRefusal(status: 400, code: "INVALID_OOB_CODE", reason: "invalid"))
    ) { try await device.client.check(actionCode: code) }
  }

  @Test func `an address is verified by its code`() async throws {
    let device = try ClientDevice()
    let email = Unique.email()
    let user = try await device.client.createUser(email: email, password: "first secret").user
    #expect(!user.snapshot.isEmailVerified)
    try await user.sendEmailVerification()
    let (code, _) = try await Self.code("VERIFY_EMAIL", to: email)
    try await device.client.apply(actionCode: code)
    try await user.reload()
    #expect(user.snapshot.isEmailVerified)
  }

  /// The digits in the latest email to the address; nil if there is no email yet, or it has no
  /// digits.
  private static func digits(to email: String) async throws -> String? {
    let reply = try await HTTP.get(
      "\(try suiteServer().baseURL)/emulator/v1/projects/demo/mailbox",
      headers: [("authorization", "Bearer owner")])
    let mail = reply.json["messages"].array.first { $0["to"].string == email }
    guard let digits = mail?["code"].string else { return nil }
    let text = try #require(mail?["text"].string)
    #expect(text.contains("Or enter this code in the app within 10 minutes: \(digits)"))
    return digits
  }

  /// Waits for digits other than `earlier`, because emails are sent in the background.
  private static func digits(to email: String, after earlier: String?) async throws -> String {
    let hasArrived = try await Deadline.wait {
      let digits = try await digits(to: email)
      return digits != nil && digits != earlier
    }
    #expect(hasArrived)
    return try #require(try await digits(to: email))
  }

  @Test func `six digits of an email do what its link does`() async throws {
    let device = try ClientDevice()
    let email = Unique.email()
    let user = try await device.client.createUser(email: email, password: "first secret").user
    let verification = try await user.sendEmailVerificationCode()
    let digits = try await Self.digits(to: email, after: nil)
    try await device.client.apply(actionCode: try verification.actionCode(digits: digits))
    try await user.reload()
    #expect(user.snapshot.isEmailVerified)

    let signIn = try await device.client.sendSignInCode(to: email)
    let code = try signIn.actionCode(
      digits: try await Self.digits(to: email, after: digits))
    try await user.reauthenticate(with: .emailCode(email: email, code: code))
    await #expect(
      throws: ClientError.server(
        ServerRefusal(status: 400, code: "INVALID_OOB_CODE", reason: "invalid"))
    ) { try await device.client.signIn(with: .emailCode(email: email, code: code)) }
  }

  @Test func `a mailed link signs in`() async throws {
    let device = try ClientDevice()
    let email = Unique.email()
    var settings = ActionLinkSettings()
    settings.continueURL = URL(string: "http://localhost/after")
    settings.handleCodeInApp = true
    try await device.client.sendSignInLink(to: email, settings: settings)
    let (_, link) = try await Self.code("EMAIL_SIGNIN", to: email)
    let result = try await device.client.signIn(with: .emailLink(email: email, link: link))
    #expect(result.isNewUser)
    #expect(result.snapshot.isEmailVerified)
  }
}

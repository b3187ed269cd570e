import GatehouseAccounts
import GatehouseModel
import GatehouseWire

/// `accounts:resetPassword`: a new password by a code; without one it tells what a code is for and
/// leaves it good.
struct ResetPassword: Endpoint {
  let services: APIServices

  var routes: [Route] {
    Route.account("resetPassword", v3: "resetPassword", answer)
  }

  func answer(_ call: Call) async throws -> Answer {
    let request = try call.request(ResetPasswordRequest.self)
    let project = try call.requireProject()
    if !project.policies.allowsPasswords { throw AccountsError.passwordLoginDisabled }
    guard let text = request.code else { throw APIError.refused(.missingOOBCode) }
    let code =
      if let password = request.newPassword {
        try await services.accounts.resetPassword(
          withCode: text, to: Secret(password), from: call.client, in: project, now: call.now)
      } else {
        try await services.accounts.actionCode(
          text, from: call.client, in: project, now: call.now)
      }
    var response = ResetPasswordResponse(type: ActionCodeType(code.purpose))
    // Who signs in has to know the address: a link in other hands doesn't tell it.
    if code.purpose != .emailSignIn { response.email = code.email.text }
    response.newEmail = code.newEmail?.text
    return Answer(response)
  }
}

extension ActionCodeType {
  init(_ purpose: ActionCode.Purpose) {
    self =
      switch purpose {
      case .passwordReset: .passwordReset
      case .emailVerification: .emailVerification
      case .emailSignIn: .emailSignIn
      case .emailChange: .emailChange
      case .emailRecovery: .emailRecovery
      }
  }
}

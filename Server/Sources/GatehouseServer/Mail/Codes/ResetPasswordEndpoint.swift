import GatehouseProtocol

/// `accounts:resetPassword`: sets a new password with a code. Without a password, it returns what
/// the code is for and doesn't use it up.
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
          withCode: text, to: Secret(password), from: call.client, language: call.language,
          in: project, now: call.now)
      } else {
        try await services.accounts.actionCode(
          text, from: call.client, in: project, now: call.now)
      }
    var response = ResetPasswordResponse(type: ActionCodeType(code.purpose))
    // A user who signs in has to know the address: a stolen link must not reveal it.
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

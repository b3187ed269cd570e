import GatehouseWire

/// `accounts:resetPassword`: returns what a code is for; with a new password, uses the code.
struct ResetPasswordCall: ServerCall {
  var code: String
  var newPassword: String?

  var path: String { "v1/accounts:resetPassword" }
  /// Asking what a code is for doesn't use it up.
  var isRepeatable: Bool { newPassword == nil }

  var request: ResetPasswordRequest { ResetPasswordRequest(code: code, newPassword: newPassword) }

  func answer(_ response: ResetPasswordResponse) throws(WireError) -> ActionCodeContents {
    ActionCodeContents(
      requestType: response.typeName, email: response.email, newEmail: response.newEmail)
  }
}

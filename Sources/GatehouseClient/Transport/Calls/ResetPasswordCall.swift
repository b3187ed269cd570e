import GatehouseProtocol

/// `accounts:resetPassword`: returns what a code is for. With a new password, it sets the password
/// and uses the code up.
struct ResetPasswordCall: ServerCall {
  var code: String
  var newPassword: String?

  var path: String { "v1/accounts:resetPassword" }
  /// Without a new password, the code isn't used up.
  var isRepeatable: Bool { newPassword == nil }

  var request: ResetPasswordRequest { ResetPasswordRequest(code: code, newPassword: newPassword) }

  func answer(_ response: ResetPasswordResponse) throws(WireError) -> ActionCodeContents {
    ActionCodeContents(
      requestType: response.typeName, email: response.email, newEmail: response.newEmail)
  }
}

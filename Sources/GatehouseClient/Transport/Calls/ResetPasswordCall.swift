import GatehouseJSON
import GatehouseWire

/// `accounts:resetPassword`: what a code is for, or with a new password its use.
struct ResetPasswordCall: ServerCall {
  var code: String
  var newPassword: String?

  var path: String { "v1/accounts:resetPassword" }
  /// To ask what a code is for doesn't use it up.
  var isRepeatable: Bool { newPassword == nil }

  func write(to writer: inout JSONWriter) {
    writer.member("oobCode", code)
    writer.member("newPassword", ifPresent: newPassword)
  }

  func answer(_ fields: WireFields) throws(WireError) -> ActionCodeContents {
    ActionCodeContents(
      requestType: try fields.requiredString("requestType"),
      email: try fields.nonEmptyString("email"),
      newEmail: try fields.nonEmptyString("newEmail"))
  }
}

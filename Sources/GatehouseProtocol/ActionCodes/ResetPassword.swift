/// `accounts:resetPassword`: uses a code to set a new password; without a new password, asks what a
/// code of any type is for.
public struct ResetPasswordRequest: WireMessage {
  public var code: String?
  /// An empty string is a password that is too short, not a question about the code.
  public var newPassword: String?
  public var tenantID: String?

  public init(code: String, newPassword: String? = nil) {
    self.code = code
    self.newPassword = newPassword
  }

  public init(_ fields: WireFields) throws(WireError) {
    code = try fields.nonEmptyString("oobCode")
    newPassword = try fields.string("newPassword")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("oobCode", ifPresent: code)
    writer.member("newPassword", ifPresent: newPassword)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct ResetPasswordResponse: WireMessage {
  /// ``ActionCodeType/name``. A text, because a newer server may have more types.
  public var typeName: String
  /// Omitted for a sign-in, whose email address the user has to know.
  public var email: String?
  public var newEmail: String?

  public init(type: ActionCodeType) { typeName = type.name }

  public init(_ fields: WireFields) throws(WireError) {
    typeName = try fields.requiredString("requestType")
    email = try fields.nonEmptyString("email")
    newEmail = try fields.nonEmptyString("newEmail")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#ResetPasswordResponse")
    writer.member("requestType", typeName)
    writer.member("email", ifPresent: email)
    writer.member("newEmail", ifPresent: newEmail)
  }
}

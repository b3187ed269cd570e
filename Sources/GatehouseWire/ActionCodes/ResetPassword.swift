public import GatehouseJSON

/// `accounts:resetPassword`: uses a code to set a new password; without a new password, asks what a
/// code of any type is for.
public struct ResetPasswordRequest: WireRequest {
  public var code: String?
  /// An empty string is a password that is too short, not a question about the code.
  public var newPassword: String?
  public var tenantID: String?

  public init(_ fields: WireFields) throws(WireError) {
    code = try fields.nonEmptyString("oobCode")
    newPassword = try fields.string("newPassword")
    tenantID = try fields.nonEmptyString("tenantId")
  }
}

public struct ResetPasswordResponse: WireResponse {
  public var type: ActionCodeType
  /// Omitted for a sign-in, whose email address the user has to know.
  public var email: String?
  public var newEmail: String?

  public init(type: ActionCodeType) { self.type = type }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("kind", "identitytoolkit#ResetPasswordResponse")
    writer.member("requestType", type.name)
    writer.member("email", ifPresent: email)
    writer.member("newEmail", ifPresent: newEmail)
  }
}

public import GatehouseJSON

/// `accounts:resetPassword`: uses a code that resets a password, or without a new one tells what a
/// code of any type is for.
public struct ResetPasswordRequest: WireRequest {
  public var code: String?
  /// An empty one is a password that is too short, and no question about the code.
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
  /// Left out for a sign-in, whose address the person has to know.
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

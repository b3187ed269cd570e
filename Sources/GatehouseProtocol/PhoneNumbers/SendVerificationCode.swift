/// `accounts:sendVerificationCode`, and `sendVerificationCode` of v3.
///
/// The fields with which Google's clients show that they are an app or a browser are ignored:
/// `recaptchaToken`, `captchaResponse`, `recaptchaVersion`, `clientType`, `iosReceipt`,
/// `iosSecret`, `safetyNetToken`, `playIntegrityToken`, `autoRetrievalInfo`.
public struct SendVerificationCodeRequest: WireMessage {
  public var phoneNumber: String?
  public var tenantID: String?

  public init(phoneNumber: String) { self.phoneNumber = phoneNumber }

  public init(_ fields: WireFields) throws(WireError) {
    phoneNumber = try fields.nonEmptyString("phoneNumber")
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("phoneNumber", ifPresent: phoneNumber)
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct SendVerificationCodeResponse: WireMessage {
  public var sessionInfo: String

  public init(sessionInfo: String) { self.sessionInfo = sessionInfo }

  public init(_ fields: WireFields) throws(WireError) {
    sessionInfo = try fields.requiredString("sessionInfo")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessionInfo", sessionInfo)
  }
}

public import GatehouseJSON

/// `accounts:sendVerificationCode`, and `sendVerificationCode` of v3.
///
/// The fields with which Google's clients prove that they are an app or a browser are ignored:
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

/// `GET /emulator/v1/projects/{p}/verificationCodes`: in `--dev`, the codes that haven't been used.
public struct VerificationCodesResponse: WireResponse {
  public var codes: [Code]

  public init(codes: [Code]) { self.codes = codes }

  public struct Code: Sendable {
    public var phoneNumber: String
    public var sessionInfo: String
    public var code: String

    public init(phoneNumber: String, sessionInfo: String, code: String) {
      self.phoneNumber = phoneNumber
      self.sessionInfo = sessionInfo
      self.code = code
    }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.array("verificationCodes") { list in
      for code in codes {
        list.object { object in
          object.member("phoneNumber", code.phoneNumber)
          object.member("sessionInfo", code.sessionInfo)
          object.member("code", code.code)
        }
      }
    }
  }
}

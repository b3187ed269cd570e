/// `v2/accounts/mfaSignIn:start`: sends a code to the phone of a factor.
public struct StartMFASignInRequest: WireMessage {
  public var pendingCredential: String?
  public var enrollmentID: String?
  /// Whether the request contains `phoneSignInInfo`, whose fields are ignored: with them, Google's
  /// clients show that they are an app or a browser.
  public var isForPhone = true
  public var tenantID: String?

  public init(pendingCredential: String, enrollmentID: String) {
    self.pendingCredential = pendingCredential
    self.enrollmentID = enrollmentID
  }

  public init(_ fields: WireFields) throws(WireError) {
    pendingCredential = try fields.nonEmptyString("mfaPendingCredential")
    enrollmentID = try fields.nonEmptyString("mfaEnrollmentId")
    isForPhone = try fields.message("phoneSignInInfo") != nil
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("mfaPendingCredential", ifPresent: pendingCredential)
    writer.member("mfaEnrollmentId", ifPresent: enrollmentID)
    if isForPhone { writer.object("phoneSignInInfo") { _ in } }
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct StartMFASignInResponse: WireMessage {
  public var sessionInfo: String

  public init(sessionInfo: String) { self.sessionInfo = sessionInfo }

  public init(_ fields: WireFields) throws(WireError) {
    guard let phone = try fields.message("phoneResponseInfo") else {
      throw WireError(field: "phoneResponseInfo", wanted: .message)
    }
    sessionInfo = try phone.requiredString("sessionInfo")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.object("phoneResponseInfo") { $0.member("sessionInfo", sessionInfo) }
  }
}

/// `v2/accounts/mfaSignIn:finalize`: ends a sign-in with a second factor.
public struct FinalizeMFASignInRequest: WireMessage {
  public var pendingCredential: String?
  /// Of a TOTP factor; the session of a phone's code names its factor.
  public var enrollmentID: String?
  /// Nil if the request contains none.
  public var verification: Verification?
  public var tenantID: String?

  public enum Verification: Sendable {
    case phone(PhoneVerificationInfo)
    case totp(code: String?)
    /// An extension.
    case recoveryCode(String?)
    /// An extension: the body of `passkeySignIn:finalize`.
    case passkey(JSONObject)
  }

  public init(pendingCredential: String, verification: Verification) {
    self.pendingCredential = pendingCredential
    self.verification = verification
  }

  public init(_ fields: WireFields) throws(WireError) {
    pendingCredential = try fields.nonEmptyString("mfaPendingCredential")
    enrollmentID = try fields.nonEmptyString("mfaEnrollmentId")
    verification =
      if let phone = try fields.message("phoneVerificationInfo") {
        .phone(try PhoneVerificationInfo(phone))
      } else if let totp = try fields.message("totpVerificationInfo") {
        .totp(code: try totp.nonEmptyString("verificationCode"))
      } else if let recovery = try fields.message("recoveryCodeVerificationInfo") {
        .recoveryCode(try recovery.nonEmptyString("code"))
      } else if let passkey = try fields.message("passkeyVerificationInfo") {
        .passkey(passkey.object)
      } else {
        nil
      }
    tenantID = try fields.nonEmptyString("tenantId")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("mfaPendingCredential", ifPresent: pendingCredential)
    writer.member("mfaEnrollmentId", ifPresent: enrollmentID)
    switch verification {
    case .phone(let info): writer.object("phoneVerificationInfo") { info.writeMembers(to: &$0) }
    case .totp(let code):
      writer.object("totpVerificationInfo") { $0.member("verificationCode", ifPresent: code) }
    case .recoveryCode(let code):
      writer.object("recoveryCodeVerificationInfo") { $0.member("code", ifPresent: code) }
    case .passkey(let body): writer.member("passkeyVerificationInfo", .object(body))
    case nil: break
    }
    writer.member("tenantId", ifPresent: tenantID)
  }
}

public struct FinalizeMFASignInResponse: WireMessage {
  public var tokens: SessionTokens
  /// Nil after a sign-in with a recovery code or a passkey.
  public var factor: MFAAuthInfo?
  /// An extension: how many are left after a sign-in with one.
  public var recoveryCodesLeft: Int?

  public init(tokens: SessionTokens, factor: MFAAuthInfo?) {
    self.tokens = tokens
    self.factor = factor
  }

  public init(_ fields: WireFields) throws(WireError) {
    tokens = try SessionTokens(fields)
    factor = try MFAAuthInfo.read(from: fields)
    recoveryCodesLeft = try fields.int64("recoveryCodesLeft").map { Int(clamping: $0) }
  }

  public func writeMembers(to writer: inout JSONWriter) {
    tokens.writeMembers(to: &writer)
    factor?.write(to: &writer)
    writer.member("recoveryCodesLeft", ifPresent: recoveryCodesLeft.map(Int64.init))
  }
}

/// The code of a text message, and the session of its message.
public struct PhoneVerificationInfo: WireMessage, Hashable {
  public var sessionInfo: String?
  public var code: String?
  public var phoneNumber: String?

  public init(sessionInfo: String, code: String) {
    self.sessionInfo = sessionInfo
    self.code = code
  }

  public init(_ fields: WireFields) throws(WireError) {
    sessionInfo = try fields.nonEmptyString("sessionInfo")
    code = try fields.nonEmptyString("code")
    phoneNumber = try fields.nonEmptyString("phoneNumber")
  }

  public func writeMembers(to writer: inout JSONWriter) {
    writer.member("sessionInfo", ifPresent: sessionInfo)
    writer.member("code", ifPresent: code)
    writer.member("phoneNumber", ifPresent: phoneNumber)
  }
}

/// The factor that a response is about.
public enum MFAAuthInfo: Hashable, Sendable {
  case phone(number: String?)
  case totp

  static func read(from answer: WireFields) throws(WireError) -> MFAAuthInfo? {
    if let phone = try answer.message("phoneAuthInfo") {
      return .phone(number: try phone.nonEmptyString("phoneNumber"))
    }
    return try answer.message("totpAuthInfo") == nil ? nil : .totp
  }

  func write(to writer: inout JSONWriter) {
    switch self {
    case .phone(let number):
      writer.object("phoneAuthInfo") { $0.member("phoneNumber", ifPresent: number) }
    case .totp: writer.object("totpAuthInfo") { _ in }
    }
  }
}
